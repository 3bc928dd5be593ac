/** Sections that filing_info lists: an answer of filing_sections without any of them contradicts it. */
import type { Lake } from '../../../lake/index.ts';
import { selectorCovers } from '../../steps/index.ts';
import { among } from '../sql-values.ts';

/** Codes by accession number, from the lake's table `sections`. */
export async function listedSections(
  lake: Pick<Lake, 'query'>,
  numbers: readonly string[],
): Promise<Map<string, string[]>> {
  if (numbers.length === 0) return new Map();
  const rows = await lake.query(
    `SELECT accession_number, string_agg(section, ',') AS codes FROM sections WHERE accession_number IN ${among(numbers)} GROUP BY ALL`,
    { tables: ['sections'] },
  );
  return new Map(rows.map(({ accession_number, codes }) => [String(accession_number), String(codes).split(',')]));
}

/** The codes of one filing. @param numbers of all filings that may be requested: they are read together, at the first question. */
export function listedIn(lake: Pick<Lake, 'query'>, numbers: readonly string[]) {
  let read: ReturnType<typeof listedSections> | undefined;
  return async (number: string): Promise<readonly string[]> => {
    read ??= listedSections(lake, numbers);
    return (await read).get(number) ?? [];
  };
}

/** @param selector of a step `sections`: `10-K`, or `10-K:1A,10-K:7` */
export function isAmongChosen(selector: string, codes: readonly string[] = []): boolean {
  const families = new Set(selector.split(',').map((word) => word.split(':')[0]!));
  return codes.some((code) => [...families].some((family) => selectorCovers(selector, `${family}:${code}`)));
}
