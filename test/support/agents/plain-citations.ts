/** Citations read again by what knows nothing of filinglake's code: plain DuckDB with lake.sql, and the bytes that were filed. */
import { createHash } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import { type DefaultTreeAdapterTypes, parse } from 'parse5';
import type { Answer } from './agent-lake.ts';

const sha256 = (text: string) => createHash('sha256').update(text, 'utf8').digest('hex');
const quoted = (text: string) => `'${text.replaceAll("'", "''")}'`;

export class PlainCitations {
  readonly #instance: DuckDBInstance;
  readonly #duckdb: DuckDBConnection;
  readonly #files: ReadonlyMap<string, string>;
  readonly #filed = new Map<string, string>();

  private constructor(instance: DuckDBInstance, duckdb: DuckDBConnection, files: ReadonlyMap<string, string>) {
    [this.#instance, this.#duckdb, this.#files] = [instance, duckdb, files];
  }

  /** @param submissions folder of the submissions that the lake was made of */
  static async open(lake: string, submissions: string): Promise<PlainCitations> {
    const instance = await DuckDBInstance.create(':memory:', { threads: '1' });
    const duckdb = await instance.connect();
    const script = readFileSync(path.join(lake, 'lake.sql'), 'utf8');
    await duckdb.run(`SET TimeZone = 'UTC'; SET VARIABLE lake = ${quoted(lake)}; ${script}`);
    const files = globSync('**/*.{nc,txt,txt.gz}', { cwd: submissions }).map((name) => {
      const accession = /\d{10}-\d{2}-\d{6}/.exec(path.basename(name))?.[0];
      return [accession ?? name, path.join(submissions, name)] as const;
    });
    return new PlainCitations(instance, duckdb, new Map(files));
  }

  /** What is wrong with a citation of a passage or a statement of the newest version; null: nothing. */
  async wrong(citation: Answer): Promise<string | null> {
    const { tool, args } = citation;
    const now = tool === 'sql' ? await this.#statement(args.statement) : await this.#passage(citation);
    return now === citation.sha256 ? null : `has ${now}`;
  }

  /** Whether a table or view has a row with all values that an answer shows of it. */
  async has(table: string, row: Answer): Promise<boolean> {
    const named = await this.#rows(`SELECT column_name FROM (DESCRIBE ${table})`);
    const columns = new Set(named.map(([name]) => String(name)));
    const same = Object.entries(row).flatMap(([name, value]) => {
      if (!columns.has(name)) return [];
      // Times are written with a T, decimals without the zeros of their type.
      const text = value === null ? 'NULL' : quoted(String(value).replace(/^(\d{4}-\d\d-\d\d)T(.*?)Z?$/, '$1 $2'));
      return `(CAST(${name} AS VARCHAR) IS NOT DISTINCT FROM ${text} OR TRY_CAST(${name} AS DECIMAL(38, 12)) = TRY_CAST(${text} AS DECIMAL(38, 12)))`;
    });
    if (same.length < 3) throw new Error(`${table} has too few columns of ${Object.keys(row)}`);
    return (await this.#rows(`SELECT 1 FROM ${table} WHERE ${same.join(' AND ')} LIMIT 1`)).length === 1;
  }

  /** The characters of a passage. */
  async passage({ start, end, ...place }: Answer): Promise<string | null> {
    return (await this.#text(place))?.slice(start, end) ?? null;
  }

  /**
   * Whether the lines and cells of a passage stand in its document as it was filed, in their order: their letters and digits. Numbers
   * of pages may stand between them. Null: it has none.
   */
  async stands({ accession_number, document_id, start, end, ...citation }: Answer): Promise<boolean | null> {
    const text = await this.#text({ accession_number, document_id, ...citation });
    const parts = text!
      .slice(start, end)
      .split(/[\n\t]/)
      .map(lettersOf)
      .filter((part) => part !== '');
    if (parts.length === 0) return null;
    const filed = this.#filedLetters(accession_number, document_id);
    return standInOrder(parts, filed);
  }

  /** Length of a document's text, or of a section's. */
  async characters({ accession_number, document_id, section }: Answer): Promise<number> {
    const [row] = await this.#rows(
      section === undefined
        ? `SELECT text FROM document_contents WHERE document_id = ${quoted(document_id)}`
        : `SELECT text FROM section_contents WHERE accession_number = ${quoted(accession_number)} AND section = ${quoted(section)}`,
    );
    return (row![0] as string).length;
  }

  async #passage(citation: Answer): Promise<string | null> {
    const passage = await this.passage(citation);
    return passage === null ? null : sha256(passage);
  }

  async #text({ accession_number, document_id, section }: Answer): Promise<string | null> {
    const [row] = await this.#rows(
      section === undefined
        ? `SELECT coalesce(text, CASE WHEN content_type = 'text/plain' THEN content END) FROM document_contents WHERE document_id = ${quoted(document_id)}`
        : `SELECT text FROM section_contents WHERE accession_number = ${quoted(accession_number)} AND section = ${quoted(section)} AND document_id = ${quoted(document_id)}`,
    );
    return row === undefined ? null : (row[0] as string | null);
  }

  /** Of statements whose columns are numbers and texts. */
  async #statement(sql: string): Promise<string> {
    const rows = (await this.#rows(sql)).map((cells) =>
      JSON.stringify(
        cells.map((cell) =>
          typeof cell === 'bigint'
            ? Number(cell)
            : cell === null
              ? null
              : typeof cell === 'object'
                ? String(cell)
                : cell,
        ),
      ),
    );
    return sha256(rows.sort().join('\n'));
  }

  async #rows(sql: string): Promise<unknown[][]> {
    return (await this.#duckdb.runAndReadAll(sql)).getRows() as unknown[][];
  }

  #filedLetters(accessionNumber: string, documentId: string): string {
    const known = this.#filed.get(documentId);
    if (known !== undefined) return known;
    const file = this.#files.get(accessionNumber)!;
    const bytes = file.endsWith('.gz') ? gunzipSync(readFileSync(file)) : readFileSync(file);
    const utf8 = bytes.toString('utf8');
    const submission = utf8.includes('\ufffd') ? bytes.toString('latin1') : utf8;
    const sequence = Number(documentId.slice(accessionNumber.length + 1));
    const documents = submission.split('<DOCUMENT>').slice(1);
    const document = documents.find((one) => Number(/<SEQUENCE>\s*(\d+)/.exec(one)?.[1]) === sequence) ?? '';
    const [, body = ''] = /<TEXT>([\s\S]*)<\/TEXT>/i.exec(document) ?? [];
    const letters = lettersOf(
      /<(?:html|p|div|table|font|body)\b/i.test(body) ? textOf(parse(body)) : body.replace(/<[^>]*>/g, ' '),
    );
    this.#filed.set(documentId, letters);
    return letters;
  }

  close(): void {
    this.#duckdb.closeSync();
    this.#instance.closeSync();
  }
}

