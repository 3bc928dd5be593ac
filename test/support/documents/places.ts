/** A readable text with the position in its source of each character. */
import { positionOf } from '../../../src/filings/documents/lines/lines.ts';
import { furnitureOf, readDocument, written } from '../../../src/filings/documents/text/text.ts';

export function readPlaces(source: string, mediaType: string): { text: string; sourceIndex(index: number): number } {
  const document = readDocument(source, mediaType);
  const { text, places } = written(document, furnitureOf(document));
  const starts = places(document.lines);
  const shown = document.lines.flatMap((line, k) => (starts[k]! < 0 ? [] : [{ line, start: starts[k]! }]));
  return {
    text,
    sourceIndex(index) {
      const { line, start } = shown.findLast((one) => one.start <= index)!;
      return positionOf(source, line, text.slice(start, index).replace(/\s+/g, '').length);
    },
  };
}
