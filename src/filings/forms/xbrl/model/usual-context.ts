/**
 * A context as nearly all reports write it, by one regular expression: half the tags of a report without its web page are in contexts.
 * Any other shape is left to `readContext`.
 */
import { DIMENSIONS, type Scope, XBRLI } from '../markup/namespaces.ts';
import { type Context, type Dimension, usualContextOf } from './contexts.ts';

interface Shapes {
  readonly context: RegExp;
  readonly member: RegExp;
}

const shapesByScope = new WeakMap<Scope, Shapes | null>();

/** @param from its start tag @param scope at the context, without declarations @returns null: another shape */
export function usualContext(text: string, from: number, scope: Scope): { context: Context; end: number } | null {
  let shapes = shapesByScope.get(scope);
  if (shapes === undefined) {
    shapes = shapesOf(scope);
    shapesByScope.set(scope, shapes);
  }
  if (shapes === null) return null;
  shapes.context.lastIndex = from;
  const found = shapes.context.exec(text);
  if (found === null) return null;
  const [, id, identifier, axis, member, more, instant, start, end] = found;
  const dimensions: Dimension[] = [];
  if (axis !== undefined) dimensions.push(explicit(scope, axis, member!));
  if (more !== undefined && more !== '')
    for (const [, axis, member] of more.matchAll(shapes.member)) dimensions.push(explicit(scope, axis!, member!));
  const context = usualContextOf(id!, identifier!, start ?? null, end ?? instant!, dimensions);
  return { context, end: shapes.context.lastIndex };
}

function explicit(scope: Scope, axis: string, member: string): Dimension {
  return { axis: scope.resolve(axis).name, member: scope.usualName(member), typed: false };
}

function shapesOf(scope: Scope): Shapes | null {
  const [x, ...others] = scope.prefixes([XBRLI]).map((prefix) => `${prefix}:`);
  const [d, ...more] = scope.prefixes([DIMENSIONS]);
  // Instances of the first years have a default namespace.
  const plain = scope.namespace('') === XBRLI;
  if (others.length > 0 || more.length > 0 || (x !== undefined) === plain) return null;
  return /^[\w:-]*$/.test(`${x ?? ''}${d ?? ''}`) ? shapesWith(x ?? '', d) : null;
}

/** @param x prefix of contexts with its colon, or '' */
function shapesWith(x: string, d: string | undefined): Shapes {
  const member =
    d === undefined ? null : `<${d}:explicitMember dimension="([\\w:.-]+)">\\s*([\\w:.-]+)\\s*</${d}:explicitMember>`;
  const segment =
    member === null
      ? '()()()'
      : `<${x}segment>(?:\\s*${member}((?:\\s*${member.replaceAll('(', '(?:')})*))?\\s*</${x}segment>\\s*`;
  const date = '\\s*(\\d{4}-\\d\\d-\\d\\d)\\s*';
  const context =
    `<${x}context id="([\\w.-]+)">\\s*<${x}entity>\\s*<${x}identifier scheme="[^"<&]*">\\s*(\\d+)\\s*</${x}identifier>\\s*` +
    `(?:${segment})?</${x}entity>\\s*<${x}period>\\s*` +
    `(?:<${x}instant>${date}</${x}instant>|<${x}startDate>${date}</${x}startDate>\\s*<${x}endDate>${date}</${x}endDate>)` +
    `\\s*</${x}period>\\s*</${x}context>`;
  return { context: new RegExp(context, 'y'), member: new RegExp(member ?? '$^', 'g') };
}
