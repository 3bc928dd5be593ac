/** An export that stops at its own budget. */
import '../../support/slow-cases.ts';
import '../e2e/quota.test.ts';
