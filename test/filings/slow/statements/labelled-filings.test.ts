/** Values of real reports against those read by hand from the printed statements, by their own scorer; skipped without them. */
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Filing, mapFiling as formRows, type Row } from '../../../../src/filings/forms/index.ts';
import { FilingFacts } from '../../../../src/filings/statements/facts.ts';
import { statementRows } from '../../../../src/filings/statements/fundamentals.ts';
import { mapFiling } from '../../../../src/filings/statements/index.ts';
import { statementRules } from '../../../../src/filings/statements/rules.ts';
import { random } from '../../../support/documents/rearrange.ts';
import { FormDatabase } from '../../../support/forms/form-database.ts';
import { temporaryFolder } from '../../../support/lake/temporary-folder.ts';
import { jsonRows, sharedFolder } from '../../../support/shared.ts';

const place = (...names: string[]) => (sharedFolder === null ? '' : join(sharedFolder, ...names));
const scorer = place('fundamentals', 'score.py');
const given = ['xz', 'python3'].every((name) => spawnSync(name, ['--version']).status === 0) && existsSync(scorer);
const files = given
  ? new Set(jsonRows<{ file: string }>(place('fundamentals', 'labels.jsonl')).map((row) => row.file))
  : [];

const unpacked = (path: string) => execFileSync('xz', ['-dc', path], { maxBuffer: 1 << 28 }).toString();
const inline = (name: string) => unpacked(place('xbrl', 'inline', `${name}.xz`));
const filingOf = (documents: Filing['documents'], formType: string | null = null): Filing => ({
  accessionNumber: null,
  filingDate: null,
  formType,
  documents,
});
const pageOf = (name: string, text: () => string) => filingOf([{ name, type: null, text }]);

