/** A command that uses the embedded Temporal: prints its address, leaves when its input ends. Run by temporal-server.test.ts. */
import { once } from 'node:events';
import { readSettings } from '../../../../src/core/environment/settings.ts';
import { ensureTemporal } from '../../../../src/export/runtime/temporal/server.ts';

const session = await ensureTemporal(readSettings(), { command: 'hold-temporal' });
process.stdout.write(`${session.address}\n`);
process.stdin.resume();
await once(process.stdin, 'end');
await session.release();
process.stdout.write('released\n');
