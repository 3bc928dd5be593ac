/** Lists of a bucket that have several pages. */
import '../../support/slow-cases.ts';
import '../integration/storage-contract.test.ts';
