/** Errors of the tools for agents. Models read them: a message names the input, a remedy the next call. */
import type { ErrorsByExit } from './exit-codes.ts';

export const AGENT_ERRORS = {
  usage: {
    'tool-input-invalid': ['An argument of a tool has a value that it does not take.', 'Correct the argument.'],
    'cursor-invalid': [
      'The cursor belongs to other arguments, or was changed.',
      'Repeat the call with the same arguments, and with `next` of its last answer as `cursor`.',
    ],
    'company-unknown': ['No company matches.', 'Call find_companies with a part of the name, or give a CIK.'],
    'company-ambiguous': ['Several companies match.', 'Give the CIK of one of them.'],
    'filing-unknown': ['There is no such filing here.', 'Call find_filings to list filings.'],
    'passage-missing': [
      'The text is not here, or the filing has no such part.',
      'Call outline: it lists the documents and sections that can be read.',
    ],
    'lake-unnamed': [
      'The tool reads tables, and this server has no lake.',
      'Start `filinglake mcp --lake PLACE`, or call the tools that read filings.',
    ],
    'exports-unsupported': [
      'This server starts no exports.',
      'Start `filinglake mcp --lake PLACE --service URL` with FILINGLAKE_API_KEY set.',
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
    'source-missing': ['The command was given nothing to read.', 'Give --lake, --catalog or --service.'],
  },
} as const satisfies ErrorsByExit;
