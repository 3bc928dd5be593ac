/** The time that a damaged file takes. */
import '../../../support/slow-cases.ts';
import '../../unit/edgar/broken.test.ts';
