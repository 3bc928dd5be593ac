/** Several processes that download from EDGAR at the same time. */
import '../../../support/slow-cases.ts';
import '../../integration/edgar-sync/fetch.test.ts';
