/** Queries as people write them for SEC's data sets, unchanged, over real filings; skipped without the files. */
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { VIEWS } from '../../../../src/lake/views/views.ts';
import { FormDatabase } from '../../../support/forms/form-database.ts';
import { filingOf, formFiles, formsFolder } from '../../../support/forms/real-files.ts';
import { README_COLUMNS } from '../../../support/forms/sec-readme.ts';
import { sharedFolder } from '../../../support/shared.ts';

const xbrl = sharedFolder === null ? null : join(sharedFolder, 'xbrl');
const isGiven =
  formsFolder !== null && existsSync(join(xbrl!, 'filings')) && spawnSync('xz', ['--version']).status === 0;

describe("columns of SEC's readme files", () => {
  it('are all there, in the same spelling', async () => {
    const database = await FormDatabase.create();
    for (const [view, columns] of Object.entries(README_COLUMNS)) {
      const described = (await database.rows(`DESCRIBE SELECT * FROM ${view}`)) as unknown[][];
      const names = described.map(([name]) => name);
      expect({ view, missing: columns.split(' ').filter((name) => !names.includes(name)) }).toEqual({
        view,
        missing: [],
      });
    }
  });

  it('are listed for every view in a schema of SEC', () => {
    const views = VIEWS.filter(({ schema }) => schema !== undefined).map(({ schema, name }) => `${schema}.${name}`);
    expect(views.filter((view) => README_COLUMNS[view] === undefined)).toEqual([]);
  });
});

