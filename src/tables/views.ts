/** All views of a lake. */
import { FORM_VIEWS, type FormView } from '../forms/index.ts';
import { COMPANY_VIEWS } from './company-views.ts';

export type View = FormView;

export const VIEWS: readonly View[] = [...COMPANY_VIEWS, ...FORM_VIEWS];
