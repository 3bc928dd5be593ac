/** XML that can't be read: position and reason. The document gives no row. */
import { FilinglakeError } from '../../../core/index.ts';

export type XmlFaultCode = 'xml-malformed' | 'xml-entities-declared' | 'xml-too-deep';

export class XmlFault extends FilinglakeError {
  override name = 'XmlFault';
  /** From 1. */
  readonly line: number;

  /** @param at position in `text`, in UTF-16 units @param linesBefore lines of the document before `text` */
  constructor(code: XmlFaultCode, message: string, text: string, at: number, linesBefore = 0) {
    let line = linesBefore + 1;
    for (let next = text.indexOf('\n'); next >= 0 && next < at; next = text.indexOf('\n', next + 1)) line++;
    super(code, `${message} (line ${line})`, { remedy: 'Fetch the document again.' });
    this.line = line;
  }
}
