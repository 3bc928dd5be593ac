/** Views in SEC's names over real filings, against SEC's own data sets and values read from the filings; skipped without the files. */
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { FormDatabase } from '../../../support/forms/form-database.ts';
import { filingOf, formsFolder } from '../../../support/forms/real-files.ts';
import { sharedFolder } from '../../../support/shared.ts';

const folder = sharedFolder === null ? null : join(sharedFolder, 'xbrl');
const isGiven = folder !== null && existsSync(join(folder, 'fsds')) && spawnSync('xz', ['--version']).status === 0;

describe.skipIf(!isGiven)("a report of 2010 in SEC's names", () => {
  const adsh = '0001193125-10-036181';
  let database: FormDatabase;

  beforeAll(async () => {
    database = await FormDatabase.create();
    const files = [
      'instances/nflx-20091231.xml',
      ...['.xsd', '_lab.xml', '_pre.xml'].map((end) => `filings/nflx-20091231/nflx-20100222${end}`),
    ];
    const documents = files.map((file) => ({
      name: file.slice(file.lastIndexOf('/') + 1),
      type: null,
      text: () => execFileSync('xz', ['-dc', join(folder!, `${file}.xz`)], { maxBuffer: 1 << 28 }).toString('utf8'),
    }));
    await database.map({ accessionNumber: adsh, filingDate: '2010-02-22', formType: '10-K', documents });
    await database.insert('filings', [
      {
        accession_number: adsh,
        cik: '1065280',
        form_type: '10-K',
        filing_date: '2010-02-22',
        acceptance_datetime: '2010-02-22 14:10:00',
      },
    ]);
  });
  const tsv = (name: string) => {
    const [head, ...lines] = readFileSync(join(folder!, 'fsds', name), 'utf8')
      .trimEnd()
      .split('\n');
    const names = head!.split('\t');
    return lines.map((line) => Object.fromEntries(line.split('\t').map((value, i) => [names[i]!, value])));
  };

  it("has every number of SEC's num, and two more, of the cover page", async () => {
    const key = ({ tag, version, ddate, qtrs, value }: Record<string, unknown>) =>
      [tag, String(version).startsWith('us-gaap') ? version : 'own', ddate, qtrs, Number(value)].join(' ');
    const theirs = tsv('2010q1-num.tsv').map(key).sort();
    const rows = (await database.rows(`SELECT tag, version, ddate, qtrs, value FROM num`)) as unknown[][];
    const ours = rows.map(([tag, version, ddate, qtrs, value]) => key({ tag, version, ddate, qtrs, value }));
    const left = new Set(ours);
    expect(theirs.filter((each) => !left.has(each))).toEqual([]);
    const known = new Set(theirs);
    expect(ours.filter((each) => !known.has(each)).map((each) => each.split(' ')[0])).toEqual(
      expect.arrayContaining(['EntityPublicFloat', 'EntityCommonStockSharesOutstanding']),
    );
  });

  it("has the lines of SEC's pre: labels, statements, turned signs", async () => {
    const rows = (await database.rows('SELECT tag, plabel, stmt, negating, version FROM pre')) as unknown[][];
    const ours = new Set(rows.map(([tag, plabel, stmt, negating]) => [tag, plabel, stmt, negating].join('|')));
    const theirs = tsv('2010q1-pre.tsv').map(({ tag, plabel, stmt, negating }) =>
      [tag, plabel, stmt, negating].join('|'),
    );
    expect(theirs.filter((each) => !ours.has(each))).toEqual([]);
    expect(theirs.length).toBe(122);
  });

  it("has SEC's cover", async () => {
    const [theirs] = tsv('2010q1-sub.tsv');
    // The report itself states no fiscal year: it follows from the dates of the header.
    await database.insert('filing_headers', [
      { accession_number: adsh, header_fiscal_year: 2009, header_fiscal_period: 'FY' },
    ]);
    const columns = [
      'adsh',
      'cik',
      'form',
      'period',
      'fy',
      'fp',
      'filed',
      'accepted',
      'afs',
      'wksi',
      'fye',
      'instance',
    ];
    const [ours] = (await database.rows(`SELECT ${columns.join(', ')} FROM sub`)) as unknown[][];
    expect(ours!.map(String)).toEqual(columns.map((name) => theirs![name]));
  });
});

describe.skipIf(formsFolder === null)('real forms in the names of their data sets', () => {
  const first = async (file: string, sql: string) => {
    const database = await FormDatabase.create();
    const filing = filingOf(file);
    await database.map(filing);
    await database.insert('filings', [{ accession_number: filing.accessionNumber, filing_date: filing.filingDate }]);
    return database.rows(sql);
  };

  it('insider transactions have footnote ids beside their values', async () => {
    expect(
      await first(
        'edgar/full-submissions/0001045810-23-000128.txt',
        `SELECT s.FILING_DATE, s.ISSUERCIK, t.TRANS_CODE, t.TRANS_SHARES, t.TRANS_SHARES_FN, t.SHRS_OWND_FOLWNG_TRANS_FN
         FROM sec345.NONDERIV_TRANS t JOIN sec345.SUBMISSION s USING (ACCESSION_NUMBER)`,
      ),
    ).toMatchInlineSnapshot(`
      [
        [
          "23-JUN-2023",
          "0001045810",
          "F",
          "7449.000000000000",
          "F1",
          "F2",
        ],
      ]
    `);
  });

  it('13F holdings add up to the stated total', async () => {
    expect(
      await first(
        'edgar/full-submissions/0000950123-24-005653.txt',
        `SELECT s.TABLEENTRYTOTAL, s.TABLEVALUETOTAL::DOUBLE AS stated, sum(i.VALUE)::DOUBLE AS total, c.ISAMENDMENT, c.AMENDMENTTYPE
         FROM sec13f.INFOTABLE i JOIN sec13f.SUMMARYPAGE s USING (ACCESSION_NUMBER) JOIN sec13f.COVERPAGE c USING (ACCESSION_NUMBER) GROUP BY ALL`,
      ),
    ).toMatchInlineSnapshot(`
      [
        [
          "1",
          1695320075,
          1695320075,
          "Y",
          "NEW HOLDINGS",
        ],
      ]
    `);
  });
});
