/** What the pages and accounts of a service need of it. */
import type { QuotaPlans } from '../../filings/api/index.ts';
import type { AccountDesk } from '../accounts/index.ts';
import type { CatalogTotals } from '../catalog/index.ts';
import type { PdfMaker } from '../http/operation-route.ts';
import type { PendingAnswers } from '../http/pending-answers.ts';
import type { Looks } from './look.ts';

export interface SiteParts {
  desk: AccountDesk;
  plans: QuotaPlans;
  now: () => Date;
  /** Address of a page, as users reach it */
  addressOf: (path: string) => string;
  looks: Looks;
  pdfs: PdfMaker;
  pending: PendingAnswers;
  totals: CatalogTotals;
}
