/** Sections of labelled filings that are set in new typography, as filers of many years do: recall and precision by way. */
import { type Manuscript, manuscriptOf } from '../test/support/documents/typeset/manuscript.ts';
import { typeset } from '../test/support/documents/typeset/typeset.ts';
import { heldBack, WAYS } from '../test/support/documents/typeset/ways.ts';
import { scoreWays } from './section-score/ways.ts';

export const summary =
  'recall and precision on labelled filings that are set in new typography, by way: [NAME|dev|held] [every Nth filing]';

export async function run(args: string[], { json }: { json: boolean }): Promise<void> {
  const ways = WAYS.map((way) => ({
    name: way.name,
    isHeld: heldBack(way),
    write: (filing: Manuscript) => {
      const manuscript = way.set(filing);
      const written = manuscript && typeset(manuscript, way.setting, way.name);
      return written?.label.sections.length ? written : null;
    },
  }));
  scoreWays(args, json, manuscriptOf, ways);
}
