/** The examples of docs/guide/other-engines.md, run as they stand: each engine gets the rows of the command. */
import { execFile, execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { readSettings } from '../../../../src/core/environment/settings.ts';
import { temporaryFolder } from '../../../support/lake/temporary-folder.ts';
import { installPythonPackage } from '../../../support/python/installed-package.ts';
import { CHECKOUT } from '../../../support/test-stack.ts';

const GUIDE = readFileSync(path.join(CHECKOUT, 'docs/guide/other-engines.md'), 'utf8');
const COMMAND = path.join(CHECKOUT, 'bin/filinglake.mjs');
const installed = installPythonPackage();
const missing = 'missing' in installed ? installed.missing : null;
const { run } = installed as Exclude<typeof installed, { missing: string }>;

/** The code of a chapter. */
function example(chapter: string): string {
  const [, code] = new RegExp(`^## ${chapter}$[^#]*?\`\`\`\\w+\n(.*?)\`\`\``, 'ms').exec(GUIDE) ?? [];
  if (code === undefined) throw new Error(`the guide has no example of ${chapter}`);
  return code;
}

function document(n: number) {
  const accession_number = `0000000000-24-${String(n).padStart(6, '0')}`;
  const filing = { accession_number, filing_date: '2024-03-01', name: 'a.htm' };
  if (n % 4 === 3) {
    const content = `<ownershipDocument><documentType>4</documentType><issuer><issuerCik>${n}</issuerCik></issuer>
<reportingOwner><reportingOwnerId><rptOwnerCik>7</rptOwnerCik></reportingOwnerId></reportingOwner></ownershipDocument>`;
    return { ...filing, name: 'form4.xml', form_type: '4', type: '4', content };
  }
  const items = ['1. Business', '1A. Risk Factors', '7. Management’s Discussion and Analysis'].slice(0, 1 + (n % 3));
  const body = items.map((item) => `<p><b>Item ${item}</b></p><p>${`Words of ${n}. `.repeat(60)}</p>`).join('');
  return { ...filing, form_type: '10-K', type: '10-K', content: `<html><body><p>FORM 10-K</p>${body}</body></html>` };
}

describe.skipIf(missing !== null)(`the mapper in other engines${missing ? ` (${missing})` : ''}`, () => {
  const folder = temporaryFolder();
  const documents = Array.from({ length: 24 }, (_, n) => document(n));
  let expected: string[];

  beforeAll(async () => {
    const lines = documents.map((one) => `${JSON.stringify(one)}\n`).join('');
    writeFileSync(path.join(folder, 'documents.ndjson'), lines);
    writeFileSync(path.join(folder, 'filinglake'), `#!/bin/sh\nexec ${process.execPath} ${COMMAND} "$@"\n`, {
      mode: 0o755,
    });
    const text = execFileSync(
      process.execPath,
      [COMMAND, 'map', '--stdin', '--json', '--tables', 'sections,ownership'],
      {
        input: lines,
        encoding: 'utf8',
      },
    );
    expected = sorted(text.trim().split('\n').map(parsed));
    expect(expected.length).toBeGreaterThan(40);
    await run(
      `import pyarrow, pyarrow.parquet
pyarrow.parquet.write_table(pyarrow.Table.from_pylist(given["documents"]), given["file"], row_group_size=5)
print(1)`,
      { documents, file: path.join(folder, 'documents.parquet') },
    );
  });

  const parsed = (line: string) => JSON.parse(line) as { file: string; table: string; row: unknown };
  const sorted = (rows: { file: string; table: string; row: unknown }[]) =>
    rows.map(({ file, table, row }) => JSON.stringify([file, table, row])).sort();

  /** Runs an example in the folder of the documents. @param modules packages of PyPI, by a module of theirs */
  async function rowsOf(chapter: string, modules: Record<string, string> = {}): Promise<string[] | null> {
    const found = fetched(modules);
    if (found === null) return null;
    const code = `
import os
sys.path[:0] = given["modules"]
os.environ["PYTHONPATH"] = os.pathsep.join(sys.path)
os.environ["FILINGLAKE_COMMAND"] = given["command"]
os.chdir(given["folder"])
with open(os.dup(1), "w") as answer:
    os.dup2(2, 1)
    exec(given["code"], globals())
    print(json.dumps(rows), file=answer)
if "daft" in sys.modules:
    # Its threads abort one process in twenty while Python ends, also without filinglake. The rows are out.
    os._exit(0)
`;
    const given = { modules: found, command: path.join(folder, 'filinglake'), folder, code: example(chapter) };
    const env = { SPARK_LOCAL_IP: '127.0.0.1', RAY_USAGE_STATS_ENABLED: '0', DAFT_ANALYTICS_ENABLED: '0' };
    const rows = (await run(code, given, env)) as { file: string; table: string; row: string }[];
    return sorted(rows.map(({ file, table, row }) => ({ file, table, row: JSON.parse(row) as unknown })));
  }

  it('has the rows of the command in Python', async () => {
    expect(await rowsOf('Python')).toEqual(expected);
  });

  it('has them in Spark', async () => {
    const rows = await rowsOf('Spark', { pyspark: 'pyspark==4.0.1', py4j: 'py4j==0.10.9.9' });
    if (rows) expect(rows).toEqual(expected);
  });

  it('has them in Ray', async () => {
    const rows = await rowsOf('Ray', { ray: 'ray[data]==2.60.0' });
    if (rows) expect(rows).toEqual(expected);
  });

  it('has them in Daft', async () => {
    const rows = await rowsOf('Daft', { daft: 'daft==0.7.26' });
    if (rows) expect(rows).toEqual(expected);
  });

  it('has them under GNU parallel', async () => {
    try {
      execFileSync('parallel', ['--version'], { stdio: 'pipe' });
    } catch {
      return console.warn('GNU parallel is not tested: it is not installed');
    }
    const env = { ...process.env, PATH: `${folder}${path.delimiter}${process.env.PATH}` };
    await new Promise<void>((settle, reject) => {
      const code = example('GNU parallel').replace('--block 50M', '--block 4k');
      execFile('sh', ['-c', code], { cwd: folder, env }, (error) => (error ? reject(error) : settle()));
    });
    const lines = readFileSync(path.join(folder, 'rows.ndjson'), 'utf8').trim().split('\n');
    expect(sorted(lines.map(parsed))).toEqual(expected);
  });

  it('raises if the mapper ends early, so that no row is missing in silence', async () => {
    writeFileSync(
      path.join(folder, 'dying'),
      `#!/bin/sh\nhead -n 3 | ${process.execPath} ${COMMAND} "$@"\nkill -9 $$\n`,
      { mode: 0o755 },
    );
    const ends = await run(
      `
def documents(fails):
    for document in given["documents"]:
        yield document
    if fails:
        raise ValueError("the source failed")
def ending(command, fails=False):
    try:
        return len(list(filinglake.map_documents(documents(fails), ["sections", "ownership"], command=[command])))
    except Exception as error:
        return getattr(error, "code", repr(error))
print(json.dumps([ending(given["dying"]), ending(given["whole"], True), ending(given["whole"])]))
`,
      { documents, dying: path.join(folder, 'dying'), whole: path.join(folder, 'filinglake') },
    );
    expect(ends).toEqual(['mapping-failed', "ValueError('the source failed')", expected.length]);
  });
});

/** Folders with packages that are fetched once; null: they can't be fetched. */
function fetched(modules: Record<string, string>): string[] | null {
  const wanted = Object.values(modules);
  if (wanted.length === 0) return [];
  const [name] = Object.keys(modules);
  const folder = path.join(readSettings().cacheFolder, `python-${name === 'pyspark' ? 'spark' : name}`);
  if (existsSync(path.join(folder, name!))) return [folder];
  mkdirSync(folder, { recursive: true });
  // Spark comes as a source package of Python files.
  const kind = name === 'pyspark' ? '--no-deps' : '--only-binary=:all:';
  const pip = ['-m', 'pip', 'install', '--quiet', kind, '--target', folder, ...wanted];
  try {
    execFileSync(process.env.PYTHON ?? 'python3', pip, { stdio: 'pipe', timeout: 900_000 });
    return [folder];
  } catch (error) {
    console.warn(
      `${name} is not tested: ${String((error as { stderr?: Buffer }).stderr)
        .trim()
        .split('\n')
        .at(-1)}`,
    );
    return null;
  }
}
