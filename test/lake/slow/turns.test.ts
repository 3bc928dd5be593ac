/** The law of test/lake/integration/turns.test.ts, for longer. */
import '../../support/slow-cases.ts';
import '../integration/turns.test.ts';
