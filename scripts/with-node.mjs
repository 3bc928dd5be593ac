/**
 * Run as `node scripts/with-node.mjs SCRIPT [ARGUMENT…]`: runs a script of this checkout under a suitable Node, with all packages
 * installed. Whatever is missing is downloaded first. Runs on Node 18 and later, on a bare clone.
 */
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { passOn } from '../bin/pass-on.mjs';
import { environmentFor, SetUpError, suitableNode } from '../bin/suitable-node.mjs';
import { installPackages } from './install-packages.mjs';

const checkout = fileURLToPath(new URL('..', import.meta.url));
const [script, ...args] = process.argv.slice(2);
const say = (line) => process.stderr.write(`${line}\n`);

try {
  if (!script) throw new SetUpError('no script was named', 'node scripts/with-node.mjs scripts/test.ts');
  const node = await suitableNode(say);
  await installPackages(checkout, node, say);
  passOn(node, [resolve(checkout, script), ...args], environmentFor(node));
} catch (error) {
  if (!(error instanceof SetUpError)) throw error;
  say(`error: ${error.message}`);
  say(`       ${error.remedy}`);
  process.exitCode = 1;
}
