/** Windows are compared with counted groups of rows: the counts are those of the rows one by one. */
import { describe, expect, it } from 'vitest';
import { MatchingEntities } from '../../../../src/lake/report/matching-entities.ts';
import { type FilingFilter, MatchingFilings } from '../../../../src/lake/report/matching-filings.ts';
import { random } from '../../../support/documents/rearrange.ts';

const chance = random(11);
const one = <T>(list: readonly T[]): T => list[Math.floor(chance() * list.length)]!;
const some = <T>(list: readonly T[]): T[] => list.filter(() => chance() < 0.4);

describe('counted rows', () => {
  it('of filings are as many as match one by one', () => {
    const filings = Array.from({ length: 200 }, () => ({
      day: one([null, ...Array.from({ length: 12 }, (_, i) => i * 2)]),
      form: one([null, '10-K', '10-K/A', '10-KT', '8-K', '4', '']),
    })).sort((a, b) => (a.day ?? -1) - (b.day ?? -1));
    const counted = new MatchingFilings();
    for (const { day, form } of filings) counted.add(day, form, 1);
    for (let tries = 0; tries < 2_000; tries++) {
      const forms = ['10-k', '10-K/A', '8-K', '1', '99'];
      const filter: Required<FilingFilter> = {
        form_types: chance() < 0.5 ? some(forms) : [],
        excluded_form_types: some(forms),
        exclude_amendments: chance() < 0.5,
      };
      const range = { from: one([null, -1, 3, 4, 22, 30]), to: one([null, -1, 3, 4, 22, 30]) };
      for (const mode of ['whole', 'begun'] as const) {
        const isAsked = (form: string) =>
          filter.form_types.length === 0 ||
          filter.form_types.some((asked) =>
            mode === 'whole' ? form === asked.toUpperCase() : form.startsWith(asked.toUpperCase()),
          );
        const isLeftOut = (form: string) =>
          filter.excluded_form_types.some((excluded) => form === excluded.toUpperCase()) ||
          (filter.exclude_amendments && form.endsWith('/A'));
        const matching = filings.filter(
          ({ day, form }) =>
            (day === null || (day >= (range.from ?? day) && day <= (range.to ?? day))) &&
            (form === null || (isAsked(form) && !isLeftOut(form))),
        );
        expect(counted.count(filter, range, mode), JSON.stringify({ filter, range, mode })).toBe(matching.length);
      }
    }
  });

  it('of entities are as many as match one by one', () => {
    const entities = Array.from({ length: 100 }, () => [
      one(['', '10', '20']),
      one(['', 'DE', 'NY']),
      one(['', 'OTHER']),
    ]);
    const counted = new MatchingEntities();
    for (const values of entities) counted.add(values, 1);
    for (let tries = 0; tries < 500; tries++) {
      const asked = [some(['10', '20', '30']), some(['de', 'NY']), some(['other'])];
      const matching = entities.filter((values) =>
        asked.every(
          (list, i) => list.length === 0 || values[i] === '' || list.some((value) => value.toUpperCase() === values[i]),
        ),
      );
      const [sics, states, entity_types] = asked;
      expect(counted.count({ sics, states, entity_types }), JSON.stringify(asked)).toBe(matching.length);
    }
  });
});
