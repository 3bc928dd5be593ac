/** Backfills from archives that are incomplete, missing or damaged. */
import '../../../support/slow-cases.ts';
import '../../integration/edgar-sync/backfill.test.ts';
