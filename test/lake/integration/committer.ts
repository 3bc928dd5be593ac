/**
 * A process that commits batches to a lake: `committer.ts FOLDER RUN COUNT`. Every second batch has a filing that all runs write.
 */
import type { FilinglakeError } from '../../../src/core/index.ts';
import { openLake } from '../../../src/lake/index.ts';
import { accession, bring, FEW_TABLES, filingRows, together, wholeFiling } from '../../support/lake/small-lake.ts';

const [folder, run, count] = process.argv.slice(2) as [string, string, string];
const lake = await openLake(folder, { tables: FEW_TABLES });
const versions: number[] = [];
for (let n = 0; n < Number(count); n++) {
  const own = 100 * (1 + Number(run)) + n;
  // Entities are replaced: the last writer wins, and each part is rewritten while others write.
  const entities = [{ cik: '1', name: run }];
  const replace = [...wholeFiling(own), { table: 'entities', columns: ['cik'], values: [['1']] }];
  for (let plan = 0; ; plan++) {
    const base = await lake.currentVersion();
    const there = await lake.query(`SELECT 1 FROM coverage WHERE accession_number = '${accession(n)}'`);
    const rows = n % 2 === 0 || there.length > 0 ? filingRows(own) : together(filingRows(own), filingRows(n));
    try {
      const batch = `b${n}-${plan}`;
      versions.push((await bring(lake, { run, batch, base }, { ...rows, entities }, replace)).version);
      break;
    } catch (error) {
      // Another process was first.
      if ((error as FilinglakeError).code !== 'plan-outdated') throw error;
    }
  }
}
await lake.close();
process.stdout.write(JSON.stringify({ versions, last: accession(0) }));
