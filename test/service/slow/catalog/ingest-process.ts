/**
 * An ingest in a process of its own that ends, or fails, at a chosen moment: `node ingest-process.ts FILES CATALOG MOMENT N`.
 * Moments: `write` (half of a pack's bytes written), `synced`, `begun`, `committing`, `committed`: the N-th kills the process;
 * `no-space`: the N-th pack write fails; `database-full`: the N-th transaction finds no room.
 */
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { DatabaseSync } from 'node:sqlite';

const [files, folder, moment, nth] = process.argv.slice(2) as [string, string, string, string];
let seen = 0;
const isIt = (name: string) => name === moment && ++seen === Number(nth);
const end = () => process.kill(process.pid, 'SIGKILL');

const { writeSync, fdatasyncSync } = fs;
fs.writeSync = ((descriptor: number, bytes: Uint8Array, offset: number, length: number) => {
  if (bytes instanceof Uint8Array && bytes.length > 100) {
    if (isIt('write')) {
      writeSync(descriptor, bytes, offset, length >> 1);
      end();
    }
    if (isIt('no-space')) {
      writeSync(descriptor, bytes, offset, length >> 1);
      throw Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });
    }
  }
  return writeSync(descriptor, bytes, offset, length);
}) as typeof fs.writeSync;
fs.fdatasyncSync = (descriptor: number) => {
  fdatasyncSync(descriptor);
  if (isIt('synced')) end();
};
syncBuiltinESMExports();

const { exec } = DatabaseSync.prototype;
DatabaseSync.prototype.exec = function (this: DatabaseSync, sql: string) {
  if (sql === 'COMMIT' && isIt('committing')) end();
  exec.call(this, sql);
  if (sql === 'BEGIN IMMEDIATE' && isIt('begun')) end();
  if (sql === 'BEGIN IMMEDIATE' && isIt('database-full')) exec.call(this, 'PRAGMA max_page_count = 1');
  if (sql === 'COMMIT' && isIt('committed')) end();
};

const { ingest } = await import('../../../../src/service/catalog/ingest.ts');
try {
  const summary = await ingest([files], folder, { threads: 0, batchFilings: 5 });
  process.stdout.write(JSON.stringify(summary.filings));
} catch (error) {
  process.stdout.write((error as { code?: string }).code ?? String(error));
}
