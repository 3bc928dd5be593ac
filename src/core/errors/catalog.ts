/** Errors of catalogs, of the accounts in them, and of the service over them. */
import type { ErrorsByExit } from './exit-codes.ts';

const CHECK = 'Run `filinglake catalog check` to list the damage, then ingest those files again.';

export const CATALOG_ERRORS = {
  usage: {
    'catalog-missing': [
      'The folder holds no catalog, or none with accounts.',
      'Name the folder of a catalog. `filinglake ingest PATH --catalog DIR` makes one.',
    ],
    'key-unknown': ['There is no API key with this beginning.', 'Run `filinglake keys list` to list the keys.'],
    'quota-plan-unknown': ['There is no quota plan of this name.', 'Name a plan of the plans file.', 503],
    'quota-plans-invalid': [
      'The plans file cannot be read, or has a mistake.',
      'Name a plans file with --plans. Give pricing_url, and plans: each with requests_per_month, bytes_per_month (null: no limit), price, description.',
    ],
    'query-invalid': ['A full-text query cannot be read.', 'Correct the query at the given position.', 400],
    'entity-filter-missing': ['A lookup of entities has no filter.', 'Give at least one filter.', 400],
    'search-too-wide': [
      'A search finds so much, or a filter on names has so many parts, that it can not end in time.',
      'Add words that must occur, other filters or dates, name fewer parts of names, or sort by filing_date.',
      400,
    ],
    'certificate-unusable': [
      'The certificate or the private key of the service cannot be used.',
      'Name PEM files that belong together with --tls-cert and --tls-key.',
    ],
    'address-unusable': [
      'The service cannot listen on this address or port.',
      'Name another --port or --host. Without --port and --strict-port the next free port is used.',
    ],
  },
  error: {
    'catalog-busy': [
      'Another process writes to the catalog, or to its index.',
      'Wait until it ends, end it, or let `filinglake ingest` wait with --wait.',
    ],
    'catalog-replaced': [
      'The catalog was deleted or replaced while a command used it.',
      'Start the command again. A new catalog follows EDGAR from today on: run `filinglake edgar backfill` for earlier days.',
    ],
    'catalog-unreadable': [
      'A file of the catalog cannot be read.',
      'Run the command as a user who may read the catalog.',
    ],
    'catalog-unwritable': [
      'A file of the catalog cannot be written.',
      'Name a folder that you may write to, on a disk with room.',
    ],
    'catalog-unsupported': [
      'Another version of filinglake made the catalog, its edgar.db or its accounts.',
      'Use that version, or ingest the files again into another folder.',
    ],
    'backup-damaged': ['A copy of a catalog is damaged.', 'Restore an earlier copy.'],
    'pack-damaged': ['A file with documents of the catalog is damaged or missing.', CHECK, 500],
    'pack-unreachable': [
      'Documents of the catalog lie in a bucket that does not answer.',
      'Try again. Check the bucket, the credentials and the network.',
      503,
    ],
    'record-damaged': ['A record of the catalog is damaged.', CHECK, 500],
    'fulltext-engine-unreachable': [
      'The engine for full text does not answer.',
      'Start OpenSearch, look at its log, and check the address, the user and the password.',
      503,
    ],
    'fulltext-index-unfit': [
      'The index of the engine for full text is missing, is of another catalog, or lacks changes of this one.',
      'Run `filinglake catalog index` with the catalog and the address of the index; beside a service that is written to, with --follow.',
      503,
    ],
  },
} as const satisfies ErrorsByExit;
