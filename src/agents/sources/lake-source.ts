/** Filings and texts of a lake. */
import { counted, quoteList, quoteText } from '../../core/index.ts';
import { readableText, sectionTexts } from '../../filings/documents/index.ts';
import type { Moment } from '../answers/moment.ts';
import type {
  Company,
  CompanyQuery,
  FiledText,
  FilingDetail,
  FilingQuery,
  FilingRow,
  FilingSource,
  Heading,
  Listed,
  SearchHit,
  SearchQuery,
  TextPlace,
} from './filing-source.ts';
import {
  FILING_COLUMNS,
  filingConditions,
  filingOf,
  holding,
  list,
  numbers,
  range,
  SEARCHED,
  SEARCHED_PARTS,
  texts,
  totalOf,
} from './lake-filings.ts';
import { acceptedSql, knownSql, type LakeRow, type LakeTables } from './lake-tables.ts';

/** Someone named in a header, now or formerly, or the company of the filing in a lake without headers. */
const NAMED = `SELECT accession_number, cik, name, sic, sic_description, state_of_incorporation, fiscal_year_end, 1 AS header FROM parties
  UNION ALL SELECT accession_number, cik, entity_name, NULL, NULL, NULL, NULL, 0 FROM filings
  UNION ALL SELECT o.accession_number, p.cik, o.name, NULL, NULL, NULL, NULL, -1
    FROM party_former_names o JOIN parties p USING (accession_number, position)`;

/** A name as people write it: EDGAR's has no apostrophes, and "&" or "AND". */
const plainName = (sql: string) =>
  `trim(regexp_replace(replace(regexp_replace(upper(${sql}), '[''’.]', '', 'g'), '&', ' AND '), '[^\\pL\\pN]+', ' ', 'g'))`;

const TICKERS =
  'a ticker finds companies that have it by the last fetch, or whose filings state it: one after the other may have had it';

/** Texts of late: pages of one text are asked for one after the other. */
const TEXTS_KEPT = 8;

export class LakeSource implements FilingSource {
  readonly kind = 'lake';
  readonly #tables: LakeTables;
  readonly #texts = new Map<string, FiledText | null>();

  constructor(tables: LakeTables) {
    this.#tables = tables;
  }

