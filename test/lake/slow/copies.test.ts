/** The law of test/lake/integration/copies.test.ts, for more copies and more readers. */
import '../../support/slow-cases.ts';
import '../integration/copies.test.ts';
