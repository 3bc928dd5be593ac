/** The largest JSON of an XML document. */
import '../../../support/slow-cases.ts';
import '../../unit/documents/xml-json.test.ts';
