/** Exhibit 21 of any form, and Exhibit 8 of a 20-F: lists of subsidiaries, which have no form but their layout. */
import type { NamedDocument } from '../map/filing.ts';
import type { FilingMapper } from '../map/form.ts';
import { MAPPING_VERSION } from '../map/problems.ts';
import { readList } from './read-list.ts';
import { subsidiariesTable } from './tables.ts';

export const subsidiaries: FilingMapper = {
  name: 'subsidiaries',
  tables: [subsidiariesTable],
  claims: [],
  *map({ accessionNumber, formType, documents }, _found, problems) {
    let position = 0;
    for (const [place, document] of documents.entries()) {
      const { name: filename, type } = document;
      if (subsidiaryDocuments(formType, [{ filename, type }]).length === 0) continue;
      const text = document.text();
      const words = text.slice(0, 20_000).replace(/<[^<>]*>|&(?:nbsp|#160|#xa0);/gi, ' ');
      const plain = words.replace(/\s+/g, ' ').trim();
      if (/^EX-8/i.test(type!) && !/subsidiar|group companies/i.test(plain.slice(0, 3_000))) continue;
      const label = filename ?? String(place + 1);
      const first = position;
      let [line, counted] = [1, 0];
      const { rows, unread } = readList(text);
      for (const { at, parentAt, ...own } of rows) {
        line += at < counted ? -countOf(text, at, counted) : countOf(text, counted, at);
        counted = at;
        const parent_position = parentAt === null ? null : first + parentAt;
        const of = { accession_number: accessionNumber, position: position++, document: label, line, start_index: at };
        const row = { ...of, ...own, parent_position, mapping_version: MAPPING_VERSION };
        yield { table: subsidiariesTable.name, row };
      }
      if (position === first && plain !== '') problems.add(label, 'no_rows', plain.slice(0, 200));
      else for (const name of unread) problems.add(label, 'unread_line', name.slice(0, 200));
    }
  },
};

const countOf = (text: string, from: number, to: number) => text.slice(from, to).split('\n').length - 1;

/** Documents of a listing that may have a list of subsidiaries. Exhibit 8 of other forms is an opinion on taxes. */
export function subsidiaryDocuments<Document extends NamedDocument>(
  formType: string | null,
  documents: readonly Document[],
): Document[] {
  const exhibit = /^20-?F/i.test(formType ?? '') ? /^EX-(?:21|8)(?:\.\w+)*$/i : /^EX-21(?:\.\w+)*$/i;
  const readable = /(?:^[^.]*|\.(?:x?html?|txt))$/i;
  return documents.filter(({ filename, type }) => exhibit.test(type ?? '') && readable.test(filename ?? ''));
}
