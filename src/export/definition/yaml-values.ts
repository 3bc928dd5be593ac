/** Converts YAML text to plain values that remember their places. */
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

/** Place of a value: line and column, both from 1. */
export interface Position {
  line: number;
  column: number;
  /** The value is missing: this is the place that lacks it. */
  missing?: boolean;
  /** The option of the command line, in place of a line of the file: `--set date_from=-30d` */
  option?: string;
}

/** Values and their places. Paths consist of member names and list positions. */
export interface PlacedValues {
  value: unknown;
  /** Place of the value at a path, else of its key; null without one */
  placeOf(path: readonly PropertyKey[]): Position | null;
  /** Place of a key of the mapping at a path; null without one */
  placeOfKey(path: readonly PropertyKey[], key: string): Position | null;
}

/** Place of the value at a path, or of the nearest value around it. */
export function positionOf({ placeOf }: PlacedValues, path: readonly PropertyKey[]): Position {
  for (let length = path.length; length >= 0; length--) {
    const place = placeOf(path.slice(0, length));
    if (place !== null) return place;
  }
  return { line: 1, column: 1 };
}

export function positionOfKey(values: PlacedValues, path: readonly PropertyKey[], key: string): Position {
  return values.placeOfKey(path, key) ?? positionOf(values, path);
}

/** How scalars are read: YAML guesses `10` and `TRUE`, but a form type and a ticker are texts. */
export interface ScalarRules {
  integers: ReadonlySet<string>;
  booleans: ReadonlySet<string>;
  /** Keys of lists that accept a single value. */
  lists: ReadonlySet<string>;
  /** Replaces `${NAME}` by values of the environment. @param place of the text @returns null without a value */
  substitute(text: string, path: readonly string[], place: Position): string | null;
}

type Fail = (message: string, position: Position) => never;

/**
 * `${NAME}` isn't allowed in a flow mapping (`{` and `}` are syntax there). So it is masked before YAML sees it, by the same number
 * of neutral characters, which keeps the columns.
 */
const MASK_OPEN = '\ue000\ue000';
const MASK_CLOSE = '\ue001';
export const MASKED_VARIABLE = /\ue000\ue000([A-Za-z_][A-Za-z0-9_]*)\ue001/g;

function masked(text: string): string {
  return text.replace(/\$\{([A-Za-z_][A-Za-z0-9_]*)\}/g, `${MASK_OPEN}$1${MASK_CLOSE}`);
}

/** @param fail receives the mistake and its place, and throws */
export function readYaml(text: string, rules: ScalarRules, fail: Fail): PlacedValues {
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
    const scalar = read(node as Scalar, rules, path, key, position);
    return rules.lists.has(key) && path.at(-1) === key && scalar !== null ? [scalar] : scalar;
  };
  const value = plain(document.contents as Node | null, [], '');

  const keyOf = (path: readonly PropertyKey[]) => JSON.stringify(path.map(String));
  return {
    value,
    placeOf: (path) => positions.get(keyOf(path)) ?? keyPositions.get(keyOf(path)) ?? null,
    placeOfKey: (path, key) => keyPositions.get(keyOf([...path, key])) ?? null,
  };
}

function read(scalar: Scalar, rules: ScalarRules, path: readonly string[], key: string, place: Position): unknown {
  if (scalar.value === null && (scalar.source ?? '') === '') return null;
  const quoted = scalar.type === 'QUOTE_DOUBLE' || scalar.type === 'QUOTE_SINGLE';
  const source = typeof scalar.value === 'string' ? scalar.value : (scalar.source ?? String(scalar.value));
  const text = rules.substitute(source, path, place);
  if (text === null) return undefined;
  const substituted = text !== source;
  return quoted && !substituted ? text : typedValue(text, key, rules);
}

/** Converts a text to the kind of value that its key needs: a number, a boolean, else the text itself. */
export function typedValue(text: string, key: string, rules: Pick<ScalarRules, 'integers' | 'booleans'>): unknown {
  if (rules.integers.has(key)) {
    const number = Number(text.replaceAll('_', ''));
    return text.trim() !== '' && Number.isFinite(number) ? number : text;
  }
  if (rules.booleans.has(key)) return /^true$/i.test(text) ? true : /^false$/i.test(text) ? false : text;
  return text;
}
