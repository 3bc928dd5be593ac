/** A backup in a process of its own, which its N-th write, sync, link or rename ends: `node backup-process.ts CATALOG TO PREVIOUS N`. */
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

const [catalog, to, previous, nth] = process.argv.slice(2) as [string, string, string, string];
/** Not counted while modules are loaded */
let calls = Number.NEGATIVE_INFINITY;
type Call = (...args: unknown[]) => unknown;
for (const name of ['write', 'fsyncSync', 'linkSync', 'renameSync', 'openSync', 'mkdirSync', 'rmSync'] as const) {
  const call = fs[name] as Call;
  (fs as unknown as Record<string, Call>)[name] = (...args) => {
    const isLast = ++calls === Number(nth);
    if (isLast) process.kill(process.pid, 'SIGKILL');
    return call(...args);
  };
}
syncBuiltinESMExports();

const { backupCatalog } = await import('../../../../src/service/catalog/backup.ts');
calls = 0;
await backupCatalog(catalog, to, { previous });
