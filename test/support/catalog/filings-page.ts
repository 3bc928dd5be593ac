/** The records of a page of filings. */
import type { Filing } from '../../../src/filings/api/index.ts';
import type { FilingsPage } from '../../../src/service/catalog/index.ts';

export function filingsOf({ pieces }: Pick<FilingsPage, 'pieces'>): Filing[] {
  return JSON.parse(`[${Buffer.concat(pieces).toString('utf8')}]`) as Filing[];
}
