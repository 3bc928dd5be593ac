/** A move of packs in a process of its own, which its N-th call ends: `node move-process.ts CATALOG PLACE N`. */
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { S3Objects } from '../../../../src/core/bucket/index.ts';

const [catalog, place, nth] = process.argv.slice(2) as [string, string, string];
/** Not counted while modules are loaded */
let calls = Number.NEGATIVE_INFINITY;
const count = () => {
  if (++calls === Number(nth)) process.kill(process.pid, 'SIGKILL');
};
type Call = (...args: unknown[]) => unknown;
for (const name of ['writeFileSync', 'fsyncSync', 'renameSync', 'rmSync', 'openSync'] as const) {
  const call = fs[name] as Call;
  (fs as unknown as Record<string, Call>)[name] = (...args) => {
    count();
    return call(...args);
  };
}
syncBuiltinESMExports();
for (const name of ['state', 'read', 'putFile'] as const) {
  const call = S3Objects.prototype[name] as (...args: unknown[]) => Promise<unknown>;
  (S3Objects.prototype as unknown as Record<string, Call>)[name] = async function (this: S3Objects, ...args) {
    count();
    const answer = call.apply(this, args);
    // In the middle of the upload.
    if (name === 'putFile') setTimeout(count, 5);
    return answer;
  };
}

const { movePacks } = await import('../../../../src/service/catalog/move-packs.ts');
calls = 0;
await movePacks(catalog, place);
