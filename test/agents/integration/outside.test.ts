/** Nothing outside the named lake can be read: by links, names, positions, citations, resources or statements. */
import { mkdirSync, readdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { offerOf } from '../../../src/agents/index.ts';
import { AFTER, type Answer, agentLakeOfFile } from '../../support/agents/agent-lake.ts';
import { commandLine } from '../../support/command-line.ts';
import { bring } from '../../support/lake/small-lake.ts';
import { temporaryFolder } from '../../support/lake/temporary-folder.ts';

const SECRET = 'the words of a file outside the lake';

const agents = agentLakeOfFile();
let secret: string;
/** Files of the lake beside the parts of the version that is asked, and links in it to what is outside. */
let others: string[];
beforeAll(async () => {
  const folder = temporaryFolder();
  secret = join(folder, 'secret.csv');
  writeFileSync(secret, `${SECRET}\n`);
  const { root } = agents.lake;
  const files = (of: string): string[] =>
    readdirSync(of, { recursive: true, encoding: 'utf8' })
      .map((name) => join(of, name))
      .filter((path) => statSync(path).isFile());
  const before = new Set(files(root));
  await bring(
    agents.lake,
    { batch: 'new', run: 'new' },
    {
      filings: [
        { accession_number: AFTER, form_type: '10-K', cik: '1', filing_date: '2024-03-04', entity_name: SECRET },
      ],
    },
    [{ table: 'filings', columns: ['accession_number'], values: [[AFTER]] }],
  );
  const later = files(root).filter((path) => !before.has(path) && path.endsWith('.parquet'));
  expect(later.length).toBeGreaterThan(0);
  symlinkSync(secret, join(root, 'link.csv'));
  symlinkSync(folder, join(root, 'filings', 'linked'));
  mkdirSync(join(root, 'kept'));
  const logs = [...before].filter((path) => path.endsWith('.json') || path.endsWith('.sql')).slice(0, 4);
  expect(logs.length).toBeGreaterThan(0);
  others = [
    join(root, 'link.csv'),
    join(root, 'filings/linked/secret.csv'),
    `${root}/filings/../link.csv`,
    ...later,
    ...logs,
  ];
});

const sayNothing = ({ text }: Answer, what: string) => {
  expect(text, what).not.toContain(SECRET);
  expect(text, what).not.toContain('root:x:');
};

describe('a statement at an older version', () => {
  it('reads neither links in the lake, nor its log, nor parts of other versions', async () => {
    const version = (await agents.lake.currentVersion()) - 1;
    for (const path of [...others, `file://${secret}`, `${secret}`])
      for (const statement of [
        `SELECT * FROM read_text('${path}')`,
        `SELECT * FROM read_blob('${path}')`,
        `SELECT * FROM '${path}'`,
        `SELECT * FROM read_parquet(['${path}'])`,
        `SELECT * FROM glob('${path}')`,
      ]) {
        const answer = await agents.ask('sql', { statement, lake_version: version });
        sayNothing(answer, statement);
        if (answer.error === undefined) expect(answer.rows, statement).toEqual([]);
      }
  });
});

describe('verify', () => {
  it('runs no other statement than sql does', async () => {
    const lake_version = await agents.lake.currentVersion();
    for (const sql of [`SELECT * FROM read_text('${secret}')`, `COPY (SELECT 1) TO '${secret}'`, 'SELECT 1; SELECT 2'])
      expect(
        (
          await agents.ask('verify', {
            citations: [{ tool: 'sql', args: { statement: sql }, rows: 1, sha256: '0'.repeat(64), lake_version }],
          })
        ).rows,
      ).toMatchObject([{ equal: false, why: expect.not.stringContaining('differs') }]);
  });

  it('takes names of tools, documents, companies and versions as names', async () => {
    const sha256 = '0'.repeat(64);
    const lake_version = await agents.lake.currentVersion();
    const passage = { accession_number: AFTER, start: 0, end: 4, sha256, source: 'lake' };
    const rows = { tool: 'find_filings', args: {}, rows: 1, sha256, lake_version };
    const { rows: verdicts, ...answer } = await agents.ask('verify', {
      citations: [
        { ...passage, document_id: '../../etc/passwd' },
        { ...passage, document_id: null, section: "1A' OR true --" },
        { ...passage, document_id: null, end: Number.MAX_SAFE_INTEGER },
        { ...rows, tool: '/etc/passwd' },
        { ...rows, tool: 'verify', args: { citations: [rows] } },
        { ...rows, tool: 'start_export', args: { task: 'export/x' } },
        { ...rows, args: { company: "' OR true --" } },
        { ...rows, args: { as_of: "2024-01-01'; --" } },
        { ...rows, lake_version: Number.MAX_SAFE_INTEGER },
        { ...rows, release: '../../etc/passwd' },
      ],
      budget: 40_000,
    });
    expect(answer.error).toBeUndefined();
    sayNothing(answer, 'verify');
    expect(verdicts.map(({ equal }: Answer) => equal)).toEqual(Array.from({ length: 10 }, () => false));
  });
});

describe('names of filings, documents, sections and companies', () => {
  it('are never taken for paths or SQL', async () => {
    const words = [`file://${secret}`, "' OR true --", '%', '9'.repeat(20), '\u0000'];
    for (const word of words) {
      for (const [name, args] of [
        ['find_filings', { company: word }],
        ['find_filings', { words: word }],
        ['find_companies', { name: word }],
        ['find_companies', { ticker: word.slice(0, 20) }],
        ['read', { accession_number: AFTER, section: word.slice(0, 20) }],
        ['read', { document_id: word.slice(0, 40) }],
        ['statements', { accession_number: AFTER, role: word }],
        ['ownership', { kind: '13f', cusip: `${word}______`.slice(0, 9) }],
        ['sql', { schema: [word] }],
      ] as const) {
        const answer = await agents.ask(name, args);
        sayNothing(answer, `${name} ${JSON.stringify(args)}`);
        expect(answer.error?.code ?? 'none').not.toMatch(/unexpected|lake-damaged/);
      }
    }
    // A wildcard is a letter.
    expect((await agents.ask('find_companies', { name: '%' })).count).toBe(0);
    expect((await agents.ask('ownership', { kind: '13f', cusip: '______' })).count).toBe(
      (await agents.ask('ownership', { kind: '13f', cusip: '%%%%%%' })).count,
    );
  });
});

describe('a resource', () => {
  it('is one of a list, or the columns of a table', () => {
    const { read } = offerOf(agents.world);
    for (const uri of [
      'file:///etc/passwd',
      'filinglake://table/../../etc/passwd',
      `filinglake://table/${secret}`,
      'filinglake://',
      '',
    ])
      expect(read(uri), uri).toBeNull();
    expect(read('filinglake://table/filings')).toMatchObject({ mimeType: 'text/markdown' });
  });
});

describe('filinglake mcp', () => {
  it.each(['file:///etc/passwd', 'ftp://127.0.0.1/', '/etc/passwd', ''])(
    'refuses the service %j before it starts',
    async (service) => {
      const { status, stderr } = await commandLine(['mcp', '--service', service], { env: { FILINGLAKE_API_KEY: 'k' } });
      expect(status).not.toBe(0);
      expect(stderr).toMatch(/^error: /);
    },
  );
});
