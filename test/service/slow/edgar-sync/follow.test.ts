/** Following EDGAR for thirty days, and over many pages of its feed. */
import '../../../support/slow-cases.ts';
import '../../integration/edgar-sync/follow.test.ts';
