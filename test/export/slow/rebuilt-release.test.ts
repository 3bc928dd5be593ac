/**
 * A release is made again elsewhere: other machines, other orders, processes killed in between. Then the source changes one filing,
 * withdraws one and gets another one: the rebuild names exactly these rows.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type SampleFile, sampleSubmissions } from '../../../src/cli/sample/index.ts';
import type { ReleaseManifest } from '../../../src/lake/report/index.ts';
import { temporaryFolder } from '../../support/lake/temporary-folder.ts';
import { jsonRows } from '../../support/shared.ts';
import { temporalExecutable } from '../../support/temporal.ts';
import { buildRoad, type Command, type Road, runCommand } from '../../support/test-stack.ts';

const FILINGS = 40;
const accessionOf = ({ path }: SampleFile) => path.match(/\d{10}-\d{2}-\d{6}/)![0];

describe.skipIf(!temporalExecutable)('a release made again on another machine', () => {
  const files = [...sampleSubmissions({ filings: FILINGS, seed: 7 })];
  const numbers = [...new Set(files.map(accessionOf))];
  const [changed, withdrawn, added] = chosen();
  let before: Road;
  let after: Road;
  let release: { folder: string; manifest: ReleaseManifest };

  /** Filings in one file each; the changed one is plain text. */
  function chosen(): [string, string, string] {
    const single = numbers.filter((number) => files.filter((file) => accessionOf(file) === number).length === 1);
    const inText = single.filter((number) =>
      files.some((file) => accessionOf(file) === number && file.path.endsWith('.txt')),
    );
    return [inText[3]!, single.find((number) => !inText.slice(3).includes(number)) ?? inText[0]!, inText.at(-1)!];
  }

  function corpus(without: readonly string[], edited: string | null): string {
    const folder = temporaryFolder();
    for (const file of files) {
      if (without.includes(accessionOf(file))) continue;
      const target = join(folder, file.path);
      mkdirSync(dirname(target), { recursive: true });
      const text = Buffer.from(file.bytes).toString('latin1');
      const body = text.indexOf('<TEXT>') + '<TEXT>'.length;
      const isEdited = accessionOf(file) === edited;
      const bytes = isEdited
        ? Buffer.from(`${text.slice(0, body)}\nCorrected.${text.slice(body)}`, 'latin1')
        : file.bytes;
      writeFileSync(target, bytes);
    }
    return folder;
  }

  beforeAll(async () => {
    before = await buildRoad(corpus([added], null), { delayMs: 15 });
    after = await buildRoad(corpus([withdrawn], changed), { delayMs: 15 });
  });
  afterAll(async () => {
    await before.stop();
    await after.stop();
  });

  const machine = (road: Road) => ({
    FILINGLAKE_HOME: temporaryFolder(),
    FILINGLAKE_API_KEY: road.createKey('unlimited'),
  });

  /** Runs a command again and again, and kills it at each of some requests, until it ends. */
  async function withKills(
    road: Road,
    args: readonly string[],
    env: Record<string, string>,
    kills: number[],
  ): Promise<Command> {
    const first = road.proxy.requests;
    for (;;) {
      const command = runCommand(args, env);
      road.proxy.onRequest = (n) => {
        if (kills.length === 0 || n - first < kills[0]!) return;
        kills.shift();
        command.process.kill('SIGKILL');
      };
      const code = await command.ended;
      if (code === null) continue;
      return command;
    }
  }

  async function run(args: readonly string[], env: Record<string, string>): Promise<Record<string, unknown>> {
    const command = runCommand(args, env);
    expect(await command.ended, command.stderr()).toBe(0);
    return command.events.at(-1)!;
  }

  async function releaseOf(lake: string, env: Record<string, string>, definition: string): Promise<typeof release> {
    const folder = join(temporaryFolder(), 'release');
    await run(['lake', 'release', 'v1', '--lake', lake, '--definition', definition], env);
    await run(['lake', 'release', 'export', 'v1', folder, '--lake', lake], env);
    return { folder, manifest: JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8')) };
  }

  const lakes = [temporaryFolder(), temporaryFolder()] as const;
  let machines: [ReturnType<typeof machine>, ReturnType<typeof machine>];
  let definitions: [string, string];

  it('is fetched twice: over other connections, in other pages and batches, by processes that are killed', async () => {
    const [one, other] = [machine(before), machine(before)];
    machines = [one, other];
    const first = before.definition('annual');
    const second = before.definition('annual');
    definitions = [first, second];
    writeFileSync(
      second,
      readFileSync(second, 'utf8').replace('connections: 4', 'connections: 1, page_size: 7, parallel: 2'),
    );
    const exported = await run(['export', first, '--lake', lakes[0], '--json'], one);
    expect(exported).toMatchObject({ state: 'completed', failures: 0 });
    const kills = [20, 45, 70];
    const again = await withKills(before, ['export', second, '--lake', lakes[1], '--json'], other, kills);
    expect([again.events.at(-1)?.state, kills]).toEqual(['completed', []]);
  });

  it('has equal digests', async () => {
    const [one, other] = machines;
    const [first, second] = definitions;
    const narrower = before.definition('annual', 'sections: { codes: [1A] }');
    const refused = runCommand(['lake', 'release', 'v0', '--lake', lakes[0], '--definition', narrower], one);
    expect([await refused.ended, refused.stderr()]).toEqual([
      2,
      expect.stringMatching(/had another definition: sections/),
    ]);
    release = await releaseOf(lakes[0], one, first);
    const { manifest } = await releaseOf(lakes[1], other, second);
    const digests = ({ tables }: ReleaseManifest) =>
      Object.entries(tables).map(([name, { rows, digest }]) => [name, rows, digest?.sha256 ?? null] as const);
    const ofRows = (all: ReturnType<typeof digests>) => all.filter(([, , digest]) => digest !== null);
    expect(ofRows(digests(manifest))).toEqual(ofRows(digests(release.manifest)));
    expect(manifest.digest).toBe(release.manifest.digest);
    expect(release.manifest.tables.filings?.rows).toBe(FILINGS - 1);
    // The parts themselves differ: the digests depend on rows alone.
    expect(manifest.tables.documents?.parts).not.toEqual(release.manifest.tables.documents?.parts);
  });

  it('is rebuilt from the manifest, killed in between, and every row is equal', async () => {
    const lake = join(temporaryFolder(), 'lake');
    const file = join(release.folder, 'manifest.json');
    const kills = [25, 60];
    const args = ['lake', 'release', 'rebuild', file, '--service', before.proxy.url, '--lake', lake, '--json'];
    const rebuilt = await withKills(before, args, machine(before), kills);
    expect(await rebuilt.ended, rebuilt.stderr()).toBe(0);
    expect(kills).toEqual([]);
    expect(rebuilt.events.at(-1)).toMatchObject({
      event: 'compared',
      same: true,
      unproven_windows: 0,
      filings: { equal: FILINGS - 1, changed: 0, withdrawn: 0, new: 0, unfetched: 0 },
    });
  });

  it('names what the source has changed, withdrawn and got since, row for row', async () => {
    const folder = temporaryFolder();
    const file = join(release.folder, 'manifest.json');
    const args = ['lake', 'release', 'rebuild', file, '--catalog', after.catalogFolder, '--lake', join(folder, 'lake')];
    const command = runCommand(
      [...args, '--json', '--rows', join(folder, 'rows.jsonl'), '--parquet', join(folder, 'rows')],
      {
        FILINGLAKE_HOME: temporaryFolder(),
      },
    );
    expect(await command.ended, command.stderr()).toBe(3);
    const compared = command.events.at(-1) as unknown as {
      filings: object;
      tables: Record<string, { released: number; equal: number; changed: number; withdrawn: number; added: number }>;
    };
    expect(compared.filings).toEqual({ equal: FILINGS - 3, changed: 1, withdrawn: 1, new: 1, unfetched: 0 });
    expect(compared.tables.filings).toMatchObject({ released: FILINGS - 1, withdrawn: 1, added: 1 });
    const rows = jsonRows(join(folder, 'rows.jsonl'));
    const fates = { [changed]: 'changed', [withdrawn]: 'withdrawn', [added]: 'new' };
    for (const row of rows) {
      const number = row.key.accession_number ?? row.key.document_id?.slice(0, 20);
      if (number !== undefined) expect([row.table, row.key, row.filing]).toEqual([row.table, row.key, fates[number]]);
      if (row.filing === 'withdrawn' || row.filing === 'new') expect([row, row.change]).toEqual([row, row.filing]);
    }
    // Every row that differs has a line, and no other.
    for (const [table, { changed, withdrawn, added }] of Object.entries(compared.tables)) {
      const of = (change: string) => rows.filter((row) => row.table === table && row.change === change).length;
      expect([table, of('changed'), of('withdrawn'), of('new')]).toEqual([table, changed, withdrawn, added]);
    }
    const content = rows.find(({ table, filing }) => table === 'document_contents' && filing === 'changed');
    expect(content).toMatchObject({ change: 'changed', columns: expect.arrayContaining(['content']) });
    // The same command finds the same again, without fetching a filing.
    const again = runCommand([...args, '--json'], { FILINGLAKE_HOME: temporaryFolder() });
    expect(await again.ended, again.stderr()).toBe(3);
    expect(again.events.at(-1)).toMatchObject({ filings: compared.filings });
  });
});
