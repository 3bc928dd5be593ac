/** What an index in OpenSearch holds of a document: its words, made here, and what searches filter and sort by. */
import { FilinglakeError } from '../../../core/index.ts';
import { decode } from '../fulltext/passages.ts';
import { tokenText } from '../fulltext/tokens.ts';
import { decompress } from '../packs/frames.ts';
import type { PackReader } from '../packs/packs.ts';
import { DOCUMENTS_A_DAY } from '../store/schema.ts';
import { INDEX_FORMAT } from './state.ts';
import { VALUE_CHARACTERS_MAX } from './translate.ts';

/** Documents that are read together */
export const GROUP = 500;
/** A text goes in parts: OpenSearch limits the length of one value. */
const PART_CHARACTERS = 1_000_000;

export const MAPPINGS = {
  _meta: { filinglake: INDEX_FORMAT },
  dynamic: 'strict',
  _source: { includes: ['state'] },
  // The words of a document are made here: the engine only splits them at spaces.
  properties: {
    text: { type: 'text', analyzer: 'whitespace', position_increment_gap: 0 },
    id: { type: 'long' },
    day: { type: 'integer' },
    sequence: { type: 'integer' },
    place: { type: 'long' },
    accession: { type: 'keyword' },
    form: { type: 'keyword' },
    type: { type: 'keyword' },
    items: { type: 'keyword' },
    ciks: { type: 'long' },
    amendment: { type: 'boolean' },
    state: { type: 'object', enabled: false },
  },
};
/** What a cluster may set in another way, and must not for this index. */
export const SETTINGS = {
  refresh_interval: '-1',
  // Late writes of an older run meet a newer version of the document, also if it was deleted.
  gc_deletes: '24h',
  // A copy has what was refreshed, and a crash loses nothing that was answered.
  'replication.type': 'DOCUMENT',
  'translog.durability': 'request',
};

export interface DocumentRow {
  id: number;
  sequence: number;
  type: string | null;
  pack: number;
  text_offset: number;
  text_length: number;
  accession: string;
  form: string;
  amendment: number;
  items: string;
  ciks: string;
}

const DOCUMENT = `SELECT d.id, d.sequence, d.type_key AS type, d.pack, d.text_offset, d.text_length, f.accession, f.form_key AS form, f.amendment,
  (SELECT json_group_array(item) FROM filing_items WHERE filing = f.id) AS items,
  (SELECT json_group_array(cik) FROM (SELECT DISTINCT cik FROM filing_parties WHERE filing = f.id AND cik IS NOT NULL)) AS ciks`;
export const NEXT = `${DOCUMENT} FROM documents d CROSS JOIN filings f ON f.id = d.filing WHERE d.id > ? AND d.searched = 1 ORDER BY d.id LIMIT ${GROUP}`;
export const THESE = `${DOCUMENT} FROM json_each(?) i CROSS JOIN documents d ON d.id = i.value CROSS JOIN filings f ON f.id = d.filing WHERE d.searched = 1`;
/** Packs are only appended to: what was read again lies at another place. */
export const PLACE = 'd.pack * 4294967296 + d.text_offset';

/** @throws FilinglakeError `catalog-unreadable`, `pack-damaged` */
export function sourceOf(row: DocumentRow, packs: PackReader): object {
  const { id, sequence, accession, form, type, pack, text_offset: offset, text_length: length } = row;
  if (offset === null || length === null)
    throw new FilinglakeError('catalog-unreadable', `document ${accession}-${sequence} is searched, but has no text`);
  const short = (value: string) => value.slice(0, VALUE_CHARACTERS_MAX + 1);
  return {
    id,
    day: Math.floor(id / DOCUMENTS_A_DAY),
    accession,
    sequence,
    place: pack * 2 ** 32 + offset,
    form: short(form),
    amendment: row.amendment === 1,
    ...(type === null ? {} : { type: short(type) }),
    items: (JSON.parse(row.items) as string[]).map(short),
    ciks: JSON.parse(row.ciks) as number[],
    text: partsOf(tokenText(decode(decompress(packs.read({ pack, offset, length }))))),
  };
}

/** Parts end between words. The positions of words continue over them. */
function partsOf(words: string): string[] {
  const parts: string[] = [];
  for (let from = 0; from < words.length; ) {
    let to = from + PART_CHARACTERS;
    if (to < words.length) to = words.lastIndexOf(' ', to);
    parts.push(words.slice(from, to));
    from = to + 1;
  }
  return parts;
}
