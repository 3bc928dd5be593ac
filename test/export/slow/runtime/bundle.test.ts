/** The bundle of the workflows without a cache. */
import '../../../support/slow-cases.ts';
import '../../integration/runtime/bundle.test.ts';
