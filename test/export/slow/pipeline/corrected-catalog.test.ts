/** A corrected catalog: after any changes, with exports between them. */
import '../../../support/slow-cases.ts';
import '../../integration/pipeline/corrected-catalog.test.ts';
