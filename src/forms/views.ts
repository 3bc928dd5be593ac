/** All views over tables of forms. */
import { ANALYSIS_VIEWS } from './views/analysis.ts';
import { ANNUAL_VIEWS } from './views/annual.ts';
import { POINT_IN_TIME_VIEWS } from './views/point-in-time.ts';
import { FORM_13F_VIEWS } from './views/sec-13f.ts';
import { FINANCIAL_VIEWS } from './views/sec-financial.ts';
import { FORM_D_VIEWS } from './views/sec-form-d.ts';
import { INSIDER_VIEWS } from './views/sec-insider.ts';
import { NPORT_VIEWS } from './views/sec-nport.ts';
import type { FormView } from './views/view.ts';

export type { FormView } from './views/view.ts';

export const FORM_VIEWS: readonly FormView[] = [
  ...ANALYSIS_VIEWS,
  ...ANNUAL_VIEWS,
  ...POINT_IN_TIME_VIEWS,
  ...FINANCIAL_VIEWS,
  ...INSIDER_VIEWS,
  ...FORM_13F_VIEWS,
  ...FORM_D_VIEWS,
  ...NPORT_VIEWS,
];
