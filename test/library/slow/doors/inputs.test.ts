/** Every input and every service. */
import '../../../support/slow-cases.ts';
import '../../integration/doors/inputs.test.ts';
