/** Questions about real filings too, through every door. */
import '../../../support/slow-cases.ts';
import '../../integration/doors/questions.test.ts';
