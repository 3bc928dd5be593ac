/** Sections of labelled filings that are rewritten in many ways: recall and precision by way. */
import { blocksOf } from '../test/support/documents/variants/filing-blocks.ts';
import { heldOut, VARIANTS } from '../test/support/documents/variants/variants.ts';
import { scoreWays } from './section-score/ways.ts';

export const summary = 'recall and precision on labelled rewritten filings, by way: [NAME|dev|held] [every Nth filing]';

export async function run(args: string[], { json }: { json: boolean }): Promise<void> {
  const ways = VARIANTS.map((variant) => ({
    name: variant.name,
    isHeld: heldOut(variant),
    write: variant.apply.bind(variant),
  }));
  scoreWays(args, json, blocksOf, ways);
}
