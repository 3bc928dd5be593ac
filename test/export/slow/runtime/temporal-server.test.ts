/** Deaths of the embedded Temporal, its supervisor and its users. */
import '../../../support/slow-cases.ts';
import '../../integration/runtime/temporal-server.test.ts';
