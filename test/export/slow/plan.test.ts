/** A plan of every document, compared with the run that follows it. */
import '../../support/slow-cases.ts';
import '../e2e/plan.test.ts';
