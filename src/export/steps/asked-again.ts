/** When a step that coverage calls done or absent is requested again: in a refresh, and after an absence of a young filing. */

import { addDays } from '../../core/index.ts';
import { type Filing, type FilingInfo, familyToRequest, isEightK } from '../../filings/api/index.ts';
import type { ExportDefinition } from '../definition/index.ts';

/** Days after a filing in which its sections and lists may still come. */
const YOUNG_DAYS = 30;

/** Whether a filing's steps are requested again, though the lake has them. @param today `YYYY-MM-DD`, of the run */
export function isRefreshed(
  { refresh }: Pick<ExportDefinition, 'refresh'>,
  { filing_date }: Pick<Filing, 'filing_date'>,
  today: string,
): boolean {
  if (refresh === undefined || refresh === 'all') return refresh === 'all';
  return filing_date !== null && filing_date >= addDays(today, -refresh);
}

/** @param today `YYYY-MM-DD` */
export function isYoung({ filing_date }: Pick<Filing, 'filing_date'>, today: string): boolean {
  return filing_date !== null && filing_date > addDays(today, -YOUNG_DAYS);
}

/** What an answer of filing_info has given. A young filing's empty list is left out: the service may have it later. That of a 20-F stays. */
export function selectorGiven(
  selector: string,
  filing: Pick<Filing, 'filing_date'>,
  info: FilingInfo,
  today: string,
): string {
  const filed = { filing_date: filing.filing_date ?? info.filing_date };
  if (!isYoung(filed, today)) return selector;
  if (info.documents.length === 0) return '';
  const form = info.form_type ?? '';
  const isEmpty: Readonly<Record<string, boolean>> = {
    sections: familyToRequest(form, info) !== null && info.sections.length === 0,
    items_8k: isEightK(form) && (info.items_8k?.length ?? 0) === 0,
  };
  return selector
    .split(',')
    .filter((word) => !isEmpty[word.split(':')[0]!])
    .join(',');
}
