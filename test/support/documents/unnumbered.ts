/** Filings with linked contents whose headings lose their numbers, their words, or stand nowhere. The links stay. */
import { mapText } from './rearrange.ts';

/** `title`: "Risk Factors"; `own`: words that name no item; `none`: nothing is printed. */
export type Heading = 'title' | 'own' | 'none';

const ITEM =
  /^[\s\u00a0]*(?:part\s+[iv]+[\s,.\u2013\u2014-]*)?items?(?:\s|&#160;|&nbsp;|\u00a0)*\d+(?:\s?\(?[a-c](?![a-z])\)?)?(?:\s|&#160;|&nbsp;|\u00a0)*[.:\u2013\u2014-]*/i;
const OWN = 'Chapter Words Of Ours';

interface Headed {
  start_index: number;
  body_index: number;
  end_index: number;
}

/** The filing with other headings, and each section's new place, in the order given. */
export function unnumbered<Section extends Headed>(source: string, sections: readonly Section[], heading: Heading) {
  const order = [...sections].sort((a, b) => a.start_index - b.start_index);
  let text = '';
  let at = 0;
  const shifts: { from: number; by: number }[] = [];
  for (const { start_index, body_index } of order) {
    if (start_index < at || body_index <= start_index) continue;
    const written = source.slice(start_index, body_index);
    let left = true;
    const set =
      heading === 'title'
        ? mapText(written, true, (words) => {
            const bare = left ? words.replace(ITEM, '') : words;
            if (/\S/.test(words)) left = bare === '' || bare === words;
            return bare;
          })
        : mapText(written, true, (words) => {
            const blank =
              words.replaceAll(/[^\s]/g, '').trim() === '' &&
              !/\S/.test(words.replaceAll(/&(?:#160|nbsp);|\u00a0/g, ' '));
            if (blank) return words;
            const own = left && heading === 'own' ? OWN : '';
            left = false;
            return own;
          });
    text += source.slice(at, start_index) + set;
    at = body_index;
    shifts.push({ from: body_index, by: text.length - body_index });
  }
  text += source.slice(at);
  const moved = (position: number) => position + (shifts.findLast(({ from }) => from <= position)?.by ?? 0);
  return {
    text,
    sections: sections.map((one) => ({
      ...one,
      start_index: moved(one.start_index),
      body_index: moved(one.body_index),
      end_index: moved(one.end_index),
    })),
  };
}
