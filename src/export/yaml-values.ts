/** From YAML text to plain values that remember where they stand. */
import {
  isAlias,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  type ParsedNode,
  parseDocument,
  type Scalar,
} from 'yaml';

/** Line and column, both from 1. */
export interface Position {
  line: number;
  column: number;
}

export interface YamlValues {
  value: unknown;
  /** Where the value at a path stands; the nearest value around it where there is none. */
  positionOf(path: readonly PropertyKey[]): Position;
  /** Where a key of the mapping at a path stands. */
  positionOfKey(path: readonly PropertyKey[], key: string): Position;
}

/** How scalars are read: YAML guesses `10` and `TRUE`, but a form type and a ticker are texts. */
export interface ScalarRules {
  integers: ReadonlySet<string>;
  booleans: ReadonlySet<string>;
  /** Keys whose lone value stands for a list of one. */
  lists: ReadonlySet<string>;
  /** Puts values of the environment in. @throws by calling `fail` */
  substitute(text: string, path: readonly string[], fail: (message: string) => never): string | null;
}

export type Fail = (message: string, position: Position) => never;

/**
 * `${NAME}` can't stand in a flow mapping (`{` and `}` mean something there), so it is masked before YAML sees it, by characters that mean nothing: as many
 * as there were, so that columns stay right.
 */
const MASK_OPEN = '\ue000\ue000';
const MASK_CLOSE = '\ue001';
export const MASKED_VARIABLE = /\ue000\ue000([A-Za-z_][A-Za-z0-9_]*)\ue001/g;

function masked(text: string): string {
  return text.replace(/\$\{([A-Za-z_][A-Za-z0-9_]*)\}/g, `${MASK_OPEN}$1${MASK_CLOSE}`);
}

/** @param fail is given what is wrong and where, and throws */
export function readYaml(text: string, rules: ScalarRules, fail: Fail): YamlValues {
  const lines = new LineCounter();
  const document = parseDocument(masked(text), { lineCounter: lines, prettyErrors: false });
  const at = (offset: number): Position => {
    const { line, col } = lines.linePos(offset);
    return { line, column: col };
  };
  const [error] = document.errors;
  if (error) fail(error.message, at(error.pos[0]));
  const positions = new Map<string, Position>();
  const keyPositions = new Map<string, Position>();

  const plain = (node: Node | null, path: readonly string[], key: string): unknown => {
    if (isAlias(node)) return plain(node.resolve(document) ?? null, path, key);
    if (node === null) return null;
    const position = at((node as ParsedNode).range[0]);
    positions.set(JSON.stringify(path), position);
    if (isMap(node)) {
      const object: Record<string, unknown> = {};
      for (const pair of node.items) {
        const name = isScalar(pair.key) ? ((pair.key as Scalar).source ?? String(pair.key.value)) : '?';
        keyPositions.set(JSON.stringify([...path, name]), at((pair.key as ParsedNode).range[0]));
        object[name] = plain((pair.value as Node | null) ?? null, [...path, name], name);
      }
      return object;
    }
    if (isSeq(node)) return node.items.map((item, i) => plain(item as Node | null, [...path, String(i)], key));
    if (!isScalar(node)) return undefined;
    const scalar = read(node as Scalar, rules, path, key, (message) => fail(message, position));
    return rules.lists.has(key) && path.at(-1) === key && scalar !== null ? [scalar] : scalar;
  };
  const value = plain(document.contents as Node | null, [], '');

  const nearest = (path: readonly string[]): Position => {
    for (let length = path.length; length >= 0; length--) {
      const key = JSON.stringify(path.slice(0, length));
      const found = positions.get(key) ?? keyPositions.get(key);
      if (found) return found;
    }
    return { line: 1, column: 1 };
  };
  return {
    value,
    positionOf: (path) => nearest(path.map(String)),
    positionOfKey: (path, key) =>
      keyPositions.get(JSON.stringify([...path.map(String), key])) ?? nearest(path.map(String)),
  };
}

function read(
  scalar: Scalar,
  rules: ScalarRules,
  path: readonly string[],
  key: string,
  fail: (message: string) => never,
): unknown {
  if (scalar.value === null && (scalar.source ?? '') === '') return null;
  const quoted = scalar.type === 'QUOTE_DOUBLE' || scalar.type === 'QUOTE_SINGLE';
  const source = typeof scalar.value === 'string' ? scalar.value : (scalar.source ?? String(scalar.value));
  const text = rules.substitute(source, path, fail);
  if (text === null) return undefined;
  const substituted = text !== source;
  if (quoted && !substituted) return text;
  if (rules.integers.has(key)) {
    const number = Number(text.replaceAll('_', ''));
    return text.trim() !== '' && Number.isFinite(number) ? number : text;
  }
  if (rules.booleans.has(key)) return /^true$/i.test(text) ? true : /^false$/i.test(text) ? false : text;
  return text;
}
