/** Filings beyond the reach of the feed. */
import '../../../support/slow-cases.ts';
import '../../integration/edgar-sync/odd-days.test.ts';
