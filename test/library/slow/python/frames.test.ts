/** Frames of the Python package: columns and conditions, sections, panels as the command writes them, batches, types, a notebook. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Lake, openLake } from '../../../../src/lake/index.ts';
import { commandLine } from '../../../support/command-line.ts';
import { id, recipeLake } from '../../../support/docs/recipe-lake.ts';
import { matplotlib, typeChecker } from '../../../support/lake/python-readers.ts';
import { accession, bring } from '../../../support/lake/small-lake.ts';
import { temporaryFolder } from '../../../support/lake/temporary-folder.ts';
import { installPythonPackage } from '../../../support/python/installed-package.ts';
import { kernel, runNotebook } from '../../../support/python/notebooks.ts';

const installed = installPythonPackage();
const missing = 'missing' in installed ? installed.missing : null;
const { run, site, modules } = installed as Exclude<typeof installed, { missing: string }>;
const checker = typeChecker();
const plotter = matplotlib();

describe.skipIf(missing !== null)(`frames of a lake${missing ? ` (${missing})` : ''}`, () => {
  let folder: string;
  let lake: Lake;
  beforeAll(async () => {
    folder = path.join(temporaryFolder(), 'lake');
    lake = await recipeLake(folder);
  });
  afterAll(() => lake?.close());

  it('have the columns and rows that are asked for', async () => {
    const answer = await run(
      `
lake = filinglake.open(given)
wanted = dict(columns=["accession_number", "cik"], where="form_type = '8-K' AND filing_date < DATE '2024-02-01'")
frames = [lake.pandas("filings", **wanted), lake.polars("filings", **wanted), lake.arrow("filings", **wanted).to_pandas()]
print(json.dumps({
    "columns": [list(frame.columns) for frame in frames],
    "ciks": [sorted(frame["cik"]) for frame in frames],
    "unknown": code_of(lambda: lake.pandas("filings", columns=["ciks"])),
    "table": code_of(lambda: lake.pandas("filngs")),
}))
`,
      folder,
    );
    expect(answer).toMatchObject({
      columns: Array(3).fill(['accession_number', 'cik']),
      ciks: Array(3).fill(['1', '1', '2']),
      unknown: { class: 'UsageError', code: 'column-unknown', remedy: 'Did you mean cik?' },
      table: { code: 'table-unknown' },
    });
  });

  it('have the texts of sections, without those that only point elsewhere', async () => {
    const answer = await run(
      `
lake = filinglake.open(given)
frame = lake.sections("1A")
print(json.dumps({
    "rows": [list(map(str, row)) for row in frame[["accession_number", "section", "cik"]].values],
    "characters": [len(text) for text in frame["text"]],
    "seven": [len(lake.sections(["7"])), len(lake.sections("7", pointers=True, frame="polars"))],
    "all": lake.sections(frame="arrow").num_rows,
    "spelled": [len(lake.sections(word)) for word in ("Item 1A.", "1a", "item  1a")],
    "absent": len(lake.sections("9C")),
    "refused": [code_of(lambda: lake.sections(word)) for word in ("99Z", "risk factors")],
}))
`,
      folder,
    );
    const [count] = await lake.query(
      `SELECT count(*) FILTER (has) AS texts, count(*) FILTER (section = '7') AS seven, count(*) FILTER (section = '7' AND has) AS own,
         count(*) FILTER (section = '7' AND kind = 'pointer_exhibit' AND source = 'exhibit') AS followed
       FROM (SELECT *, coalesce(kind, 'text') IN ('text', 'mixed') OR coalesce(source, 'item') <> 'item' AS has FROM section_contents)`,
    );
    expect(Number(count!.followed)).toBeGreaterThan(0);
    expect(answer).toMatchObject({
      rows: [
        [id(6), '1A', '2'],
        [id(24), '1A', '24'],
        [id(26), '1A', '24'],
        [id(5), '1A', '1'],
      ],
      seven: [Number(count!.own), Number(count!.seven)],
      all: Number(count!.texts),
      spelled: [4, 4, 4],
      absent: 0,
      refused: Array(2).fill({ code: 'argument-invalid', remedy: expect.stringMatching(/^The lake has .*1A/) }),
    });
    expect(Number(count!.own)).toBeLessThan(Number(count!.seven));
  });

  it.each(['year', 'quarter', 'ttm'])(
    'have the panel by %s that the command writes, now and as of a day',
    async (by) => {
      const items = 'revenue,net_income,total_assets';
      for (const asOf of [null, '2023-03-01']) {
        const more = asOf === null ? ['--comparatives'] : ['--as-of', asOf];
        const args = ['panel', '--items', items, '--by', by, '--lake', folder, '--json', ...more];
        const wanted = JSON.parse((await commandLine(args)).stdout) as Record<string, unknown>[];
        const frame = await run(
          `
lake = filinglake.open(given["lake"])
options = {"by": given["by"], "as_of": given["as_of"], "comparatives": given["as_of"] is None}
frame = lake.panel(given["items"].split(","), **options)
print(frame.astype({"period_end": str, "known_from": str, "filing_date": str}).to_json(orient="records", double_precision=15))
`,
          { lake: folder, items, by, as_of: asOf },
        );
        const days = (rows: Record<string, unknown>[]) =>
          rows.map((row) => ({
            ...row,
            period_end: String(row.period_end).slice(0, 10),
            filing_date: String(row.filing_date).slice(0, 10),
            known_from: String(row.known_from).replace('T', ' ').replace(' 00:00:00', ''),
          }));
        expect(days(frame as Record<string, unknown>[])).toEqual(days(wanted));
        if (asOf === null && by === 'year') expect(wanted.length).toBeGreaterThan(3);
      }
    },
  );

  it('are of one filing, or of one company, and errors are one line with a remedy', async () => {
    const answer = await run(
      `
lake = filinglake.open(given)
number = lake.sections("1A")["accession_number"][0]
one = lake.filing(number.replace("-", ""))
company = lake.company(one.cik)
print(json.dumps({
    "filing": [one.accession_number == number, one.form_type, one.company == company.name, one.sections],
    "text": one.section("Item 1A") == lake.sections("1A")["text"][0],
    "shown": [number in one._repr_html_(), company.cik in company._repr_html_()],
    "filings": set(company.filings()["cik"]) == {one.cik},
    "names": company.name in set(company.names()["name"]),
    "spans": [len(of.columns) > 5 for of in (company.tickers_on("2024-01-01"), company.cusips("2000-01-01", "2024-01-01"), company.same_company(), lake.who_was("AAPL", "2024-01-01"))],
    "errors": [code_of(ask)["code"] for ask in (
        lambda: one.section("16"), lambda: one.text(), lambda: lake.filing("1"), lambda: lake.company(99999),
        lambda: lake.sql("SELECT nothing FROM filings"), lambda: lake.sql("SELEC 1"), lambda: lake.sql("SELECT * FROM nothing"),
    )],
}))
`,
      folder,
    );
    expect(answer).toMatchObject({
      filing: [true, expect.stringMatching(/^10-K/), true, expect.arrayContaining(['1A'])],
      text: true,
      shown: [true, true],
      filings: true,
      names: true,
      spans: Array(4).fill(true),
      errors: [...Array(2).fill('text-missing'), 'filing-unknown', 'company-unknown', ...Array(3).fill('sql-invalid')],
    });
  });

  it('warn of reports without statements, as the command does', async () => {
    const formed = (n: number, status: string, reason: string | null) => ({
      accession_number: id(n),
      step: 'forms',
      selector: 'fundamentals',
      revision: 'r',
      status,
      reason,
      fetched_at: '2024-03-01T00:00:00Z',
    });
    const plan = {
      export: 'all',
      accession_number: id(26),
      pass: 'forms',
      steps: 'forms',
      revision: 'r',
      run_id: 'run',
      window: 'w',
    };
    await bring(
      lake,
      { batch: 'what-has-none' },
      {
        coverage: [formed(5, 'done', null), formed(6, 'absent', 'no_such_document'), formed(24, 'absent', 'has_none')],
        export_plans: [plan],
        export_runs: [{ run_id: 'run', export: 'all', definition: '{"tables":["fundamentals"]}', state: 'completed' }],
      },
    );
    const { stderr } = await commandLine(['panel', '--items', 'revenue', '--lake', folder, '--json']);
    const answer = await run(
      `
import warnings
lake = filinglake.open(given)
with warnings.catch_warnings(record=True) as warned:
    lake.panel("revenue")
print(json.dumps([str(one.message) for one in warned]))
`,
      folder,
    );
    const counts = (text: string) =>
      text.match(/^[\d,]+ \D+: [\d,]+ with statements, [\d,]+ without|^\d+ periods? of \d+ compan\w+ left out/gm);
    expect(counts(stderr)).toHaveLength(2);
    expect(counts((answer as string[]).join('\n'))).toEqual(counts(stderr));
  });

  it('have the links and the counts that the command writes, of CSV and Parquet', async () => {
    const [crsp, ccm] = ['crsp.csv', 'ccm.csv'].map((name) => path.join(temporaryFolder(), name)) as [string, string];
    writeFileSync(crsp, 'PERMNO,NAMEDT,NAMEENDDT,NCUSIP,TICKER\n10001,2000-01-01,2024-12-31,03783310,ONE\n');
    writeFileSync(ccm, 'gvkey,cik,lpermno,linkdt,linkenddt\n001690,0000000020,10001,2000-01-01,E\n2,24,,,\n');
    const args = ['panel', '--items', 'revenue', '--lake', folder, '--json', '--link', crsp, ccm];
    const { stdout, stderr } = await commandLine(args);
    const ids = ['permno', 'gvkey', 'permno_by', 'permno_note', 'gvkey_by', 'gvkey_note'];
    const wanted = (JSON.parse(stdout) as Record<string, unknown>[]).map((row) => ids.map((id) => row[id]));
    const answer = await run(
      `
import pathlib, warnings
lake = filinglake.open(given["lake"])
files = [given["crsp"], pathlib.Path(given["ccm"])]
lake.sql(f"FROM read_csv('{given['crsp']}', all_varchar = true)").write_parquet(given["crsp"] + ".parquet")
with warnings.catch_warnings(record=True) as warned:
    tables = [lake.panel("revenue", link=link, frame="arrow") for link in (files, [given["crsp"] + ".parquet", files[1]])]
print(json.dumps({
    "rows": [[[row[id] for id in given["ids"]] for row in table.to_pylist()] for table in tables],
    "said": [str(one.message) for one in warned if "matched" in str(one.message)],
    "columns": lake.panel("revenue", link=given["crsp"]).columns[2],
    "refused": [code_of(lambda: lake.panel("revenue", link=file)) for file in ("nowhere.csv", given["lake"])],
}))
`,
      { lake: folder, crsp, ccm, ids },
    );
    const sentences = stderr.split('\n').filter((line) => line.includes('matched'));
    expect(sentences).toHaveLength(2);
    expect(wanted.filter(([permno]) => permno === 10001).length).toBeGreaterThan(0);
    const refused = { code: 'file-unreadable', class: 'UsageError', exit_code: 2 };
    expect(answer).toMatchObject({ rows: [wanted, wanted], columns: 'permno', refused: [refused, refused] });
    expect((answer as { said: string[] }).said.slice(0, 2)).toEqual(sentences);
  });

  it('have a long panel of some companies, and refuse what is unknown', async () => {
    const answer = await run(
      `
import datetime
lake = filinglake.open(given)
long = lake.panel("revenue", companies=[24, "0000000020"], long=True)
utc = datetime.datetime(2023, 3, 1, 5, tzinfo=datetime.timezone.utc)
print(json.dumps({
    "ciks": sorted(set(long["cik"])), "columns": list(long.columns),
    "times": [len(lake.panel("revenue", as_of=moment)) for moment in (utc, datetime.date(2023, 3, 1), "2023-03-01")],
    "item": code_of(lambda: lake.panel("revenu")),
    "company": code_of(lambda: lake.panel("revenue", companies=["NONE"])),
    "by": code_of(lambda: lake.panel("revenue", by="month")),
    "html": lake._repr_html_(),
}))
`,
      folder,
    );
    expect(answer).toMatchObject({
      ciks: ['20', '24'],
      item: { code: 'item-unknown', remedy: 'Did you mean revenue?' },
      company: { code: 'company-unknown', remedy: expect.stringContaining('company_tickers_exchange.json') },
      by: { code: 'argument-invalid' },
      html: expect.stringMatching(/version \d+.*<td style='text-align:left'>filings<\/td><td>\d+<\/td>/s),
    });
    const { times } = answer as { times: number[] };
    expect(new Set(times).size).toBe(1);
  });

  it('are what the README says, after one line', async () => {
    const readme = readFileSync(path.join(import.meta.dirname, '../../../../python/README.md'), 'utf8');
    const blocks = [...readme.matchAll(/```python\n([\s\S]*?)```/g)].map(([, code]) => code!);
    const fetching = blocks.filter((code) => code.includes('.fetch('));
    expect(fetching).toHaveLength(2);
    const answer = await run(
      `
import contextlib, io
asked = []
def fetch(**given_to_it):
    asked.append(given_to_it)
    return filinglake.open(given["lake"])
filinglake.fetch = fetch
names = {"filinglake": filinglake}
with contextlib.redirect_stdout(io.StringIO()):
    for code in given["blocks"]:
        # The lake of this test has years only.
        exec(code.replace('"quarter"', '"year"'), names)
print(json.dumps([asked[0]["tables"], len(names["risk"]), len(names["panel"]), list(names["panel"].columns)[-2:]]))
`,
      { lake: folder, blocks: fetching },
    );
    expect(answer).toEqual([['sections', 'fundamentals'], 4, 3, ['revenue', 'net_income']]);
  });

  it('come in batches that take little memory, however large the table is', async () => {
    const large = path.join(temporaryFolder(), 'lake');
    const writer = await openLake(large, { create: true });
    const text = 'We may lose customers. '.repeat(8_000);
    for (let batch = 0; batch < 10; batch++) {
      const rows = Array.from({ length: 200 }, (_, i) => ({
        accession_number: accession(batch * 200 + i),
        section: '1A',
        title: null,
        text: `${batch} ${i} ${text}`,
      }));
      await bring(writer, { batch: `b${batch}` }, { section_contents: rows });
    }
    await writer.close();
    const answer = (await run(
      `
import resource
lake = filinglake.open(given)
lake._db().execute("SET memory_limit = '300MB'; SET threads = 1")
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
rows = bytes_ = 0
for batch in lake.batches("section_contents", columns=["accession_number", "text"], rows=50):
    rows += batch.num_rows
    bytes_ += batch.nbytes
    assert batch.num_rows <= 2048
print(json.dumps([rows, bytes_, (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) * 1024]))
`,
      large,
    )) as [number, number, number];
    const [rows, bytes, more] = answer;
    expect(rows).toBe(2_000);
    expect(bytes).toBeGreaterThan(350_000_000);
    expect(more).toBeLessThan(bytes / 2);
  });

  it.skipIf('missing' in checker)('pass mypy --strict, with the examples of the README', () => {
    if ('missing' in checker) return;
    const work = temporaryFolder();
    const readme = readFileSync(path.join(import.meta.dirname, '../../../../python/README.md'), 'utf8');
    const blocks = [...readme.matchAll(/```python\n([\s\S]*?)```/g)].map(([, code]) => code!);
    writeFileSync(path.join(work, 'examples.py'), blocks.join('\n'));
    const check = (what: string[]) => {
      try {
        return execFileSync(checker.command, ['-m', 'mypy', '--strict', '--ignore-missing-imports', ...what], {
          encoding: 'utf8',
          cwd: work,
          env: { ...process.env, PYTHONPATH: [site, checker.modules, modules].join(path.delimiter), MYPYPATH: site },
        });
      } catch (error) {
        return String((error as { stdout: string }).stdout);
      }
    };
    expect(check(['-p', 'filinglake'])).toMatch(/^Success: no issues/m);
    expect(check(['--allow-redefinition', 'examples.py'])).toMatch(/^Success: no issues/m);
  });

  it.skipIf('missing' in kernel)('are shown in a notebook: a lake as a table, a run as a bar that moves', () => {
    const events = [
      { event: 'start', id: 'export/shown' },
      ...[0, 4, 8].map((requests) => ({
        event: 'progress',
        id: 'export/shown',
        progress: { state: 'running', filings_found: 3, requests, requests_pending: 8 - requests, failures: 0 },
      })),
      {
        event: 'done',
        id: 'export/shown',
        state: 'completed',
        requests: 8,
        failures: 0,
        tables: { filings: { rows_new: 3 } },
      },
    ];
    const program = path.join(temporaryFolder(), 'program.py');
    writeFileSync(program, `print(${JSON.stringify(events.map((event) => JSON.stringify(event)).join('\n'))})\n`);
    const cells = [
      `import filinglake, sys; lake = filinglake.open(${JSON.stringify(folder)}); lake`,
      `run = filinglake.export({'name': 'shown'}, command=[sys.executable, ${JSON.stringify(program)}]); result = run.wait()`,
      'run',
    ];
    const [shown, bar, after] = runNotebook({ cells }, [site, modules]).map((outputs) =>
      outputs.map((data) => data['text/html'] ?? ''),
    );
    expect(shown!.join()).toMatch(/<td style='text-align:left'>filings<\/td>/);
    expect(bar).toEqual(['<div>completed · 3 new rows · 8 requests · 0 failures</div>']);
    expect(after!.join()).toMatch(/<progress max='1' value='1.000'.*export\/shown: completed/);
  });

  it.skipIf('missing' in kernel || 'missing' in plotter)('are in the notebook of docs/, which draws a figure', () => {
    const file = path.resolve('docs/from-filings-to-a-figure.ipynb');
    const docs = path.join(folder, '../docs');
    mkdirSync(docs);
    const packages = [site, modules, (plotter as { modules: string }).modules];
    const [tables, panel, figure, values, risk] = runNotebook({ file }, packages, docs);
    expect(tables![0]!['text/html']).toContain('fundamentals');
    expect(panel![0]!['text/html']).toMatch(/<th>revenue<\/th>\s*<th>net_income<\/th>/);
    expect(figure!.at(-1)!['image/png']!.length).toBeGreaterThan(5_000);
    expect(statSync(path.join(docs, 'margins.pdf')).size).toBeGreaterThan(3_000);
    expect(values![0]!['text/html']).toMatch(/<th>accession_number<\/th>[\s\S]*<td>0000000001-2/);
    expect(risk![0]!['text/html']).toContain('<th>words</th>');
  });
});
