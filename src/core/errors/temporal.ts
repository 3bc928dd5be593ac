/** Errors of Temporal, which runs exports. */
import type { ErrorsByExit } from './exit-codes.ts';

export const TEMPORAL_ERRORS = {
  usage: {},
  unreachable: {
    'temporal-unreachable': [
      'The Temporal server cannot be reached.',
      'Check TEMPORAL_ADDRESS, TEMPORAL_API_KEY and TEMPORAL_TLS. Unset them to use a server that filinglake starts.',
    ],
    'temporal-missing': [
      'There is no Temporal server, and none could be fetched or started.',
      'Run `filinglake doctor`, and read the log that it names. Or set TEMPORAL_ADDRESS to a server that runs, or install the Temporal CLI so that `temporal` is on PATH.',
    ],
    'temporal-database-unusable': [
      "The database of filinglake's own Temporal server is damaged or in use.",
      'End the other process, or move the damaged file away. Lakes keep all that was committed.',
    ],
    'temporal-refused': [
      'Temporal refuses the key, the certificate, the namespace or the search attributes of exports.',
      'Check TEMPORAL_API_KEY, TEMPORAL_NAMESPACE and the TEMPORAL_TLS_ settings, and that the key may use the namespace.',
    ],
  },
} as const satisfies ErrorsByExit;
