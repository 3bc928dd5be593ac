/** Very many documents beyond documents.max_bytes. */
import '../../../support/slow-cases.ts';
import '../../integration/pipeline/too-large.test.ts';
