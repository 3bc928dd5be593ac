/**
 * schemathesis (PyPI) fuzzes a service from its own `openapi.json`: no status of 500 and above, none that is not described, and no
 * answer that does not fit its schema. Skipped, with the reason, if Python or the package is absent.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { schemathesis } from '../../support/lake/python-readers.ts';
import { temporaryFolder } from '../../support/lake/temporary-folder.ts';
import { TestService } from '../../support/service/running-service.ts';

const ROOT = resolve(import.meta.dirname, '../../..');
const python = schemathesis();
if ('missing' in python) process.stderr.write(`skipped: schemathesis: ${python.missing}\n`);

describe.skipIf('missing' in python)('schemathesis', () => {
  let service: TestService;
  const scratch = temporaryFolder();
  beforeAll(async () => {
    service = await TestService.start({ limits: { readerThreads: 2 } });
  });
  afterAll(async () => {
    await service.stop();
  });

  /** The same cases each time. */
  async function fuzz(
    description: string,
    more: readonly string[] = [],
  ): Promise<{ code: number | null; text: string }> {
    if ('missing' in python) throw new Error(python.missing);
    const options = ['--phases', 'examples,coverage,fuzzing', '--max-examples', '20', '--generation-deterministic'];
    const child = spawn(
      python.command,
      [
        '-m',
        'schemathesis.cli',
        '--config-file',
        'scripts/schemathesis/schemathesis.toml',
        'run',
        description,
        // A busy machine may need long for an answer.
        ...options,
        '--request-timeout',
        '100',
        '--no-color',
        ...more,
      ],
      { cwd: ROOT, env: { ...process.env, PYTHONPATH: python.modules, KEY: service.key, HOME: scratch } },
    );
    let text = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (piece: string) => {
        text += piece;
      });
    }
    const [code] = (await once(child, 'close')) as [number | null];
    return { code, text };
  }

  it('finds no fault', async () => {
    const { code, text } = await fuzz(`${service.service.url}/openapi.json`);
    expect(text).toMatch(/(\d{4,}) generated, \1 passed/);
    expect(code, text).toBe(0);
  });

  it('finds a status that is not described', async () => {
    const description = (await service.ask('/openapi.json')).json as Description;
    const { get } = description.paths['/v2/filing_info']!;
    delete get!.responses['404'];
    const file = join(scratch, 'openapi.json');
    writeFileSync(file, JSON.stringify({ ...description, paths: { '/v2/filing_info': { get } } }));
    const { code, text } = await fuzz(file, ['--url', service.service.url]);
    expect(text).toContain('404');
    expect(code, text).toBe(1);
  });
});

interface Description {
  paths: Record<string, { get?: { responses: Record<string, unknown> } }>;
}
