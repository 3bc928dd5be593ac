/** Every input and every service: the lake has the rows of complete submissions, or nothing in the input has them. Whole in the slow tier. */
import { beforeAll, describe, expect, it } from 'vitest';
import { EXPORT_TABLES, TABLE_GROUPS } from '../../../../src/lake/tables/index.ts';
import { CORPUS, INPUTS } from '../../../support/doors/corpus.ts';
import { FOREIGN } from '../../../support/doors/foreign.ts';
import { lakeOfInput, type MadeLake, strayRows } from '../../../support/doors/inputs.ts';
import { unknownReds } from '../../../support/doors/reds.ts';
import { IN_SLOW_TIER } from '../../../support/tier-cases.ts';

const COMPLETE = INPUTS['complete submissions']!;
/** Of the quick tier. */
const CHOSEN = ["an inline page beside SEC's JSON", 'a bare header', 'a service that spells codes `Item 1A`'];
const tierHas = (name: string) => IN_SLOW_TIER || CHOSEN.includes(name);

/** Tables that code fills, from values that no descriptor tells: the lake of `doors.test.ts` has rows of them. */
const RULED =
  /^(party_former_names|annual_report_sections|ownership_(holdings|footnote.*)|f13_text_.*|beneficial_items|nport_(months|derivative.*|reference_ids|swap_legs|rate_resets|notional_amounts|index_components)|atsn_answers|xbrl_(footnotes|definition|checks)|ex27_facts|fundamental_sources|form_problems|edgar_days)$/;

/** The quick tier exports a few filings from each service. */
const SERVED = IN_SLOW_TIER ? COMPLETE : INPUTS['an inline page alone in its submission']!;

let whole: MadeLake;
beforeAll(async () => {
  whole = await lakeOfInput(COMPLETE);
});

describe('the made filings', () => {
  it('have rows for every group that a definition can name', () => {
    for (const [group, tables] of TABLE_GROUPS)
      expect(
        tables.some((table) => (whole.contents[table]?.length ?? 0) > 0),
        group,
      ).toBe(true);
  });

  it('have rows for every table but those that wait for rules of their own forms', () => {
    const empty = EXPORT_TABLES.filter((table) => !RULED.test(table) && !whole.contents[table]?.length);
    expect(empty, 'add a filing with a row to test/support/doors/corpus.ts').toEqual([]);
  });

  it('lose no step without a word', () => {
    const covered = whole.contents.coverage!.map(({ accession_number, step }) => `${accession_number} ${step}`);
    const cells = CORPUS.flatMap(({ accession, form }) =>
      ['filing', 'info', 'forms'].map((step) => {
        const why = covered.includes(`${accession} ${step}`) ? null : 'neither rows nor a row of coverage';
        return [`coverage × ${accession} ${form} ${step}`, why] as const;
      }),
    );
    expect(unknownReds(new Map(cells))).toEqual({});
  });
});

describe.each(Object.entries(INPUTS).filter(([name]) => tierHas(name)))('%s', (name, input) => {
  it('gives the rows of complete submissions in every table', async () => {
    const ours = await lakeOfInput(input);
    const cells = EXPORT_TABLES.map((table) => [`${name} × ${table}`, strayRows(ours, whole, table, input)] as const);
    expect(unknownReds(new Map(cells))).toEqual({});
  });
});

describe.each(Object.entries(FOREIGN).filter(([name]) => tierHas(name)))('%s', (name, foreign) => {
  it('gives the rows of our own service in every table', async () => {
    const ours = await lakeOfInput(SERVED, foreign);
    const laws = { ...SERVED, ...foreign };
    const cells = EXPORT_TABLES.map((table) => [`${name} × ${table}`, strayRows(ours, whole, table, laws)] as const);
    expect(unknownReds(new Map(cells))).toEqual({});
  });
});
