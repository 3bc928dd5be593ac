/** A process that compacts a lake over and over: `compactor.ts FOLDER`, until its standard input ends. */
import { openLake } from '../../../src/lake/index.ts';
import { FEW_TABLES } from '../../support/lake/small-lake.ts';

const lake = await openLake(process.argv[2]!, { tables: FEW_TABLES });
let ended = false;
process.stdin.on('end', () => {
  ended = true;
});
process.stdin.resume();
let commits = 0;
do commits += (await lake.compact()).commits;
while (!ended);
await lake.close();
process.stdout.write(JSON.stringify({ commits }));
