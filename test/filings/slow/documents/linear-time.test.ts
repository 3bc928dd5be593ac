/** The time that a text takes, for every shape, and longer ones than in the unit test. */
import '../../../support/slow-cases.ts';
import '../../unit/documents/linear-time.test.ts';
