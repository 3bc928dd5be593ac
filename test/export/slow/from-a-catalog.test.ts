/** Exports straight from a catalog: after a kill, and by a worker of their own. */
import '../../support/slow-cases.ts';
import '../e2e/from-a-catalog.test.ts';
