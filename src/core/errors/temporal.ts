/** Errors of Temporal, which runs exports. */
import type { ErrorsByExit } from './exit-codes.ts';

export const TEMPORAL_ERRORS = {
  usage: {
    'temporal-settings-invalid': [
      "Temporal's settings cannot be read.",
      'Correct the TEMPORAL_ variables, and the file that TEMPORAL_CONFIG_FILE names.',
    ],
  },
  unreachable: {
    'temporal-unreachable': [
      'The Temporal server cannot be reached.',
      'Check TEMPORAL_ADDRESS, TEMPORAL_API_KEY and TEMPORAL_TLS. Unset them to use a server that filinglake starts.',
    ],
    'temporal-missing': [
      'There is no Temporal server, and none could be fetched.',
      'Install the Temporal CLI so that `temporal` is on PATH, or set TEMPORAL_ADDRESS to a server that runs.',
    ],
    'temporal-failed': [
      'The Temporal server did not start.',
      'Run `filinglake doctor`, and read the log that it names.',
    ],
    'temporal-database-unusable': [
      "The database of filinglake's own Temporal server is damaged or in use.",
      'End the other process, or move the damaged file away. Lakes keep all that was committed.',
    ],
    'temporal-namespace-missing': [
      'The namespace does not exist, or the key may not use it.',
      'Set TEMPORAL_NAMESPACE, or make the namespace with `temporal operator namespace create`.',
    ],
    'temporal-key-refused': [
      'Temporal refuses the key or the certificate.',
      'Check TEMPORAL_API_KEY and the TEMPORAL_TLS_ settings, and that the key is for this address and namespace.',
    ],
    'temporal-search-attributes-missing': [
      'The search attributes of exports cannot be read or added.',
      'Ask an administrator to run `temporal operator search-attribute create`.',
    ],
  },
} as const satisfies ErrorsByExit;
