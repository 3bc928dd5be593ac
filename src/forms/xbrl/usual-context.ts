/**
 * A context as nearly all reports write it, by one regular expression: half the tags of a report without its web page are in contexts.
 * Any other shape is left to `readContext`.
 */
import { type Context, contextOf, type Dimension } from './contexts.ts';
import { DIMENSIONS, type Scope, XBRLI } from './namespaces.ts';

interface Shapes {
  readonly context: RegExp;
  readonly member: RegExp;
}

const shapesByScope = new WeakMap<Scope, Shapes | null>();

/**
 * @param from position of the start tag of a context
 * @param scope at the context: it has no declarations
 * @returns null if the context has another shape
 */
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
  const [, id, identifier, segment, instant, start, end] = found;
  const dimensions: Dimension[] = [];
  if (segment !== undefined)
    for (const [, axis, member] of segment.matchAll(shapes.member))
      dimensions.push({ axis: scope.resolve(axis!).name, member: scope.resolve(member!).name, typed: false });
  const context = contextOf(id!, identifier!, start ?? null, end ?? instant!, dimensions);
  return { context, end: shapes.context.lastIndex };
}

function shapesOf(scope: Scope): Shapes | null {
  const [x, ...others] = scope.prefixes([XBRLI]);
  const [d, ...more] = scope.prefixes([DIMENSIONS]);
  if (x === undefined || others.length > 0 || more.length > 0 || !/^[\w-]+$/.test(`${x}${d ?? ''}`)) return null;
  const member =
    d === undefined ? null : `<${d}:explicitMember dimension="([\\w:.-]+)">\\s*([\\w:.-]+)\\s*</${d}:explicitMember>`;
  const segment =
    member === null ? '()' : `<${x}:segment>((?:\\s*${member.replaceAll('(', '(?:')})*)\\s*</${x}:segment>\\s*`;
  const date = '\\s*(\\d{4}-\\d\\d-\\d\\d)\\s*';
  const context =
    `<${x}:context id="([\\w.-]+)">\\s*<${x}:entity>\\s*<${x}:identifier scheme="[^"<&]*">\\s*(\\d+)\\s*</${x}:identifier>\\s*` +
    `(?:${segment})?</${x}:entity>\\s*<${x}:period>\\s*` +
    `(?:<${x}:instant>${date}</${x}:instant>|<${x}:startDate>${date}</${x}:startDate>\\s*<${x}:endDate>${date}</${x}:endDate>)` +
    `\\s*</${x}:period>\\s*</${x}:context>`;
  return { context: new RegExp(context, 'y'), member: new RegExp(member ?? '$^', 'g') };
}
