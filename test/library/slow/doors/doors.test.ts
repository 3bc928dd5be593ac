/** Every table, view and recipe through every door, also those of other releases of DuckDB. */
import '../../../support/slow-cases.ts';
import '../../integration/doors/doors.test.ts';
