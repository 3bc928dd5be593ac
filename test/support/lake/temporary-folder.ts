/** Folders that go with the file of the test. */
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

export function temporaryFolder(): string {
  return mkdtempSync(path.join(tmpdir(), 'filinglake-'));
}
