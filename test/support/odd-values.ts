/** Values that no service of this family should send, put into any member of any record, and into any header that the client reads. */
import fc from 'fast-check';

/** JSON text, as it goes over the wire: much of it is nothing that JSON.stringify would write. */
export type JsonText = string;

const deep = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);

export const oddText: fc.Arbitrary<JsonText> = fc.oneof(
  fc.constantFrom<JsonText>(
    'null',
    'true',
    'false',
    '""',
    '" "',
    '0',
    '-1',
    '-0',
    '1.5',
    '1e400',
    '-1e400',
    '1e-400',
    '9007199254740993',
    '123456789012345678901234567890',
    '4294967296',
    '[]',
    '{}',
    '[null]',
    '[[]]',
    '[{}]',
    '{"":""}',
    '{"toString":1,"valueOf":null}',
    '{"__proto__":{"polluted":true}}',
    '{"constructor":{"prototype":{"polluted":true}}}',
    '{"a":1,"a":2}',
    '"\\ud800"',
    '"\\udfff and more"',
    '["\\ud800"]',
    '"\\u0000"',
    '"a\\u0000b"',
    '"\\ufeff"',
    '"\\u2028\\n\\r"',
    '"’; DROP TABLE filings; --"',
    '"\'; DROP TABLE filings; --"',
    '"$1 %s {{}}"',
    '"../../../../etc/passwd"',
    '"2024-02-30"',
    '"2024-13-45"',
    '"0000-00-00"',
    '"0000-01-01"',
    '"0001-01-01"',
    '"9999-12-31"',
    '"99999-01-01"',
    '"-2024-01-01"',
    '"2024-03-01T10:00:00+24:30"',
    '"2024-03-01T10:00:00-99:99"',
    '"2024-03-01T25:61:61Z"',
    '"0001-01-01T00:00:00+14:00"',
    '"0000-01-01T00:00:00Z"',
    '"9999-12-31T23:59:59-12:00"',
    '"2024-03-01T10:00:00.999999999999999Z"',
    '"24:00:00"',
    '"NaN"',
    '"Infinity"',
    '"1e400"',
    '"0x10"',
    '"true"',
    '"0000000000-00-000000"',
    '"0000000000-00-000000-0"',
    deep(100),
    deep(20_000),
    `${'{"a":'.repeat(5_000)}1${'}'.repeat(5_000)}`,
    `"${'N'.repeat(1_000_000)}"`,
    `"${'é😀'.repeat(100_000)}"`,
    `"${'<div>'.repeat(20_000)}"`,
    `[${Array(5_000).fill('"x"').join(',')}]`,
  ),
  fc.json({ maxDepth: 4 }),
  fc.double().map((n) => (Number.isFinite(n) ? String(n) : '1e999')),
  fc.string({ unit: 'binary' }).map((text) => JSON.stringify(text)),
);

export interface OddMember {
  /** Path in the record: `['documents', '0', 'size']`; of `add` the object that gets a member. */
  path: readonly string[];
  how: 'replace' | 'drop' | 'twice' | 'twice-before' | 'add';
  text: JsonText;
  /** Of `add` */
  name: string;
}

/** An oddity somewhere in a record of this build. */
export function oddMemberOf(record: unknown): fc.Arbitrary<OddMember> {
  return fc.record({
    path: fc.constantFrom(...pathsOf(record)),
    how: fc.constantFrom('replace', 'replace', 'replace', 'drop', 'twice', 'twice-before', 'add'),
    text: oddText,
    name: fc.constantFrom('__proto__', 'constructor', 'toString', '', 'x'.repeat(200_000), '\ud800', 'filing', 'filer'),
  });
}

function pathsOf(value: unknown, before: readonly string[] = []): (readonly string[])[] {
  if (value === null || typeof value !== 'object') return [before];
  const inner = Object.entries(value).flatMap(([name, member]) => pathsOf(member, [...before, name]));
  return [before, ...inner];
}

/** The record as JSON text, with the oddity in it. */
export function writtenOddly(
  value: unknown,
  odd: OddMember | null,
  path: readonly string[] = odd?.path ?? [],
): JsonText {
  if (odd !== null && path.length === 0) {
    if (odd.how === 'add' && value !== null && typeof value === 'object' && !Array.isArray(value)) {
      const members = JSON.stringify(value).slice(1, -1);
      return `{${JSON.stringify(odd.name)}:${odd.text}${members ? `,${members}` : ''}}`;
    }
    return odd.text;
  }
  if (odd === null || value === null || typeof value !== 'object') return JSON.stringify(value);
  const [name, ...rest] = path;
  const inside = (key: string, member: unknown) =>
    key === name ? writtenOddly(member, odd, rest) : JSON.stringify(member);
  if (Array.isArray(value)) return `[${value.map((member, i) => inside(String(i), member)).join(',')}]`;
  const members = Object.entries(value).flatMap(([key, member]) => {
    const plain = `${JSON.stringify(key)}:${JSON.stringify(member)}`;
    if (key !== name || rest.length > 0 || odd.how === 'replace' || odd.how === 'add')
      return [`${JSON.stringify(key)}:${inside(key, member)}`];
    const second = `${JSON.stringify(key)}:${odd.text}`;
    if (odd.how === 'drop') return [];
    return odd.how === 'twice' ? [plain, second] : [second, plain];
  });
  return `{${members.join(',')}}`;
}

/** A header that the client reads, with a value that it shouldn't have. */
export const oddHeader: fc.Arbitrary<readonly [string, string]> = fc.oneof(
  header('Retry-After', '9'.repeat(400), '-5', '1e400', 'soon', '5, 10', 'Tue, 99 Foo 275761 25:00:00 GMT', '0.0001'),
  header('RateLimit', `"requests";r=${'9'.repeat(400)};t=${'9'.repeat(400)}`, '"requests";r=-1;t=-1', ';;;,,,"', 'r=1'),
  header('RateLimit', '"requests";r=5000;t=99999999999999999999', '"requests";r=1e400', '"requests";r="93"', '\xff'),
  header('RateLimit-Policy', `"requests";q=${'9'.repeat(400)};w=month`, '"requests";q=', ','.repeat(5_000)),
  header('Date', 'Tue, 99 Foo 275761 25:00:00 GMT', '', '0', '+24:30'),
  header('Content-Length', '0', '1', '99999999', '-1', '1e400', 'abc', '9'.repeat(400), '5, 10'),
  header(
    'Content-Encoding',
    'gzip',
    'zstd',
    'br',
    'foo',
    'gzip, gzip',
    ','.repeat(500),
    'identity, , identity',
    '\xff',
  ),
  header('Content-Type', '', 'text/html', 'application/jsonx', 'image/png', ';;;', 'application/json; charset=klingon'),
  header('ETag', '"', 'W/', 'x'.repeat(8_000), '\xff'),
  header('X-Unknown', 'x'.repeat(20_000)),
);

function header(name: string, ...values: string[]): fc.Arbitrary<readonly [string, string]> {
  return fc.constantFrom(...values).map((value) => [name, value] as const);
}
