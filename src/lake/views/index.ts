/** The views of a lake as data: names, meanings, SQL and columns. */
export { columnsOfView } from './view-columns.ts';
export { readAs, VIEWS, type View } from './views.ts';