describe.skipIf(!given)('fundamentals of labelled filings', () => {
  it('are right, and null for what a filing does not state', { timeout: 300_000 }, () => {
    const rows: string[] = [];
    let held = 0;
    let failed = 0;
    for (const file of files) {
      const filing = pageOf(file, () => inline(file));
      for (const { table, row } of mapFiling(filing, new Set(['fundamentals', 'fundamental_checks'])))
        if (table === 'fundamentals') rows.push(JSON.stringify(row));
        else if (row.identity === 'assets_equal_claims') row.holds ? held++ : failed++;
    }
    const predictions = join(temporaryFolder(), 'predictions.jsonl');
    writeFileSync(predictions, rows.join('\n'));
    const bars = ['--min-right', '0.99', '--max-wrong', '0.003', '--max-invented', '0.003'];
    const scored = spawnSync('python3', [scorer, '--pred', predictions, '--show', '30', ...bars]);
    expect(scored.status, scored.stdout.toString()).toBe(0);
    expect(held).toBeGreaterThan(50);
    expect(failed).toBe(0);
  });

  it('are right for banks, insurers, REITs, a utility, an asset manager, oil, an LLC, a SPAC and a filer in yen', {
    timeout: 300_000,
  }, () => {
    const kinds = place('fundamentals', 'kinds');
    const filed = jsonRows<{ name: string; form: string; documents: string[] }>(join(kinds, 'filings.jsonl'));
    const rows = filed.flatMap(({ name, form, documents }) => {
      const read = documents.map((path) => ({
        name: basename(path),
        type: LINKBASES[/_(\w+)\.xml$/.exec(path)?.[1] ?? ''] ?? (path.endsWith('.xml') ? 'EX-101.INS' : form),
        text: () => unpacked(join(kinds, 'documents', `${path}.xz`)),
      }));
      return [...mapFiling(filingOf(read, form), new Set(['fundamentals']))].flatMap(({ table, row }) =>
        table === 'fundamentals' && row.registrant === '' ? [JSON.stringify({ ...row, file: name })] : [],
      );
    });
    const predictions = join(temporaryFolder(), 'kinds.jsonl');
    writeFileSync(predictions, rows.join('\n'));
    const labels = ['--labels', join(kinds, 'labels.jsonl')];
    const bars = ['--min-right', '0.985', '--max-wrong', '0.004', '--max-invented', '0.003'];
    const scored = spawnSync('python3', [scorer, ...labels, '--pred', predictions, '--show', '30', ...bars]);
    expect(scored.status, scored.stdout.toString()).toBe(0);
  });

  it('of subsidiaries that file with a utility are their own, and add up', () => {
    const path = place('fundamentals', 'kinds', 'documents', 'spire-10q-2024q1.htm.xz');
    const filing = filingOf([{ name: 'spire.htm', type: '10-Q', text: () => unpacked(path) }], '10-Q');
    const rows = [...mapFiling(filing, new Set(['fundamentals', 'fundamental_checks']))];
    const values = (item: string) =>
      rows.flatMap(({ table, row }) =>
        table === 'fundamentals' && row.item === item && row.period_end === '2023-12-31' ? [[row.cik, row.value]] : [],
      );
    // Read in the printed statements of Spire Inc., Spire Missouri and Spire Alabama.
    expect(values('revenue')).toEqual([
      ['1126956', '756600000'],
      ['57183', '535400000'],
      ['3146', '142100000'],
    ]);
    expect(values('net_income')).toEqual([
      ['1126956', '85100000'],
      ['57183', '57000000'],
      ['3146', '11100000'],
    ]);
    expect(values('total_assets')).toEqual([
      ['1126956', '10631700000'],
      ['57183', '5828800000'],
      ['3146', '2463300000'],
    ]);
    expect(values('eps_diluted')).toMatchObject([
      ['1126956', '1.52'],
      ['57183', null],
      ['3146', null],
    ]);
    const checks = rows.filter(({ table }) => table === 'fundamental_checks').map(({ row }) => row);
    expect(checks.filter(({ registrant }) => registrant !== '').length).toBeGreaterThan(10);
    expect(checks.filter(({ holds }) => !holds)).toEqual([]);
  });

  it('of filers under IFRS are those of their concepts', () => {
    const folder = temporaryFolder();
    const kinds = place('fundamentals', 'kinds');
    execFileSync('tar', ['-xJf', join(kinds, 'ifrs-docs.tar.xz'), '-C', folder]);
    const rows = readdirSync(folder)
      .filter((name) => !name.includes('_'))
      .flatMap((name) => {
        const documents = [
          { name, type: 'EX-101.INS' },
          { name: name.replace('.xml', '_pre.xml'), type: 'EX-101.PRE' },
        ].map((document) => ({ ...document, text: () => readFileSync(join(folder, document.name), 'utf8') }));
        return [...mapFiling(filingOf(documents, '20-F'), new Set(['fundamentals']))].flatMap(({ table, row }) =>
          table === 'fundamentals' ? [JSON.stringify({ ...row, file: name })] : [],
        );
      });
    const predictions = join(folder, 'ifrs.jsonl');
    writeFileSync(predictions, rows.join('\n'));
    const labels = ['--labels', join(kinds, 'ifrs-labels.jsonl')];
    const scored = spawnSync('python3', [scorer, ...labels, '--pred', predictions, '--min-right', '1', '--show', '30']);
    expect(scored.status, scored.stdout.toString()).toBe(0);
  });

  it('have quarters that are what a later filing less an earlier one leaves; no key stands twice', {
    timeout: 300_000,
  }, async () => {
    const database = await FormDatabase.create();
    const filings = [...files].map((file) => ({ accession_number: file, filing_date: '2026-01-01' }));
    await database.insert('filings', filings);
    for (const name of files) {
      const filing = { ...pageOf(name, () => inline(name)), accessionNumber: name };
      const rows = [...mapFiling(filing, new Set(['fundamentals']))];
      await database.insert(
        'fundamentals',
        rows.map(({ row }) => row),
      );
    }
    const [compared] = await database.rows(
      `SELECT count(*), count(*) FILTER (NOT holds) FROM fundamental_checks WHERE identity LIKE 'quarters %'`,
    );
    expect(compared).toEqual(['13', '0']);
    const twice = await database.rows(
      'SELECT cik, item, fiscal_year, fiscal_period, period_end, known_from FROM fundamentals GROUP BY ALL HAVING count(*) > 1',
    );
    expect(twice).toEqual([]);
  });

  it('keep the years before a change of the year end: a real report with its last year cut to eleven months', () => {
    const name = 'gme-10k-2023.htm';
    const page = inline(name);
    const cut = page
      .replaceAll('2024-02-03', '2023-12-30')
      .replace(/(name="dei:DocumentType"[^>]*>10-K)</, '$1T<')
      .replace(/February 3(<\/ix:nonNumeric>, )2024/, 'December 30$12023');
    const values = (text: string) =>
      [
        ...mapFiling(
          pageOf(name, () => text),
          new Set(['fundamentals']),
        ),
      ].flatMap(({ row }) => (row.value === null ? [] : [row]));
    const expected = values(page).map((row) => {
      const { item, value, fiscal_year, fiscal_period, period_end } = row;
      return [item, value, fiscal_year, fiscal_period, period_end === '2024-02-03' ? '2023-12-30' : period_end];
    });
    expect(expected.length).toBeGreaterThan(100);
    const found = values(cut);
    expect(found.map((row) => [row.item, row.value, row.fiscal_year, row.fiscal_period, row.period_end])).toEqual(
      expected,
    );
  });

  it('are found again if nobody knows the concept of their line: by place, words and identities', {
    timeout: 300_000,
  }, () => {
    const labelled = new Set(jsonRows<{ item: string }>(place('fundamentals', 'labels.jsonl')).map((row) => row.item));
    const counts = { same: 0, none: 0, other: 0 };
    for (const file of files) {
      const text = inline(file);
      const facts: Row[] = [];
      const filing = pageOf(file, () => text);
      for (const { row } of formRows(filing, new Set(['xbrl_facts']))) if (row.is_text_block !== true) facts.push(row);
      const newest = (rows: Row[]) => {
        const read = new FilingFacts();
        for (const row of rows) read.add(row);
        const input = {
          accessionNumber: null,
          facts: read,
          texts: new Map([[file, text]]),
          rules: statementRules(),
          presentation: [],
          labels: [],
          calculation: [],
          schedules: [],
        };
        const found = new Map<unknown, Row>();
        for (const { table, row } of statementRows(input))
          if (table === 'fundamentals' && !found.has(row.item)) found.set(row.item, row);
        return found;
      };
      for (const [item, { concept, value, statement }] of newest(facts)) {
        if (!labelled.has(String(item)) || statement === 'cover' || !String(concept).startsWith('us-gaap:')) continue;
        const renamed = facts.map((row) => (row.concept === concept ? { ...row, concept: 'acme:Renamed' } : row));
        const again = newest(renamed).get(item)?.value ?? null;
        counts[again === value ? 'same' : again === null ? 'none' : 'other']++;
      }
    }
    expect(counts.same + counts.none + counts.other).toBeGreaterThan(800);
    expect(counts.same / (counts.same + counts.none + counts.other), JSON.stringify(counts)).toBeGreaterThan(0.86);
    expect(counts.other, JSON.stringify(counts)).toBeLessThanOrEqual(11);
  });
  it('of filings with linkbases are found again, if a fifth of their concepts has other names at random', () => {
    const chance = random(1_250_590_078);
    const counts = { same: 0, none: 0, other: 0 };
    for (const name of LINKED) {
      const folder = place('xbrl', 'filings', name);
      const links = readdirSync(folder).map((file) => ({
        path: join(folder, file),
        type: LINKBASES[/_(\w+)\.xml/.exec(file)?.[1] ?? ''] ?? 'EX-101.SCH',
      }));
      const instance = { path: place('xbrl', 'instances', `${name}.xml.xz`), type: 'EX-101.INS' };
      const read = [instance, ...links].map(({ path, type }) => ({
        name: basename(path, '.xz'),
        type,
        text: unpacked(path),
      }));
      const found = (isRenamed: (concept: string) => boolean) => {
        const rename = (concept: unknown) =>
          isRenamed(String(concept)) ? `acme:X${String(concept).split(':')[1]}` : concept;
        const filing = filingOf(read.map(({ text, ...document }) => ({ ...document, text: () => text })));
        const rows = [...formRows(filing, new Set(['xbrl_facts', 'xbrl_presentation', 'xbrl_calculation']))].map(
          ({ table, row }) => ({
            table,
            row: { ...row, concept: rename(row.concept), parent: rename(row.parent) } as Row,
          }),
        );
        const facts = new FilingFacts();
        const of = (name: string) => rows.flatMap(({ table, row }) => (table === name ? [row] : []));
        for (const row of of('xbrl_facts')) if (row.is_text_block !== true) facts.add(row);
        const made = statementRows({
          accessionNumber: null,
          facts,
          texts: new Map(),
          rules: statementRules(),
          schedules: [],
          presentation: of('xbrl_presentation'),
          labels: [],
          calculation: of('xbrl_calculation'),
        });
        return new Map(
          made.flatMap(({ table, row }) =>
            table === 'fundamentals' && row.value !== null
              ? [[`${row.item} ${row.fiscal_period} ${row.period_end}`, row] as const]
              : [],
          ),
        );
      };
      const whole = found(() => false);
      for (let round = 0; round < 20; round++) {
        const drawn = new Map<string, boolean>();
        const again = found((concept) => {
          if (!concept.startsWith('us-gaap:')) return false;
          if (!drawn.has(concept)) drawn.set(concept, chance() < 0.2);
          return drawn.get(concept)!;
        });
        for (const [key, { concept, value }] of whole) {
          if (drawn.get(String(concept)) !== true) continue;
          const other = again.get(key)?.value ?? null;
          counts[other === value ? 'same' : other === null ? 'none' : 'other']++;
        }
      }
    }
    expect(counts.same, JSON.stringify(counts)).toBeGreaterThan(400);
    expect(counts.other, JSON.stringify(counts)).toBe(0);
  });
});

const LINKED = ['aapl-20100925', 'aapl-20181229', 'nflx-20091231', 'nflx-20100930'];
const LINKBASES: Readonly<Record<string, string>> = {
  cal: 'EX-101.CAL',
  def: 'EX-101.DEF',
  lab: 'EX-101.LAB',
  pre: 'EX-101.PRE',
};
