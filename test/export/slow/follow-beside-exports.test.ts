/** `filinglake up --follow`: EDGAR, beside the worker of exports. */
import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { easternTime } from '../../../src/service/edgar-sync/clock.ts';
import { LocalEdgar } from '../../service/integration/edgar-sync/local-edgar.ts';
import { commandLine } from '../../support/command-line.ts';
import { temporaryFolder } from '../../support/lake/temporary-folder.ts';
import { temporalExecutable } from '../../support/temporal.ts';
import { type Command, runCommand } from '../../support/test-stack.ts';

describe.skipIf(!temporalExecutable)('up --follow', () => {
  let folder: string;
  let catalog: string;
  let edgar: LocalEdgar;
  let env: Record<string, string>;
  let up: Command;
  let numbered = 0;

  const publish = () => {
    const accession = `0000999999-25-${String(++numbered).padStart(6, '0')}`;
    const parties = [{ cik: '320193', name: 'Example Orchards Inc', role: 'Filer' }];
    const acceptedAt = Date.now() - 1000;
    const filingDate = new Date(acceptedAt).toISOString().slice(0, 10);
    edgar.publish({ accession, form: '8-K', filingDate, acceptedAt, parties, text: `Text ${numbered}.` });
    return accession;
  };
  const isStored = (accession: string, process: Command = up) =>
    process.event((event) => event.event === 'filing' && event.accession_number === accession);
  const start = () => runCommand(['up', '--catalog', catalog, '--follow', '1s', '--json'], env);

  beforeAll(async () => {
    folder = temporaryFolder();
    catalog = join(folder, 'catalog');
    edgar = await LocalEdgar.start();
    env = {
      FILINGLAKE_HOME: join(folder, 'home'),
      FILINGLAKE_EDGAR_URL: edgar.url,
      FILINGLAKE_EDGAR_AGENT: 'A Tester tester@example.com',
      TEMPORAL_ADDRESS: '',
    };
    up = start();
    await up.event((event) => 'task_queue' in event);
  });

  afterAll(async () => {
    up.process.kill('SIGTERM');
    await up.ended;
    await edgar.close();
  });

  it('makes the catalog, and stores what EDGAR publishes, look after look', async () => {
    const first = publish();
    expect(await isStored(first)).toMatchObject({ form_type: '8-K' });
    expect(await isStored(publish())).toBeDefined();
    expect(edgar.downloads().get(first)).toBe(1);
  });

  it('lets other commands fetch between two looks, and nobody else follow', async () => {
    const { status, stderr } = await commandLine(['edgar', 'follow', '--catalog', catalog], { env });
    expect([status, stderr]).toEqual([1, expect.stringContaining('another process follows EDGAR')]);
    edgar.writeQuarter('2025/QTR1', '2025-03-31');
    await vi.waitFor(
      async () => {
        const fetched = await commandLine(
          ['edgar', 'fetch', '--catalog', catalog, '--from', '2025-01-01', '--to', '2025-03-31'],
          { env },
        );
        expect(fetched.stderr).toContain('0 filings are selected');
      },
      { timeout: 120_000, interval: 200 },
    );
  });

  it('lets an export take the days of EDGAR to its lake', async () => {
    const day = easternTime(Date.now()).date;
    const { filingDate } = [...edgar.filings.values()][0]!;
    edgar.writeDay(day);
    await vi.waitFor(
      async () => {
        const days = ['--from', day, '--to', day];
        const { stderr } = await commandLine(['edgar', 'backfill', '--catalog', catalog, ...days], { env });
        expect(stderr).toContain(`${day}: complete`);
      },
      { timeout: 120_000, interval: 200 },
    );
    const definition = join(folder, 'days.yaml');
    writeFileSync(
      definition,
      `name: days\nservice: { catalog: ${catalog} }\nselect: { date_from: ${filingDate} }\ntables: [filings, edgar_days]\nlake: ${join(folder, 'lake')}\n`,
    );
    const exported = await commandLine(['export', definition, '--json'], { env });
    expect([exported.status, exported.events.at(-1)]).toEqual([
      0,
      expect.objectContaining({ state: 'completed', edgar_days: { days: 1, unproven: 0 } }),
    ]);
    const shown = await commandLine(
      ['sql', '--lake', join(folder, 'lake'), '--format', 'json', 'SELECT day, expected, missing FROM edgar_days'],
      { env },
    );
    expect(JSON.parse(shown.stdout)).toMatchObject([{ day, missing: 0 }]);
  });

  it('continues after a kill: the next process follows, and no filing is downloaded twice', async () => {
    up.process.kill('SIGKILL');
    await up.ended;
    const missed = publish();
    up = start();
    await isStored(missed);
    await isStored(publish());
    expect(Math.max(...edgar.downloads().values())).toBe(1);
  });

  it('ends with its process, and the next process continues', async () => {
    up.process.kill('SIGTERM');
    expect(await up.ended).toBe(0);
    const missed = publish();
    up = start();
    expect(await isStored(missed)).toBeDefined();
  });

  it('continues after a fault of the catalog, and says so once', async () => {
    const ledger = join(catalog, 'edgar.db');
    up.process.kill('SIGTERM');
    await up.ended;
    renameSync(ledger, `${ledger}.whole`);
    writeFileSync(ledger, 'no database');
    const faulty = runCommand(['up', '--catalog', catalog, '--follow', '1s'], env);
    await vi.waitFor(() => expect(faulty.stderr()).toContain('EDGAR is not followed now'), 60_000);
    renameSync(`${ledger}.whole`, ledger);
    await vi.waitFor(() => expect(faulty.stderr()).toContain('EDGAR is followed again'), 60_000);
    faulty.process.kill('SIGTERM');
    expect(await faulty.ended).toBe(0);
    expect(faulty.stderr().match(/EDGAR is not followed now/g)).toHaveLength(1);
    up = start();
    expect(await isStored(publish())).toBeDefined();
  });

  it('is refused without a catalog, and without a name for SEC', async () => {
    const alone = await commandLine(['up', '--follow'], { env });
    expect([alone.status, alone.stderr]).toEqual([2, expect.stringContaining('--follow needs --catalog')]);
    const unnamed = await commandLine(['up', '--catalog', catalog, '--follow'], {
      env: { ...env, FILINGLAKE_EDGAR_AGENT: undefined },
    });
    expect([unnamed.status, unnamed.stderr]).toEqual([2, expect.stringContaining('FILINGLAKE_EDGAR_AGENT')]);
  });
});
