/** What commands of statements take: items and moments. Errors name what is near. */
import { FilinglakeError, invalidValue, nearestWord } from '../../core/index.ts';
import { statementItems, statementRules } from '../../filings/statements/index.ts';
import type { Lake } from '../../lake/index.ts';
import { filingsWithout, mayCount, sentencesOfWithout } from '../../lake/report/index.ts';

/** @throws FilinglakeError `argument-invalid` with up to five names that are like it */
export function knownItem(item: string): string {
  const known = statementItems();
  if (known.includes(item)) return item;
  const parts = item.split('_').filter((part) => part.length > 3);
  const near = nearestWord(item, known);
  const alike = known.filter((name) => name !== near && parts.some((part) => name.includes(part)));
  const matches = [...(near === null ? [] : [near]), ...alike].slice(0, 5);
  throw new FilinglakeError(
    'argument-invalid',
    `there is no item '${item}'${matches.length > 0 ? `; did you mean ${matches.join(', ')}?` : ''}`,
    { remedy: 'List them: `filinglake schema items`.' },
  );
}

/** A count of shares, or an amount for each: a split changes what they mean. */
export const isOfShares = (item: string): boolean => statementRules().items.get(item)?.unit !== 'money';

/** `YYYY-MM-DD HH:MM:SS`, Eastern; a day is its beginning. @throws FilinglakeError `argument-invalid`, also for a time with a zone */
export function momentOf(text: string): string {
  const found = /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2})(:\d{2}(?:\.\d{1,6})?)?)?$/.exec(text);
  const moment = found && `${found[1]} ${found[2] ?? '00:00'}${found[3] ?? ':00'}`;
  const date = moment === null ? null : new Date(`${moment.replace(' ', 'T')}Z`);
  const isReal = date !== null && !Number.isNaN(date.getTime()) && date.toISOString().startsWith(found![1]!);
  if (isReal) return moment!;
  throw invalidValue(
    'argument-invalid',
    '--as-of',
    'a day, or a day and a time of Eastern without a zone',
    text,
    'Give for example --as-of 2020-06-30 or --as-of 2020-06-30T16:00.',
  );
}

/** @throws FilinglakeError `table-unknown` for a lake without fundamentals */
export async function refuseWithoutFundamentals(lake: Lake, at: number): Promise<void> {
  const { tables } = await lake.snapshot(at);
  if (tables.has('fundamentals') || tables.has('printed_fundamentals')) return;
  const groups = mayCount(tables) ? await filingsWithout((sql) => lake.query(sql, { at })) : [];
  const waiting = groups.filter(
    ({ rows, without }) => rows !== 'sections' && without.some(({ reason }) => reason === 'not_yet_fetched'),
  );
  const remedy =
    'Run `filinglake remap --tables statements` if the lake has documents, or export with `tables: [filings, statements]`.';
  throw new FilinglakeError('table-unknown', 'the lake has no table fundamentals', {
    remedy:
      waiting.length === 0
        ? remedy
        : `${sentencesOfWithout(waiting).join('; ')}. \`filinglake status\` says if a run waits.`,
  });
}
