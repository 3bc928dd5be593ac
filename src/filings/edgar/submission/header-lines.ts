import { type Line, linesOf } from '../reading/lines.ts';
import type { Warning } from './submission.ts';
import { SubmissionError } from './submission-error.ts';
import type { SubmissionMarkers } from './submission-markers.ts';

const HEADER_TAG = /^\s*<(\/?)(?:SEC|IMS)-HEADER>/;
/** Tags that only documents have: one before the first `<DOCUMENT>` means that that tag is damaged. */
const DOCUMENT_TAG = /^<(?:SEQUENCE|FILENAME|TEXT|\/TEXT|\/DOCUMENT)>/;

/** The lines of the header, without the tags around it; they end at `to`, the start of the documents. Throws SubmissionError. */
export function headerLines(bytes: Buffer, markers: SubmissionMarkers, to: number, warnings: Warning[]): Line[] {
  const lines: Line[] = [];
  let isClosed = false;
  for (const line of linesOf(bytes, markers.headerStart, to)) {
    const tag = HEADER_TAG.exec(line.text);
    if (DOCUMENT_TAG.test(line.text) || (isClosed && line.text.trim() !== '')) {
      const found = JSON.stringify(line.text.slice(0, 30));
      throw new SubmissionError('submission-broken', `${found} stands before the first <DOCUMENT>`, line.offset);
    }
    if (!tag) lines.push(line);
    else if (tag[1]) isClosed = true;
  }
  if (!isClosed && markers.dialect === 'txt') {
    warnings.push({ message: 'the header has no </SEC-HEADER>', offset: to });
  }
  return lines;
}
