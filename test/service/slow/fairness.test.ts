/** Slow jobs, deadlines and callers that leave. */
import '../../support/slow-cases.ts';
import '../integration/fairness.test.ts';