/** A paragraph may run over a page: its number and the heads of the next one stand within it as filed. */
const BETWEEN_PAGES_MAX = 100;

function standInOrder(parts: readonly string[], filed: string): boolean {
  let at = 0;
  for (const part of parts) {
    const found = filed.indexOf(part, at);
    at = found < 0 ? endOverPages(part, filed, at) : found + part.length;
    if (at < 0) return false;
  }
  return true;
}

/** The end of a text of which a page break parts the first letters from the others; -1: it does not stand there. */
function endOverPages(part: string, filed: string, from: number): number {
  let length = 0;
  for (let step = part.length >> 1; step > 0; step >>= 1)
    while (length + step < part.length && filed.indexOf(part.slice(0, length + step), from) >= 0) length += step;
  const end = filed.indexOf(part.slice(0, length), from) + length;
  const rest = filed.indexOf(part.slice(length), end);
  return length === 0 || rest < 0 || rest - end > BETWEEN_PAGES_MAX ? -1 : rest + part.length - length;
}

const lettersOf = (text: string) => text.normalize('NFKC').replace(/[^\p{L}\p{N}]/gu, '');

function textOf(node: DefaultTreeAdapterTypes.Node): string {
  if ('value' in node) return node.value;
  return 'childNodes' in node ? node.childNodes.map(textOf).join('') : '';
}
