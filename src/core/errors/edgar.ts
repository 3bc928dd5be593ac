/** Errors of EDGAR's files, and of fetching them. */
import type { ErrorsByExit } from './exit-codes.ts';

const AGAIN = 'Fetch the file again.';
const CONTINUE = 'Run the command again later. It fetches only what is missing.';

export const EDGAR_ERRORS = {
  usage: {
    'edgar-agent-missing': [
      'FILINGLAKE_EDGAR_AGENT is not set, or SEC does not accept the name in it.',
      'Set FILINGLAKE_EDGAR_AGENT to your real name and e-mail address. After a refusal, wait ten minutes.',
    ],
    'edgar-unfollowed': ['The catalog has never followed EDGAR.', 'Run `filinglake edgar follow --once` to begin.'],
    'selection-too-wide': [
      'Without a first day the selection covers everything since 1993.',
      'Give --from DATE, --ciks or --tickers. For everything give --from 1993-01-01.',
    ],
    'ticker-unknown': [
      "None of SEC's three lists of tickers has this one.",
      'Give the number with --ciks. The lists have only companies and funds that are listed today.',
    ],
  },
  error: {
    'edgar-busy': [
      'Another edgar command works on this catalog.',
      'Wait until it ends, or stop it. What it has stored stays.',
    ],
    'edgar-file-broken': ["One of SEC's JSON or index files cannot be read.", AGAIN],
    'edgar-ledger-unusable': [
      'The file edgar.db of the catalog cannot be used.',
      'If the file is damaged, move it away. The next command makes it again, and fetches no stored filing twice.',
    ],
    'submission-unrecognised': [
      'The file is not a submission.',
      'Give the complete submission text file (.txt) or the feed file (.nc) as EDGAR sends it.',
    ],
    'submission-truncated': ['The submission was cut short.', AGAIN],
    'submission-broken': ['Something in the submission is wrong.', AGAIN],
    'xml-malformed': ['The XML of a document is not well-formed.', 'Use the document as raw text.', 422],
    'xml-entities-declared': ['The XML declares entities, which are not read.', 'Use the document as raw text.', 422],
    'xml-too-deep': ['Elements of the XML are nested too deep.', 'Use the document as raw text.', 422],
    'xml-too-large': ['The JSON of the XML is too large.', 'Use the document as raw text.', 422],
  },
  unreachable: {
    'edgar-unreachable': ["SEC's server cannot be reached.", CONTINUE],
    'edgar-blocked': [
      'SEC still refuses the requests after each pause.',
      `Check that nothing else on this network asks EDGAR too fast. ${CONTINUE}`,
    ],
  },
} as const satisfies ErrorsByExit;
