/** Processes that compact a lake while others commit. */
import '../../support/slow-cases.ts';
import '../integration/concurrent.test.ts';