/** Schema, or null for the sets of financial statements; query; least number of rows. */
const QUERIES: [schema: string | null, sql: string, rows: number][] = [
  [
    null,
    `SELECT s.name, s.form, s.period, n.tag, n.ddate, n.value
     FROM sub s JOIN num n ON s.adsh = n.adsh
     WHERE n.tag = 'NetIncomeLoss' AND n.qtrs IN (1, 4) AND n.coreg IS NULL AND n.segments IS NULL ORDER BY s.name, n.ddate`,
    4,
  ],
  [
    null,
    `SELECT p.stmt, p.report, p.line, p.plabel, n.ddate, n.qtrs, n.value * CASE WHEN p.negating = 1 THEN -1 ELSE 1 END AS value
     FROM pre p JOIN num n ON p.adsh = n.adsh AND p.tag = n.tag AND p.version = n.version
     JOIN sub s ON s.adsh = p.adsh
     WHERE p.stmt = 'BS' AND n.ddate = s.period AND n.qtrs = 0 AND p.inpth = 0 ORDER BY p.report, p.line`,
    20,
  ],
  [
    null,
    `SELECT n.tag, t.tlabel, t.iord, t.datatype, count(*) AS uses FROM num n JOIN tag t ON n.tag = t.tag AND n.version = t.version
     WHERE t.custom = 0 AND t.abstract = 0 GROUP BY n.tag, t.tlabel, t.iord, t.datatype ORDER BY uses DESC`,
    100,
  ],
  [null, `SELECT custom, count(*) FROM tag GROUP BY custom`, 2],
  [
    null,
    `SELECT c.grp, c.ptag, p.value AS total, sum(n.value * CASE WHEN c.negative = 1 THEN -1 ELSE 1 END) AS parts
     FROM cal c JOIN num p ON p.adsh = c.adsh AND p.tag = c.ptag AND p.version = c.pversion
     JOIN num n ON n.adsh = c.adsh AND n.tag = c.ctag AND n.version = c.cversion AND n.ddate = p.ddate AND n.qtrs = p.qtrs
     WHERE p.segments IS NULL AND n.segments IS NULL GROUP BY c.adsh, c.grp, c.ptag, p.ddate, p.qtrs, p.value HAVING parts = total`,
    20,
  ],
  [
    null,
    `SELECT adsh, cik, name, sic, countryba, stprba, cityba, fy, fp, filed FROM sub WHERE prevrpt = 0 AND fy >= 2009`,
    3,
  ],
  [
    null,
    `SELECT sub.cik, sub.fy, num.value AS revenue FROM num INNER JOIN sub USING (adsh)
     WHERE num.tag IN ('Revenues', 'SalesRevenueNet', 'RevenueFromContractWithCustomerExcludingAssessedTax') AND num.uom = 'USD'`,
    3,
  ],
  [
    null,
    `SELECT n.adsh, d.segments, n.tag, n.value FROM num n JOIN dim d ON d.dimhash = n.dimh WHERE n.dimn = 1 AND n.iprx = 0 AND n.dcml <= 32767`,
    20,
  ],
  [
    null,
    `SELECT t.adsh, t.tag, t.txtlen, substr(t.value, 1, 100) FROM txt t JOIN ren r ON r.adsh = t.adsh WHERE t.escaped = 1 AND r.report = 1`,
    10,
  ],
  [
    null,
    `SELECT r.longname, r.menucat, p.line, p.plabel FROM ren r JOIN pre p ON p.adsh = r.adsh AND p.report = r.report WHERE r.menucat = 'S'`,
    50,
  ],
  [
    'sec345',
    `SELECT s.ISSUERTRADINGSYMBOL, o.RPTOWNERNAME, o.RPTOWNER_TITLE, t.TRANS_DATE, t.TRANS_CODE, t.TRANS_SHARES * t.TRANS_PRICEPERSHARE AS amount
     FROM SUBMISSION s INNER JOIN REPORTINGOWNER o ON s.ACCESSION_NUMBER = o.ACCESSION_NUMBER
     INNER JOIN NONDERIV_TRANS t ON t.ACCESSION_NUMBER = s.ACCESSION_NUMBER
     WHERE t.TRANS_ACQUIRED_DISP_CD = 'D' AND o.RPTOWNER_RELATIONSHIP LIKE '%Officer%'`,
    3,
  ],
  [
    'sec345',
    `SELECT t.SECURITY_TITLE, t.CONV_EXERCISE_PRICE, t.EXPIRATION_DATE, f.FOOTNOTE_TXT FROM DERIV_TRANS t
     LEFT JOIN FOOTNOTES f ON f.ACCESSION_NUMBER = t.ACCESSION_NUMBER AND list_contains(string_split(t.EXCERCISE_DATE_FN, ','), f.FOOTNOTE_ID)
     WHERE t.UNDLYNG_SEC_SHARES > 0`,
    3,
  ],
  [
    'sec345',
    `SELECT DOCUMENT_TYPE, count(DISTINCT ACCESSION_NUMBER) FROM SUBMISSION
     WHERE strptime(FILING_DATE, '%d-%b-%Y') >= DATE '2014-01-01' AND ISSUERCIK = '0000320193' GROUP BY DOCUMENT_TYPE`,
    1,
  ],
  [
    'sec345',
    `SELECT h.SECURITY_TITLE, h.SHRS_OWND_FOLWNG_TRANS, h.NATURE_OF_OWNERSHIP FROM NONDERIV_HOLDING h JOIN OWNER_SIGNATURE g USING (ACCESSION_NUMBER)
     WHERE h.DIRECT_INDIRECT_OWNERSHIP = 'I'`,
    1,
  ],
  [
    'sec13f',
    `SELECT c.FILINGMANAGER_NAME, c.REPORTCALENDARORQUARTER, i.NAMEOFISSUER, i.CUSIP, SUM(i.VALUE) AS VALUE, SUM(i.SSHPRNAMT) AS SHARES
     FROM INFOTABLE i JOIN COVERPAGE c ON i.ACCESSION_NUMBER = c.ACCESSION_NUMBER
     WHERE i.CUSIP = '037833100' AND i.SSHPRNAMTTYPE = 'SH' AND i.PUTCALL IS NULL GROUP BY 1, 2, 3, 4 ORDER BY VALUE DESC`,
    3,
  ],
  [
    'sec13f',
    `SELECT s.CIK, s.PERIODOFREPORT, p.TABLEENTRYTOTAL, p.TABLEVALUETOTAL, g.NAME FROM SUBMISSION s
     JOIN SUMMARYPAGE p USING (ACCESSION_NUMBER) JOIN SIGNATURE g USING (ACCESSION_NUMBER)
     WHERE s.SUBMISSIONTYPE IN ('13F-HR', '13F-HR/A') AND p.TABLEENTRYTOTAL > 0`,
    10,
  ],
  [
    'sec13f',
    `SELECT i.NAMEOFISSUER, m.NAME, i.VOTING_AUTH_SOLE FROM INFOTABLE i
     JOIN OTHERMANAGER2 m ON m.ACCESSION_NUMBER = i.ACCESSION_NUMBER AND m.SEQUENCENUMBER = TRY_CAST(split_part(i.OTHERMANAGER, ',', 1) AS INTEGER)`,
    5,
  ],
  [
    'secd',
    `SELECT i.ENTITYNAME, i.STATEORCOUNTRY, o.INDUSTRYGROUPTYPE, o.TOTALOFFERINGAMOUNT, o.TOTALAMOUNTSOLD, s.SIC_CODE, s.FILE_NUM
     FROM FORMDSUBMISSION s JOIN OFFERING o ON s.ACCESSIONNUMBER = o.ACCESSIONNUMBER
     JOIN ISSUERS i ON i.ACCESSIONNUMBER = s.ACCESSIONNUMBER
     WHERE i.IS_PRIMARYISSUER_FLAG = 'YES' AND o.FEDERALEXEMPTIONS_ITEMS_LIST LIKE '%06%'`,
    1,
  ],
  [
    'secd',
    `SELECT p.LASTNAME, p.RELATIONSHIP_1, g.SIGNATURETITLE FROM RELATEDPERSONS p JOIN SIGNATURES g USING (ACCESSIONNUMBER)
     JOIN OFFERING o USING (ACCESSIONNUMBER) WHERE o.TOTALAMOUNTSOLD > 0`,
    1,
  ],
  [
    'secnport',
    `SELECT r.REGISTRANT_NAME, f.SERIES_NAME, h.ISSUER_NAME, h.CURRENCY_VALUE, h.PERCENTAGE, i.IDENTIFIER_ISIN
     FROM FUND_REPORTED_HOLDING h JOIN FUND_REPORTED_INFO f ON f.ACCESSION_NUMBER = h.ACCESSION_NUMBER
     JOIN REGISTRANT r ON r.ACCESSION_NUMBER = h.ACCESSION_NUMBER
     LEFT JOIN IDENTIFIERS i ON i.HOLDING_ID = h.HOLDING_ID WHERE h.ASSET_CAT = 'EC' ORDER BY h.PERCENTAGE DESC`,
    100,
  ],
  [
    'secnport',
    `SELECT h.ISSUER_NAME, d.MATURITY_DATE, d.COUPON_TYPE, d.ANNUALIZED_RATE FROM DEBT_SECURITY d JOIN FUND_REPORTED_HOLDING h USING (HOLDING_ID)
     WHERE d.IS_DEFAULT = 'N' AND h.FAIR_VALUE_LEVEL = 2`,
    20,
  ],
  [
    'secnport',
    `SELECT s.REPORT_DATE, f.SERIES_NAME, f.CREDIT_SPREAD_5YR_INVEST, r.CURRENCY_CODE, r.INTRST_RATE_CHANGE_5YR_DV01, r.INTRST_RATE_CHANGE_5YR_DV100
     FROM SUBMISSION s JOIN FUND_REPORTED_INFO f USING (ACCESSION_NUMBER) JOIN INTEREST_RATE_RISK r USING (ACCESSION_NUMBER)
     WHERE r.INTRST_RATE_CHANGE_5YR_DV01 IS NOT NULL AND r.INTRST_RATE_CHANGE_5YR_DV100 IS NOT NULL`,
    1,
  ],
  [
    'secnport',
    `SELECT CLASS_ID, MONTHLY_TOTAL_RETURN1 FROM MONTHLY_TOTAL_RETURN JOIN SUBMISSION USING (ACCESSION_NUMBER)`,
    3,
  ],
  [
    'secnport',
    `SELECT h.ISSUER_NAME, l.LOAN_VALUE FROM SECURITIES_LENDING l JOIN FUND_REPORTED_HOLDING h ON l.HOLDING_ID = h.HOLDING_ID WHERE l.IS_LOAN_BY_FUND = 'N'`,
    20,
  ],
  [
    'secnport',
    `SELECT c.DERIVATIVE_COUNTERPARTY_NAME, h.ISSUER_NAME, h.DERIVATIVE_CAT, w.CURRENCY_SOLD_AMOUNT FROM DERIVATIVE_COUNTERPARTY c
     JOIN FUND_REPORTED_HOLDING h ON c.HOLDING_ID = h.HOLDING_ID LEFT JOIN FWD_FOREIGNCUR_CONTRACT_SWAP w ON w.HOLDING_ID = h.HOLDING_ID`,
    1,
  ],
];

