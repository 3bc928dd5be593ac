import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { scaled } from '../../../../../src/filings/forms/xbrl/transformations/decimal-text.ts';
import { transformation } from '../../../../../src/filings/forms/xbrl/transformations/registry.ts';
import { jsonRows, sharedFolder } from '../../../../support/shared.ts';

const V = (version: string) => `http://www.xbrl.org/inlineXBRL/transformation/${version}`;
const REGISTRIES = [V('2010-04-20'), V('2011-07-31'), V('2015-02-26'), V('2020-02-12'), V('2022-02-16')];
const SEC = 'http://www.sec.gov/inlineXBRL/transformation/2015-08-31';

/** @param registry 1 to 5 */
const transformed = (registry: number, name: string, text: string) =>
  transformation(REGISTRIES[registry - 1]!, name)!(text);

describe('transformations', () => {
  it.each([
    [1, 'dateslashus', '3/29/25', '2025-03-29'],
    [1, 'dateslasheu', '29/03/2025', '2025-03-29'],
    [1, 'datelongus', 'March 29, 2025', '2025-03-29'],
    [1, 'dateshortmonthdayus', 'Mar 9', '--03-09'],
    [1, 'datelongyearmonth', '2025 March', '2025-03'],
    [1, 'numcommadot', '1,234.50', '1234.50'],
    [1, 'numdotcomma', '1.234,50', '1234.50'],
    [1, 'numspacecomma', '1 234,5', '1234.5'],
    [1, 'numdash', '-', '0'],
    [2, 'numdotdecimal', ' 1,234 567.80 ', '1234567.80'],
    [2, 'numdotdecimal', '1,23', null],
    [2, 'numcommadecimal', '1.234,5', '1234.5'],
    [2, 'numunitdecimal', '1,000 Euro 5', '1000.05'],
    [2, 'zerodash', '\u2014', '0'],
    [2, 'zerodash', '--', null],
    [2, 'nocontent', 'anything', ''],
    [2, 'booleantrue', '', 'true'],
    [2, 'datedaymonthyearen', '1st of March 99', '2099-03-01'],
    [2, 'dateerayearmonthdayjp', '平成元年5月1日', '1989-05-01'],
    [2, 'dateerayearmonthjp', '令和２年１２月', '2020-12'],
    [2, 'dateyearmonthdaycjk', '2020年2月29日', '2020-02-29'],
    [3, 'datedaymonthyeardk', '2. marts 2015', '2015-03-02'],
    [3, 'datemonthyear', '03/2015', '2015-03'],
    [3, 'dateyearmonthday', '2015-3-1', '2015-03-01'],
    [3, 'datedaymonthyearin', '११ जुलाई २०१५', '2015-07-11'],
    [3, 'calindaymonthyear', '11 पौष 1921', '2000-01-01'],
    [3, 'calindaymonthyear', '1 Chaitra 1942', '2020-03-21'],
    [3, 'numdotdecimalin', '1,23,45,678.90', '12345678.90'],
    [3, 'numunitdecimalin', '12,345 rupees 6 paise', '12345.06'],
    [4, 'num-dot-decimal', '1 234 567.80', '1234567.8'],
    [4, 'num-dot-decimal', '.5', '0.5'],
    [4, 'num-dot-decimal', ',', null],
    [4, 'num-comma-decimal', '1.234,50', '1234.5'],
    [4, 'num-unit-decimal', '1,000円5銭', '1000.05'],
    [4, 'fixed-zero', 'nil', '0'],
    [4, 'fixed-empty', 'x', ''],
    [4, 'date-day-monthname-year-de', '1. März 2021', '2021-03-01'],
    [4, 'date-day-monthname-year-fr', '1er août 2021', '2021-08-01'],
    [4, 'date-day-monthname-year-fi', '5. marraskuuta 2020', '2020-11-05'],
    [4, 'date-day-monthname-year-pl', '7 października 2020', '2020-10-07'],
    [4, 'date-day-monthname-year-cs', '1. července 2020', '2020-07-01'],
    [4, 'date-day-monthname-year-el', '5 Μαΐου 2020', '2020-05-05'],
    [4, 'date-day-monthname-year-bg', '5 юни 2020', '2020-06-05'],
    [4, 'date-day-monthname-sv', '5 maj', '--05-05'],
    [4, 'date-day-monthroman-year', '5.XII.2020', '2020-12-05'],
    [4, 'date-year-monthname-day-hu', '2020. szeptember 5.', '2020-09-05'],
    [4, 'date-year-monthname-day-lt', '2020 m. rugsėjo 5 d.', '2020-09-05'],
    [4, 'date-year-day-monthname-lv', '2020. gada 5. maijs', '2020-05-05'],
    [4, 'date-monthname-day-year-en', 'February 30, 2023', null],
    [4, 'date-monthname-day-en', 'February 29', '--02-29'],
    [5, 'num-dot-decimal-apos', "1'234'567.5", '1234567.5'],
    [5, 'num-comma-decimal-apos', '1\u2019234,5', '1234.5'],
    [5, 'date-day-monthname-year-cy', '5 Rhagfyr 2020', '2020-12-05'],
  ] as const)('registry %d, %s: %s', (registry, name, text, value) => {
    expect(transformed(registry, name, text)).toBe(value);
  });

  it('are known by registry: a name of one means nothing in another', () => {
    expect(transformation(REGISTRIES[3]!, 'numdotdecimal')).toBeNull();
    expect(transformation(REGISTRIES[2]!, 'num-dot-decimal')).toBeNull();
    expect(transformation(REGISTRIES[3]!, 'num-dot-decimal-apos')).toBeNull();
    expect(transformation('http://nowhere.example', 'numdotdecimal')).toBeNull();
    expect(transformation(SEC, 'constructor')).toBeNull();
  });

  it.each([
    ['durwordsen', 'one hundred and twenty days', 'P120D'],
    ['durwordsen', 'five years and 30 days', 'P5Y30D'],
    ['durwordsen', 'years', null],
    ['duryear', '0', 'P0Y'],
    ['duryear', '0.5', 'P0Y6M'],
    ['durhour', '0', 'PT0H'],
    ['exchnameen', 'NASDAQ Global Market', 'NASDAQ'],
    ['stateprovnameen', 'Québec', 'QC'],
    ['countrynameen', 'The People\u2019s Republic of China', 'CN'],
    ['edgarprovcountryen', 'Ontario, Canada', 'A6'],
    ['edgarprovcountryen', 'Macedonia', '1U'],
    ['entityfilercategoryen', 'non-accelerated filer', 'Non-accelerated Filer'],
    ['numinf', '', 'INF'],
    ['numwordsen', 'three thousand four million', null],
  ])('of SEC, %s: %s', (name, text, value) => {
    expect(transformation(SEC, name)!(text)).toBe(value);
  });
});

const folder = sharedFolder === null ? null : join(sharedFolder, 'xbrl');
const given = folder !== null && existsSync(join(folder, 'transformations.jsonl'));
const lines = (file: string): Record<string, string | boolean | null | undefined>[] => jsonRows(join(folder!, file));

describe.skipIf(!given)('transformations, with the given cases', () => {
  it("does SEC's own 787 tests", () => {
    const wrong = lines('transformations.jsonl').filter(
      ({ transformation: name, input, expected, invalid }) =>
        transformation(SEC, (name as string).slice('ixt-sec:'.length))!(input as string) !==
        (invalid === true ? null : expected),
    );
    expect(wrong).toEqual([]);
  });

  it('handles the formats of real filings', () => {
    const wrong = lines('transformations-seen.jsonl').filter((seen) => {
      const value = transformation(seen.registry as string, seen.transformation as string)!(seen.input as string);
      const number = seen.scale !== undefined || /^num|zero/.test(seen.transformation as string);
      const made = number && value !== null ? scaled(value, Number(seen.scale ?? 0), seen.sign === '-') : value;
      return made !== (seen.expected ?? seen.value);
    });
    expect(wrong).toEqual([]);
  });
});
