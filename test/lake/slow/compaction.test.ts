/** Compactions of long text. */
import '../../support/slow-cases.ts';
import '../integration/compaction.test.ts';
