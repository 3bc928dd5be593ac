/** Ways of selecting in rare states: a killed worker, another choice of sections, a service that uses all variants of the contract. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { LiberalFront, type Liberties } from '../../support/dialect-proxy.ts';
import { ALL, selectionExports } from '../../support/selection-exports.ts';
import { temporalExecutable } from '../../support/temporal.ts';

describe.skipIf(!temporalExecutable)('an export of', () => {
  const given = selectionExports('process');

  it('accession numbers continue after a kill, with the original list', async () => {
    const lake = join(given.road.folder, 'lake-killed');
    const chosen = given.filings.slice(0, 30).map(({ accession_number }) => accession_number);
    writeFileSync(join(given.road.folder, 'killed.txt'), chosen.join('\n'));
    const file = given.write('killed', `select: { accession_numbers: { file: killed.txt } }\n${ALL}`);
    const before = given.road.proxy.requests;
    const first = given.run(file, lake);
    await given.road.proxy.atRequest(before + 40, () => given.process!.process.kill('SIGKILL'));
    await given.process!.ended;
    given.road.proxy.onRequest = () => {};
    // The list is the run's: its file may go.
    writeFileSync(join(given.road.folder, 'killed.txt'), chosen.slice(1).join('\n'));
    const changed = await given.run(file, lake);
    expect(changed).toMatchObject({ code: 2, stderr: expect.stringContaining('select.accession_numbers.hash') });
    await given.startProcess();
    expect(await first).toMatchObject({ code: 0 });
    await given.expectSameRows(lake, chosen);
  });

  it('some sections are kept, fetched again for another choice, and not for a part of the stored one', async () => {
    const lake = join(given.road.folder, 'lake-codes');
    const file = given.write('codes', 'select: { form_types: [10-K] }\ntables: [sections, section_contents]');
    const codes = (...wanted: string[]) => `codes=${wanted.join(',')}`;
    const kept = async (table: string) =>
      (await given.query(lake, `SELECT DISTINCT section FROM ${table} ORDER BY section`)).map(({ section }) => section);
    const tenKs = given.filings.filter(({ form_type }) => form_type === '10-K').length;
    const first = await given.run(file, lake, codes('1A'));
    expect(first.code, first.stderr).toBe(0);
    expect(first.asked).toHaveLength(1 + 2 * tenKs);
    expect(await kept('section_contents')).toEqual(['1A']);
    expect(await kept('sections')).toEqual(['1A']);
    expect((await given.run(file, lake, codes('7'))).asked).toHaveLength(1 + 2 * tenKs);
    expect(await kept('section_contents')).toEqual(['1A', '7']);
    expect((await given.run(file, lake)).asked).toHaveLength(1 + 2 * tenKs);
    expect((await kept('sections')).length).toBeGreaterThan(2);
    expect((await given.run(file, lake, codes('1A', '7'))).asked).toHaveLength(1);
  });

  it('each kind gives the same from a service that uses all variants of the contract', async () => {
    const liberties: Liberties = {
      countOfPage: true,
      cutPages: true,
      numbersAsStrings: true,
      paddedCiks: true,
      plainAccessionNumbers: true,
      noValue: 'missing',
      camelCase: true,
      nestedInfo: true,
      strangers: true,
      timesBehindDates: true,
      empty404: true,
    };
    await using front = await LiberalFront.start(given.road.service.url, liberties);
    const file = join(given.road.folder, 'liberal.yaml');
    const chosen = given.filings.slice(0, 6).map(({ accession_number }) => accession_number);
    writeFileSync(
      file,
      `service: { base_url: ${front.url}, page_size: 7 }
tables: [entities, filings, documents, sections]
exports:
  - { name: liberal-registry, select: { entities: query }, tables: [entities] }
  - { name: liberal-numbers, select: { accession_numbers: [${[...chosen, '0000000009-99-000009'].join(', ')}] } }
  - { name: liberal-hits, select: { fulltext: { query: revenue }, form_types: [10-K] } }
`,
    );
    const lake = join(given.road.folder, 'lake-liberal');
    const first = await given.run(file, lake);
    expect(first.code, first.stderr).toBe(3);
    const { value: search } = await given.client.fulltextSearch({ query: 'revenue', form_types: ['10-K'], to: 10_000 });
    const wanted = new Set([...chosen, ...search.hits.map(({ accession_number }) => accession_number)]);
    const inLake = await given.query(lake, 'SELECT accession_number AS n FROM filings');
    expect(new Set(inLake.map(({ n }) => n))).toEqual(wanted);
    expect(await given.query(lake, 'SELECT "window" AS w FROM export_windows WHERE NOT proven')).toEqual([]);
    const { value: entities } = await given.client.entityLookup({ name_excludes: ['§'], to: 10_000 });
    const rows = await given.query(lake, 'SELECT cik, name FROM entities ORDER BY cik::BIGINT');
    expect(rows).toEqual(entities.entities.map(({ cik, name }) => ({ cik, name })));
    expect(await given.query(lake, 'SELECT subject FROM export_failures')).toEqual([
      { subject: '0000000009-99-000009' },
    ]);
    for (const table of ['documents', 'sections']) {
      const key = table === 'documents' ? 'document_id' : 'accession_number, section';
      // Only this service states them.
      const columns = table === 'sections' ? '* EXCLUDE (by_reference, kind)' : '*';
      const sql = `SELECT ${columns} FROM ${table} WHERE accession_number IN (${[...wanted].map((n) => `'${n}'`).join(', ')}) ORDER BY ${key}`;
      expect(await given.query(lake, sql), table).toEqual(await given.query(given.whole, sql));
    }
    expect(given.written(await given.run(file, lake))).toBe(0);
  });
});
