/** Tables of structured forms by a real export of real filings: the rows of `filinglake map`, and the expected ones. */
import { writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Lake, openLake } from '../../../src/lake/index.ts';
import { checkLake } from '../../../src/lake/report/index.ts';
import { tableNamed } from '../../../src/lake/tables/index.ts';
import { commandLine } from '../../support/command-line.ts';
import { rowsOf } from '../../support/forms/mapped.ts';
import { bytesOf, filingOf, formFiles, formsFolder } from '../../support/forms/real-files.ts';
import { temporaryFolder } from '../../support/lake/temporary-folder.ts';
import { temporalExecutable, temporalNamespace } from '../../support/temporal.ts';
import { buildRoad, type Road } from '../../support/test-stack.ts';

const GROUPS = ['ownership', 'f13', 'formd', 'beneficial', 'form144', 'nport', 'npx', 'formc', 'xbrl'];
/** Inline XBRL: covers of 8-Ks, with press releases beside them, and declared fees. */
const INLINE = [
  '0000018230-22-000107.txt.gz',
  '0000066740-24-000023.txt.gz',
  '0000050863-25-000159.txt',
  '0001104659-25-064107.txt.gz',
  '0001193125-25-338333.txt.gz',
  '0001918704-25-005479.txt.gz',
].map((name) => `edgar/full-submissions/${name}`);

describe.skipIf(formsFolder === null || !temporalExecutable)('an export of tables of forms', () => {
  let road: Road;
  let env: Record<string, string>;
  let lake: Lake;
  let folder: string;
  const expected: Record<string, Record<string, unknown>[]> = {};

  beforeAll(async () => {
    const files = temporaryFolder();
    const seen = new Set<string>();
    for (const file of [...formFiles(), ...INLINE]) {
      const filing = filingOf(file);
      if (filing.accessionNumber === null || seen.has(filing.accessionNumber)) continue;
      seen.add(filing.accessionNumber);
      writeFileSync(join(files, basename(file, '.gz')), bytesOf(file));
      for (const [table, rows] of Object.entries(rowsOf(filing)))
        expected[table] = [...(expected[table] ?? []), ...rows];
    }
    road = await buildRoad(files);
    folder = join(road.folder, 'lake');
    const apiKey = road.createKey('unlimited');
    env = { FILINGLAKE_HOME: road.home, FILINGLAKE_API_KEY: apiKey, ...(await temporalNamespace()) };
    expect(await run()).toBe(0);
    lake = await openLake(folder);
  });
  afterAll(async () => {
    await lake?.close();
    await road?.stop();
  });

  async function run(): Promise<number> {
    const file = join(road.folder, 'forms.yaml');
    const service = `service: { base_url: ${road.proxy.url}, connections: 4 }`;
    writeFileSync(file, `name: forms\n${service}\nselect: {}\ntables: [filings, ${GROUPS.join(', ')}]\n`);
    const { status, stderr } = await commandLine(['export', file, '--lake', folder, '--json'], { env });
    if (status !== 0) throw new Error(`exit code ${status}: ${stderr}`);
    return status;
  }

  it('has every row and value of the mapping, and nothing more', async () => {
    expect(Object.keys(expected).length).toBeGreaterThan(20);
    expect(expected.xbrl_facts!.length).toBeGreaterThan(150);
    for (const group of GROUPS) {
      for (const { name } of [...lake.tables.values()].filter((table) => tableNamed(table.name)?.group === group)) {
        const { columns, key } = tableNamed(name)!;
        // A whole number that is a DOUBLE ends in .0 in DuckDB.
        const texts = columns.map(({ name: column, type }) =>
          type === 'DOUBLE'
            ? `regexp_replace("${column}"::VARCHAR, '\\.0$', '') AS "${column}"`
            : `"${column}"::VARCHAR AS "${column}"`,
        );
        const rows = await lake.query(`SELECT ${texts.join(', ')} FROM ${name}`);
        const byKey = (row: Record<string, unknown>) => key.map((column) => String(row[column])).join(' ');
        const sorted = (list: Record<string, unknown>[]) =>
          list.toSorted((a, b) => (byKey(a) < byKey(b) ? -1 : byKey(a) > byKey(b) ? 1 : 0));
        const wanted = (expected[name] ?? []).map((row) =>
          Object.fromEntries(columns.map((column) => [column.name, textOf(row[column.name], column.type)])),
        );
        expect(sorted(rows), name).toEqual(sorted(wanted));
      }
    }
  });

  it('is whole by its own check, and asks for nothing the second time', async () => {
    const { problems } = await checkLake(lake);
    expect(problems).toEqual([]);
    const before = road.proxy.asked.length;
    expect(await run()).toBe(0);
    expect(road.proxy.asked.slice(before).filter((path) => path.includes('/document'))).toEqual([]);
  });
});

/** As DuckDB writes it. */
function textOf(value: unknown, type: string): string | null {
  if (value === null || value === undefined) return null;
  if (type !== 'DECIMAL(38,12)') return String(value);
  const [whole, fraction = ''] = String(value).split('.');
  return `${whole}.${fraction.padEnd(12, '0')}`;
}