describe.skipIf(!isGiven)("queries written for SEC's data sets", () => {
  let database: FormDatabase;

  beforeAll(async () => {
    database = await FormDatabase.create();
    const texts = new Map<string, string>();
    const read = (file: string) => {
      const text = texts.get(file) ?? execFileSync('xz', ['-dc', join(xbrl!, file)], { maxBuffer: 1 << 28 }).toString();
      texts.set(file, text);
      return text;
    };
    let number = 0;
    for (const [report, date] of [
      ['aapl-20100925', '2010-10-27'],
      ['nflx-20091231', '2010-02-22'],
      ['aapl-20250329', '2025-05-02'],
    ] as const) {
      const files = [
        ...['instances', 'inline'].flatMap((folder) =>
          readdirSync(join(xbrl!, folder))
            .filter((name) => name.startsWith(report))
            .map((name) => `${folder}/${name}`),
        ),
        ...readdirSync(join(xbrl!, 'filings', report))
          .filter((name) => /(\.xsd|_cal\.xml|_lab\.xml|_pre\.xml)\.xz$/.test(name))
          .map((name) => `filings/${report}/${name}`),
      ];
      const accessionNumber = `0000000001-10-00000${number++}`;
      const formType = report.startsWith('nflx') ? '10-K' : '10-Q';
      const documents = files.map((file) => ({
        name: file.slice(file.lastIndexOf('/') + 1).replace('.xz', ''),
        type: null,
        text: () => read(file),
      }));
      await database.map({ accessionNumber, filingDate: date, formType, documents });
      await database.insert('filings', [{ accession_number: accessionNumber, filing_date: date, form_type: formType }]);
      await database.insert('filing_headers', [{ accession_number: accessionNumber, header_fiscal_year: 2010 }]);
    }
    for (const [place, file] of formFiles().entries()) {
      const filing = filingOf(file);
      // Loose files get a number: the views leave out rows without one.
      const accessionNumber = filing.accessionNumber ?? `0000000002-20-${String(place).padStart(6, '0')}`;
      await database.map({ ...filing, accessionNumber });
      await database.insert('filings', [
        { accession_number: accessionNumber, filing_date: filing.filingDate, form_type: filing.formType },
      ]);
    }
  }, 120_000);

  it.each(QUERIES)('%s: %s', async (schema, sql, atLeast) => {
    await database.connection.run(`USE ${database.name}.main`);
    await database.makeViews();
    if (schema) await database.connection.run(`USE ${schema}`);
    expect((await database.rows(sql)).length).toBeGreaterThanOrEqual(atLeast);
  });
});
