/** Work lists of filings with hundreds of documents. */
import '../../../support/slow-cases.ts';
import '../../integration/pipeline/work-list.test.ts';
