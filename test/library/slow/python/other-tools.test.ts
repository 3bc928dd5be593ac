/** The code of docs/guide/other-tools.md and alerts.md: dbt over a lake that grows, what R sends, a task of Airflow, a check of signatures. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { openLake } from '../../../../src/lake/index.ts';
import type { Row } from '../../../../src/lake/tables/index.ts';
import { signatureOf } from '../../../../src/service/accounts/index.ts';
import { codeBlocks, readMarkdown } from '../../../project/unit/docs/markdown-files.ts';
import { recipeLake } from '../../../support/docs/recipe-lake.ts';
import { dbt, pythonReaders } from '../../../support/lake/python-readers.ts';
import { accession, bring, wholeFiling } from '../../../support/lake/small-lake.ts';
import { temporaryFolder } from '../../../support/lake/temporary-folder.ts';
import { installPythonPackage } from '../../../support/python/installed-package.ts';

const page = readMarkdown('docs/guide/other-tools.md');
const tool = dbt();
const readers = pythonReaders();
const installed = installPythonPackage();
const missing = 'missing' in installed ? installed.missing : null;
const { run } = installed as Exclude<typeof installed, { missing: string }>;

describe.skipIf('missing' in tool || 'missing' in readers)('the dbt project of the guide', () => {
  it('builds its models, and a second build takes in what is new and what was corrected', async () => {
    if ('missing' in tool || 'missing' in readers) return;
    const folder = temporaryFolder();
    const section = page.slice(page.indexOf('## dbt'), page.indexOf('## Airflow'));
    const files = [...section.matchAll(/`([\w/]+\.(?:yml|sql))`(?:(?!```)[\s\S])*?```\w+\n([\s\S]*?)```/g)];
    expect(files.map(([, name]) => name)).toHaveLength(6);
    for (const [, name, content] of files) {
      mkdirSync(path.dirname(path.join(folder, name!)), { recursive: true });
      writeFileSync(path.join(folder, name!), content!);
    }
    const filings = (numbers: number[], more: Row = {}): Row[] =>
      numbers.map((n) => ({
        accession_number: accession(n),
        cik: String(n % 2),
        form_type: '10-K',
        filing_date: '2024-03-01',
        entity_name: 'Sample',
        report_date: '2023-12-31',
        ...more,
      }));
    const sections = (numbers: number[]): Row[] =>
      numbers.map((n) => ({ accession_number: accession(n), section: '1A', title: null }));
    const lake = await openLake(path.join(folder, 'lake'), { create: true });
    await bring(
      lake,
      { batch: 'one' },
      { filings: [...filings([1, 2]), ...filings([9], { form_type: '8-K' })], sections: sections([1, 2]) },
    );
    const build = () =>
      execFileSync(tool.command, ['-c', 'from dbt.cli.main import cli; cli()', 'build', '--profiles-dir', '.'], {
        encoding: 'utf8',
        cwd: folder,
        env: { ...process.env, PYTHONPATH: tool.modules, DBT_SEND_ANONYMOUS_USAGE_STATS: 'false' },
      });
    expect(build()).toMatch(/PASS=8 WARN=0 ERROR=0/);
    await bring(
      lake,
      { batch: 'two' },
      { filings: [...filings([3]), ...filings([2], { entity_name: 'Corrected' })], sections: sections([3]) },
      wholeFiling(2),
    );
    await lake.close();
    expect(build()).toMatch(/PASS=8 WARN=0 ERROR=0/);
    const asked =
      "import duckdb, json; con = duckdb.connect('research.duckdb'); print(json.dumps([con.sql('SELECT count(*), count(DISTINCT accession_number), min(entity_name) FROM annual_reports').fetchall(), con.sql('SELECT cik, reports FROM sections_by_company ORDER BY ALL').fetchall()]))";
    const env = { ...process.env, PYTHONPATH: tool.modules };
    expect(JSON.parse(execFileSync(tool.command, ['-c', asked], { encoding: 'utf8', cwd: folder, env }))).toEqual([
      [[3, 3, 'Corrected']],
      [
        ['0', 1],
        ['1', 2],
      ],
    ]);
  });
});

describe.skipIf(missing !== null)(`other code of the guides${missing ? ` (${missing})` : ''}`, () => {
  it('of R: the statements that it sends, sent by Python', async () => {
    const folder = path.join(temporaryFolder(), 'lake');
    await (await recipeLake(folder)).close();
    const [r] = codeBlocks(page, 'r');
    const queries = [...r!.code.matchAll(/dbGetQuery\(con, "([^"]+)"\)/g)].map(([, sql]) => sql);
    const counts = await run(
      `
import duckdb
con = duckdb.connect()
con.execute("SET enable_progress_bar = false")
con.execute("SET VARIABLE lake = '" + given["lake"] + "'")
for statement in open(given["lake"] + "/lake.sql").read().split(";\\n"):
    if statement.strip():
        con.execute(statement)
print(json.dumps([len(con.sql(query).fetchall()) for query in given["queries"]]))
`,
      { lake: folder, queries: queries.map((sql) => sql!.replace("'quarter'", "'year'")) },
    );
    const [risks, values] = counts as number[];
    expect(risks).toBe(4);
    expect(values).toBeGreaterThan(3);
  });

  it('of Airflow: what is retried, and what is not', async () => {
    const [airflow] = codeBlocks(page, 'python').filter(({ code }) => code.includes('airflow'));
    const ends = await run(
      `
import types
class AirflowException(Exception): pass
class AirflowFailException(AirflowException): pass
tasks = {}
def task(function=None, **options):
    def kept(inner):
        tasks[inner.__name__] = inner
        return lambda *_: None
    return kept(function) if function else kept
sdk = types.SimpleNamespace(dag=lambda **_: lambda function: function, task=task)
sys.modules.update({"airflow": types.ModuleType("airflow"), "airflow.sdk": sdk, "airflow.exceptions": types.SimpleNamespace(AirflowException=AirflowException, AirflowFailException=AirflowFailException)})
exec(given, {})
from filinglake.errors import error_for
def ended(code):
    def wait(progress):
        if code:
            raise error_for(code, "x", "x")
        return {"lake_version": 7}
    filinglake.export = lambda *_, **__: types.SimpleNamespace(wait=wait)
    try:
        return tasks["export"]()
    except AirflowException as error:
        return type(error).__name__
print(json.dumps([ended(code) for code in (0, 1, 2, 3, 4, 5, 6, 130)]))
`,
      airflow!.code,
    );
    const [retried, failed] = ['AirflowException', 'AirflowFailException'];
    expect(ends).toEqual([7, retried, failed, retried, failed, retried, retried, retried]);
  });

  it('of a webhook: it takes our signatures, and no others', async () => {
    const [check] = codeBlocks(readMarkdown('docs/guide/alerts.md'), 'python');
    const body = '{"event":"failed"}';
    const now = signatureOf(body, 'secret', new Date());
    const old = signatureOf(body, 'secret', new Date(Date.now() - 3_600_000));
    const answer = await run(
      `
names = {}
exec(given["code"], names)
print(json.dumps([names["is_genuine"](header, body.encode(), "secret") for header, body in given["calls"]]))
`,
      {
        code: check!.code,
        calls: [
          [now, body],
          [now, `${body} `],
          [old, body],
        ],
      },
    );
    expect(answer).toEqual([true, false, false]);
  });
});
