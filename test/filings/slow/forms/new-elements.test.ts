/** A new schema version: elements that no mapping knows are counted by path, wherever they are, and change no row. */
import { describe, expect, it } from 'vitest';
import { type Filing, type MappedRow, mapFiling } from '../../../../src/filings/forms/index.ts';
import { filingOf, formFiles, formsFolder } from '../../../support/forms/real-files.ts';

const NEW = '<newElement newAttribute="v2">v1</newElement>';
const FORM = /^\s*(?:<\?xml[^>]*>)?\s*<(?:[\w-]+:)?(?:edgarSubmission|ownershipDocument|informationTable)\b/;

const rowsOf = (filing: Filing) => [...mapFiling(filing)];
const tableRows = (rows: MappedRow[]) =>
  rows.filter(({ table }) => !table.startsWith('form_')).map((row) => JSON.stringify(row));
/** The items of 13D and 13G have one table for all their texts. */
const isAnswer = ({ table, row }: MappedRow) =>
  table === 'beneficial_items' && JSON.stringify(row.field).includes('newElement');

describe.skipIf(formsFolder === null)('a new element in a real form', () => {
  it.each(formsFolder === null ? [] : formFiles())('%s', (file) => {
    const filing = filingOf(file);
    const texts = filing.documents.map((document) => document.text());
    const whole = tableRows(rowsOf(filing));
    for (const [place, text] of texts.entries()) {
      if (whole.length === 0 || !FORM.test(text)) continue;
      const spoken = text.replace(/<!--[\s\S]*?-->/g, (comment) => ' '.repeat(comment.length));
      const ends = [...spoken.matchAll(/<\/[\w:.-]+>/g)].map(({ index }) => index);
      for (const share of [0, 0.1, 0.35, 0.6, 0.9]) {
        const at = ends[Math.floor(ends.length * share)]!;
        const changed = text.slice(0, at) + NEW + text.slice(at);
        const documents = filing.documents.map((document, k) => ({
          ...document,
          text: () => (k === place ? changed : texts[k]!),
        }));
        const rows = rowsOf({ ...filing, documents });
        const answers = rows.filter(isAnswer).length;
        const unknown = rows.filter(
          ({ table, row }) => table === 'form_unknown_elements' && /newElement/.test(`${row.path}`),
        );
        const around = text.slice(at - 60, at + 30);
        expect(answers > 0 ? 2 : unknown.length, around).toBe(2);
        if (answers === 0) expect(tableRows(rows), around).toEqual(whole);
      }
    }
  });
});

/** One word of a document's beginning, changed as a new version might. */
const CHANGES: Record<string, (text: string) => string> = {
  type: (text) => text.replace(/(<(?:[\w-]+:)?(?:submissionType|documentType)>)([^<]*)/, '$1$2-X9'),
  'another type': (text) => text.replace(/(<(?:[\w-]+:)?(?:submissionType|documentType)>)[^<]*/, '$1QX'),
  'no type': (text) => text.replace(/<(?:[\w-]+:)?(?:submissionType|documentType)>[^<]*<\/[^>]*>/, ''),
  root: (text) =>
    text.replace(/(<\/?(?:[\w-]+:)?)(edgarSubmission|ownershipDocument|informationTable|proxyVoteTable)\b/g, '$1$2V2'),
  namespace: (text) => text.replace(/(xmlns(?::\w+)?="http:\/\/www\.sec\.gov\/edgar\/[^"]*)"/, '$1-v2"'),
  version: (text) => text.replace(/(<(?:[\w-]+:)?schemaVersion>)[^<]*/, '$1X9999'),
};

describe.skipIf(formsFolder === null)('a real form with one word changed', () => {
  it.each(Object.keys(CHANGES))('%s: loses no row without a problem', (name) => {
    const silent: string[] = [];
    let tried = 0;
    for (const file of formFiles()) {
      const filing = filingOf(file);
      const texts = filing.documents.map((document) => document.text());
      const whole = tableRows(rowsOf(filing));
      for (const [place, text] of texts.entries()) {
        const changed = CHANGES[name]!(text);
        if (changed === text || !FORM.test(text.replace(/<!--[\s\S]*?-->/g, ''))) continue;
        tried++;
        const documents = filing.documents.map((document, k) => ({
          ...document,
          text: () => (k === place ? changed : texts[k]!),
        }));
        const rows = rowsOf({ ...filing, documents });
        const isNamed = rows.some(({ table }) => table === 'form_problems');
        if (tableRows(rows).length < whole.length && !isNamed) silent.push(file);
      }
    }
    expect(silent).toEqual([]);
    expect(tried).toBeGreaterThan(10);
  });
});
