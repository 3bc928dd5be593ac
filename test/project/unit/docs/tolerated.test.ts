/** What the fuzz tolerates, the page for users says. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { BY_NUMBER, TOLERATED } from '../../../support/fuzz/tolerated.ts';

it('names a row of "What an export notices" for each difference that the fuzz tolerates', () => {
  const page = readFileSync(join(import.meta.dirname, '../../../../docs/guide/what-an-export-notices.md'), 'utf8');
  for (const { change, row } of [...TOLERATED, BY_NUMBER]) expect(page, change).toContain(`| ${row} |`);
});
