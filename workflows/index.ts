/** Everything that a filinglake worker runs. */
export { budgetWorkflow } from './budget.ts';
export { exportWorkflow } from './export.ts';
