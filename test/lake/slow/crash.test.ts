import { cpSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Lake, openLake } from '../../../src/lake/index.ts';
import { checkLake } from '../../../src/lake/report/index.ts';
import { LocalStorage } from '../../../src/lake/storage/local/local-storage.ts';
import { FAULTS, type Fault, failingFiles } from '../../support/lake/failing-files.ts';
import { bring, FEW_TABLES, filingRows, type Rows, together, wholeFiling } from '../../support/lake/small-lake.ts';
import { temporaryFolder } from '../../support/lake/temporary-folder.ts';

const TABLES = FEW_TABLES.filter(({ name }) => name === 'filings' || name === 'coverage');
const NAMES = TABLES.map(({ name }) => name);

function only(rows: Rows): Rows {
  return Object.fromEntries(Object.entries(rows).filter(([name]) => NAMES.includes(name)));
}

/** One commit that does all there is: new rows, a replacement that rewrites parts, a Delta checkpoint. */
function correction(lake: Lake) {
  const replace = wholeFiling(2, 40).filter(({ table }) => NAMES.includes(table));
  return bring(
    lake,
    { batch: 'correction', base: 8, again: true },
    only(together(filingRows(2, 'r2'), filingRows(40, 'r2'))),
    replace,
  );
}

/** Nine versions: the next Delta commit of each table is its tenth. */
async function templateLake(): Promise<string> {
  const folder = temporaryFolder();
  const lake = await openLake(folder, { create: true, tables: TABLES });
  for (let n = 0; n < 9; n++) {
    await bring(lake, { batch: `b${n}` }, only(together(filingRows(n), filingRows(n + 20))));
  }
  await lake.close();
  return folder;
}

interface Seen {
  version: number;
  filings: unknown[];
  coverage: unknown[];
}

async function see(lake: Lake): Promise<Seen> {
  return {
    version: await lake.currentVersion(),
    filings: await lake.query('SELECT accession_number, entity_name AS revision FROM filings ORDER BY 1'),
    coverage: await lake.query('SELECT accession_number, revision FROM coverage ORDER BY 1'),
  };
}

async function attempt(folder: string, at: number, fault: Fault): Promise<{ failed: boolean; calls: number }> {
  const files = failingFiles(at, fault);
  let lake: Lake | null = null;
  try {
    lake = await openLake(folder, { tables: TABLES, storage: new LocalStorage(folder, files) });
    await correction(lake);
    return { failed: false, calls: files.calls() };
  } catch {
    return { failed: true, calls: files.calls() };
  } finally {
    await lake?.close();
  }
}

/** Each call fails in one of the ways, the next call in the next way; all of them at every call take minutes. */
const STRIDE = process.env.FILINGLAKE_EVERY_FAULT ? 1 : FAULTS.length;

describe('a commit during which the operating system fails', () => {
  it.for(FAULTS)(
    'leaves the old version or the new one, and the next command levels all (%s)',
    { timeout: 120_000 },
    async (fault) => {
      const template = await templateLake();
      const whole = temporaryFolder();
      cpSync(template, whole, { recursive: true });
      const undisturbed = await openLake(whole, { tables: TABLES });
      const before = await see(undisturbed);
      await correction(undisturbed);
      const after = await see(undisturbed);
      await undisturbed.close();
      expect(after.version).toBe(9);
      const outcomes = { old: 0, new: 0 };
      for (let at = 1 + (FAULTS.indexOf(fault) % STRIDE); ; at += STRIDE) {
        const folder = path.join(temporaryFolder(), 'lake');
        cpSync(template, folder, { recursive: true });
        const { failed, calls } = await attempt(folder, at, fault);
        if (!failed && calls < at) break;
        await using lake = await openLake(folder, { tables: TABLES });
        const seen = await see(lake);
        const where = `${fault} at call ${at}`;
        expect([before, after], where).toContainEqual(seen);
        outcomes[seen.version === after.version ? 'new' : 'old']++;
        expect((await checkLake(lake)).problems, where).toEqual([]);
        await correction(lake);
        expect(await see(lake), where).toEqual(after);
      }
      // What was linked is linked, whatever was answered.
      if (fault === 'was-there') expect(outcomes.old).toBe(0);
      else expect(outcomes.old).toBeGreaterThan(20 / STRIDE);
      expect(outcomes.new).toBeGreaterThan(20 / STRIDE);
    },
  );
});
