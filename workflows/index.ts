/** Everything that a filinglake worker runs. */
export { budgetWorkflow } from './budget.ts';
export { type ExportRunInput, type ExportRunResult, exportWorkflow } from './export.ts';
