/** The walks of CONTRIBUTING.md work as written: each is done in a copy, and touches only the files that the page names. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterEach, describe, expect, it } from 'vitest';
import { KeyRegister } from '../../src/accounts/index.ts';
import { PLANS } from '../support/service/running-service.ts';
import { CURRENT, makeSmallCatalog } from '../support/service/small-catalog.ts';
import { OPERATION_WALK } from '../support/walks/operation.ts';
import { filesOfWalk, type Walk, WalkedCopy } from '../support/walks/walk.ts';

const ENDED_WELL = { status: 0, output: expect.any(String) };

let copy: WalkedCopy | null = null;
afterEach(() => {
  copy?.remove();
  copy = null;
});

function walked(walk: Walk): WalkedCopy {
  copy = new WalkedCopy(walk);
  return copy;
}

const touched = (walk: Walk) =>
  new Map(Object.entries(walk).map(([path, change]) => [path, typeof change === 'string' ? 'new' : 'edited']));

describe('walk 3: an operation of /v2', () => {
  it('touches the files that the page names, and no others', () => {
    expect(touched(OPERATION_WALK)).toEqual(filesOfWalk('Walk 3'));
  });

  it('gives a service that answers it and describes it', async () => {
    const { folder } = walked(OPERATION_WALK);
    const catalog = await makeSmallCatalog();
    const { api_key } = KeyRegister.open(catalog.folder, PLANS).createKey('unlimited');
    const args = ['bin/filinglake.mjs', 'serve', '--catalog', catalog.folder, '--port', '0', '--json'];
    const service = spawn(process.execPath, args, { cwd: folder, stdio: ['ignore', 'pipe', 'inherit'] });
    const ended = once(service, 'close');
    try {
      const [line] = (await Promise.race([once(service.stdout, 'data'), ended.then(() => ['{}'])])) as [Buffer];
      const { url } = JSON.parse(line.toString()) as { url: string };
      const ask = async (path: string) => (await fetch(new URL(path, url))).text();
      const answer = await ask(`/v2/filing_exhibits?accession_number=${CURRENT}&api_key=${api_key}`);
      const exhibits = [{ document_id: `${CURRENT}-2`, type: 'EX-99.1' }];
      expect(JSON.parse(answer)).toEqual({ accession_number: CURRENT, exhibits });
      expect(await ask('/openapi.json')).toContain('"/v2/filing_exhibits"');
      expect(await ask('/docs')).toContain('<h2 id="filing_exhibits">');
    } finally {
      service.kill();
      await ended;
      catalog.remove();
    }
  });

  it('passes the types, and the tests of operations, pages and service', async () => {
    const copied = walked(OPERATION_WALK);
    expect(await copied.types()).toEqual(ENDED_WELL);
    const rooms = ['operations', 'docs/api', 'docs/links', 'docs/pages-named-in-code'].map(
      (name) => `test/unit/${name}`,
    );
    const service = ['openapi', 'filing-exhibits'].map((name) => `test/integration/service/${name}.test.ts`);
    expect(await copied.tests(...rooms, ...service)).toEqual(ENDED_WELL);
  });
});