  async companies(query: CompanyQuery, version: number): Promise<Listed<Company>> {
    const { asOf, cik, ticker, name, sic, state } = query;
    const where = [`n.cik IS NOT NULL AND ${knownSql('f', asOf)}`];
    if (cik !== undefined) where.push(`n.cik = ${quoteText(cik)}`);
    // A ticker of today names a company, and so does one that a filing known by then states. The list of today is in no answer about the past.
    if (ticker !== undefined)
      where.push(
        `n.cik IN (SELECT cik FROM entity_tickers WHERE replace(replace(upper(ticker), '.', '-'), '/', '-') = ${quoteText(ticker)}
          UNION SELECT cik FROM identities_as_of(${asOf === null ? 'NULL' : quoteText(asOf.replace('T', ' '))}) WHERE kind = 'ticker' AND value IN (${quoteText(ticker)}, symbol_form(${quoteText(ticker)})))`,
      );
    const having = ['true'];
    if (name !== undefined)
      having.push(`bool_or(contains(${plainName('name')}, nullif(${plainName(quoteText(name))}, '')))`);
    if (sic !== undefined) having.push(`arg_max(sic, stated) = ${quoteText(sic)}`);
    if (state !== undefined) having.push(`arg_max(state_of_incorporation, stated) = ${quoteText(state.toUpperCase())}`);
    const rows = await this.#tables.rows(
      `WITH named AS (SELECT n.*, f.filing_date, (${acceptedSql('f')}, n.accession_number, n.header) AS stated
         FROM (${NAMED}) n JOIN filings f USING (accession_number) WHERE ${where.join(' AND ')})
       SELECT cik, arg_max(name, stated) AS name, arg_max(sic, stated) AS sic, arg_max(sic_description, stated) AS sic_description,
         arg_max(state_of_incorporation, stated) AS state, arg_max(fiscal_year_end, stated) AS fiscal_year_end,
         list_sort(list(DISTINCT name)) AS names, count(DISTINCT accession_number) AS filings,
         min(filing_date) AS first_filed, max(filing_date) AS last_filed, count(*) OVER () AS total
       FROM named GROUP BY cik HAVING ${having.join(' AND ')}
       ORDER BY filings DESC, try_cast(cik AS BIGINT), cik LIMIT ${query.limit} OFFSET ${query.from}`,
      version,
    );
    const tickers = asOf === null ? await this.#tickers(rows, version) : null;
    return {
      rows: rows.map((row) => {
        const own = texts(row.name);
        return {
          cik: String(row.cik),
          name: own,
          ...(tickers && { tickers: tickers.get(String(row.cik)) ?? [] }),
          sic: texts(row.sic),
          sic_description: texts(row.sic_description),
          state_of_incorporation: texts(row.state),
          fiscal_year_end: texts(row.fiscal_year_end),
          other_names: list(row.names).filter((other) => other !== own),
          filings: numbers(row.filings),
          first_filed: texts(row.first_filed),
          last_filed: texts(row.last_filed),
        };
      }),
      total: totalOf(rows, query.from),
      caveats: ticker !== undefined ? [TICKERS] : [],
    };
  }

  async #tickers(rows: readonly LakeRow[], version: number): Promise<Map<string, string[]>> {
    const found = await this.#tables.rows(
      `SELECT cik, list(ticker ORDER BY position) AS tickers FROM entity_tickers
       WHERE cik IN ${quoteList(rows.map(({ cik }) => String(cik)))} GROUP BY cik`,
      version,
    );
    return new Map(found.map(({ cik, tickers }) => [String(cik), list(tickers)]));
  }

  async filings(query: FilingQuery, version: number): Promise<Listed<FilingRow> & { forms: Record<string, number> }> {
    const where = filingConditions(query);
    const order = query.oldestFirst ? 'ASC' : 'DESC';
    const rows = await this.#tables.rows(
      `SELECT ${FILING_COLUMNS}, count(*) OVER () AS total
       FROM filings f WHERE ${where}
       ORDER BY ${acceptedSql('f')} ${order} NULLS LAST, f.accession_number ${order}
       LIMIT ${query.limit} OFFSET ${query.from}`,
      version,
    );
    // Who asks for one filing counts none.
    const forms =
      query.limit === 1
        ? []
        : await this.#tables.rows(
            `SELECT form_type, count(*) AS n FROM filings f WHERE ${where} GROUP BY ALL ORDER BY n DESC, form_type LIMIT 12`,
            version,
          );
    return {
      rows: rows.map(filingOf),
      total: totalOf(rows, query.from),
      forms: Object.fromEntries(forms.map(({ form_type, n }) => [String(form_type), Number(n)])),
      caveats: [],
    };
  }

  async filing(accessionNumber: string, asOf: Moment | null, version: number): Promise<FilingDetail | null> {
    const { rows } = await this.filings({ numbers: [accessionNumber], asOf, from: 0, limit: 1 }, version);
    const filing = rows[0];
    if (filing === undefined) return null;
    const of = `WHERE accession_number = ${quoteText(accessionNumber)}`;
    const [documents, sections, items, parties] = await Promise.all([
      this.#tables.rows(`SELECT * FROM documents ${of} ORDER BY sequence, document_id`, version),
      this.#tables.rows(
        `SELECT coalesce(c.section, s.section) AS section, coalesce(c.title, s.title) AS title,
           coalesce(c.heading, s.heading) AS heading, coalesce(c.kind, s.kind) AS kind,
           coalesce(c.document_id, s.document_id) AS document_id, s.start_index,
           coalesce(c.substance_start, s.substance_start) AS substance_start, coalesce(c.substance_end, s.substance_end) AS substance_end,
           nullif(concat_ws(', ', coalesce(c.reference_exhibit, s.reference_exhibit),
             'pages ' || coalesce(c.reference_pages, s.reference_pages), coalesce(c.reference_heading, s.reference_heading)), '') AS refers_to,
           -- In UTF-16: characters beyond the basic plane are two.
           length(c.text) + length(regexp_replace(c.text, '[\\x{0}-\\x{FFFF}]', '', 'g')) AS characters
         FROM (FROM section_contents ${of}) c FULL JOIN (FROM sections ${of}) s USING (section)
         ORDER BY s.start_index NULLS LAST, section`,
        version,
      ),
      this.#tables.rows(`SELECT item, title FROM items_8k ${of} ORDER BY item`, version),
      this.#tables.rows(`SELECT role, cik, name FROM parties ${of} ORDER BY position`, version),
    ]);
    return {
      filing,
      documents: documents.map((row) => ({
        document_id: String(row.document_id),
        type: texts(row.type),
        filename: texts(row.filename),
        description: texts(row.description),
        size: numbers(row.size),
      })),
      sections: sections.map((row) => ({
        section: String(row.section),
        title: texts(row.title),
        heading: texts(row.heading),
        kind: texts(row.kind),
        document_id: texts(row.document_id),
        refers_to: texts(row.refers_to),
        characters: numbers(row.characters),
        substance: range(row.substance_start, row.substance_end),
      })),
      items: items.map((row) => ({ item: String(row.item), title: texts(row.title) })),
      parties: parties.map((row) => ({ role: texts(row.role), cik: texts(row.cik), name: texts(row.name) })),
    };
  }

  async text(place: TextPlace, version: number): Promise<FiledText | null> {
    const name = `${version} ${JSON.stringify(place)}`;
    const kept = this.#texts.get(name);
    const text = kept === undefined ? await this.#readText(place, version) : kept;
    this.#texts.delete(name);
    this.#texts.set(name, text);
    for (const oldest of this.#texts.keys()) if (this.#texts.size > TEXTS_KEPT) this.#texts.delete(oldest);
    return text;
  }

  async #readText(place: TextPlace, version: number): Promise<FiledText | null> {
    const { format } = place;
    if ('section' in place) {
      const [row] = await this.#tables.rows(
        `SELECT accession_number, document_id, section, text, source, ${format === undefined ? 'NULL AS html' : 'html'} FROM section_contents
         WHERE accession_number = ${quoteText(place.accession_number)} AND section = ${quoteText(place.section)}`,
        version,
      );
      if (row === undefined || row.text === null) return null;
      // Of a substance that stands elsewhere, the lake has the plain text alone.
      const html = row.source === null || row.source === 'item' ? texts(row.html) : null;
      if (html === null) return filedText(row, String(row.text));
      return filedText(row, sectionTexts([html], format)[0]!, format);
    }
    const which =
      'document_id' in place
        ? `c.document_id = ${quoteText(place.document_id)}`
        : `c.accession_number = ${quoteText(place.accession_number)}`;
    const [row] = await this.#tables.rows(
      `SELECT c.accession_number, c.document_id, NULL AS section, c.text, c.content, c.content_type
       FROM document_contents c LEFT JOIN documents d USING (document_id) LEFT JOIN filings f ON f.accession_number = c.accession_number
       WHERE ${which} AND c.bytes IS NULL
       ORDER BY d.type IS NOT DISTINCT FROM f.form_type DESC, d.sequence NULLS LAST, c.document_id LIMIT 1`,
      version,
    );
    if (row === undefined) return null;
    if (format !== undefined && row.content !== null) {
      const type = texts(row.content_type) ?? 'text/html';
      return filedText(row, readableText(String(row.content), type, format), format);
    }
    const text = texts(row.text) ?? readable(texts(row.content), texts(row.content_type));
    return text === null ? null : filedText(row, text);
  }

  async headings(accessionNumber: string, section: string, version: number): Promise<Heading[] | null> {
    if (!(await this.#tables.has('section_headings', version))) return null;
    const rows = await this.#tables.rows(
      `SELECT position, level, heading, start_index, end_index FROM section_headings
       WHERE accession_number = ${quoteText(accessionNumber)} AND section = ${quoteText(section)} ORDER BY position`,
      version,
    );
    return rows.map((row) => ({
      position: Number(row.position),
      level: Number(row.level),
      heading: String(row.heading),
      start: Number(row.start_index),
      end: Number(row.end_index),
    }));
  }

  async search(query: SearchQuery, version: number): Promise<Listed<SearchHit>> {
    const { asOf, terms, section } = query;
    const found = holding(terms);
    const parts =
      section === undefined
        ? SEARCHED_PARTS
        : `SELECT accession_number, document_id, section, text FROM section_contents WHERE section = ${quoteText(section)}`;
    const where = filingConditions({ ...query, asOf });
    const rows = await this.#tables.rows(
      `WITH hits AS (SELECT ${FILING_COLUMNS}, t.document_id, t.section
         FROM (${parts}) t JOIN filings f USING (accession_number) WHERE ${where} AND ${found})
       SELECT *, count(*) OVER () AS total FROM hits
       ORDER BY coalesce(acceptance_datetime, CAST(filing_date + 1 AS TIMESTAMP)) DESC NULLS LAST, accession_number DESC, document_id, section
       LIMIT ${query.limit} OFFSET ${query.from}`,
      version,
    );
    const hits: SearchHit[] = [];
    for (const row of rows) {
      const place: TextPlace =
        row.section === null
          ? { document_id: String(row.document_id) }
          : { accession_number: String(row.accession_number), section: String(row.section) };
      const text = (await this.text(place, version)) ?? filedText(row, '');
      hits.push({ filing: filingOf(row), document_id: text.document_id, section: text.section, count: null, text });
    }
    const [left] =
      section === undefined
        ? await this.#tables.rows(
            `SELECT count(*) AS n FROM document_contents c JOIN filings f USING (accession_number)
             WHERE ${where} AND c.content_type = 'text/html' AND ${SEARCHED} IS NULL`,
            version,
          )
        : [];
    const unread = Number(left?.n ?? 0);
    const caveats =
      unread === 0
        ? []
        : [
            `${counted(unread, 'HTML document')} not searched: the lake lacks readable text (documents: { text: true })`,
          ];
    return { rows: hits, total: totalOf(rows, query.from), caveats };
  }
}

function filedText(row: LakeRow, text: string, format?: 'markdown'): FiledText {
  return {
    accession_number: String(row.accession_number),
    document_id: texts(row.document_id),
    section: texts(row.section),
    text,
    source: 'lake',
    ...(format && { format }),
  };
}

function readable(content: string | null, contentType: string | null): string | null {
  return content === null ? null : readableText(content, contentType ?? 'text/html');
}
