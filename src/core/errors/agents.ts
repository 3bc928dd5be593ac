/** Errors of the tools for agents. Models read them: a message names the input, a remedy the next call. */
import type { ErrorsByExit } from './exit-codes.ts';

export const AGENT_ERRORS = {
  usage: {
    'tool-input-invalid': ['An argument of a tool has a value that it does not take.', 'Correct the argument.'],
    'company-unknown': [
      'No company matches, or several do.',
      'Call find_companies with a part of the name, or give the CIK of one.',
    ],
    'filing-unknown': ['There is no such filing here.', 'Call find_filings to list filings.'],
    'passage-missing': [
      'The text is not here, or the filing has no such part.',
      'Call outline: it lists the documents and sections that can be read.',
    ],
    'plan-unknown': [
      'No plan with this token was shown, or its definition differs.',
      'Call plan_export, read the plan, and give its `plan` to start_export.',
    ],
    'budget-exceeded': [
      'The plan needs more requests or bytes than the budget allows.',
      'Raise the budget, or plan a smaller selection.',
    ],
    'sql-limited': [
      'The statement needs more time, memory or rows than it may use.',
      'Select fewer rows, or aggregate.',
    ],
    'source-missing': [
      'The server was given no lake, catalog or service for this, or no key to export with.',
      'Start `filinglake mcp` with --lake, --catalog or --service; for exports with --lake, --service and FILINGLAKE_API_KEY.',
    ],
  },
} as const satisfies ErrorsByExit;
