/** The law of test/lake/integration/model.test.ts, for longer. */
import '../../support/slow-cases.ts';
import '../integration/model.test.ts';
