/** Two commits of the same rows, in the tables that the integration test leaves out. */
import '../../support/slow-cases.ts';
import '../integration/repeated-rows.test.ts';
