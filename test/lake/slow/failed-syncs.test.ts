/** The law of test/lake/integration/failed-syncs.test.ts, at every call. */
import '../../support/slow-cases.ts';
import '../integration/failed-syncs.test.ts';
