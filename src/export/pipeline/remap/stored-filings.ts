/** The filings of a lake that have stored documents, and their texts. */
import { decodeText } from '../../../filings/documents/index.ts';
import type { Lake } from '../../../lake/index.ts';
import { among } from '../sql-values.ts';

const CONTENTS = 'document_contents';

export interface StoredFiling {
  readonly accession_number: string;
  /** Bytes of its stored documents. */
  readonly bytes: number;
  /** Names of the parts that have them. */
  readonly parts: readonly string[];
}

interface StoredFilings {
  version: number;
  count: number;
  bytes: number;
  /** All parts of document_contents. */
  parts: ReadonlySet<string>;
  /** A stream of one version, in the order in which the parts have them: those that follow each other are read from the same parts. */
  filings: AsyncIterable<StoredFiling>;
}

export async function storedFilings(lake: Lake): Promise<StoredFilings> {
  const [all] = await lake.query(
    `SELECT count(DISTINCT accession_number)::DOUBLE AS count, coalesce(sum(size), 0)::DOUBLE AS bytes FROM ${CONTENTS}`,
    { tables: [CONTENTS] },
  );
  const result = await lake.stream(
    `SELECT accession_number, sum(coalesce(size, 0))::DOUBLE AS bytes, array_to_string(list(DISTINCT filename), chr(10)) AS files
     FROM ${CONTENTS} GROUP BY accession_number ORDER BY min(filename), min(file_row_number), accession_number`,
    { tables: [CONTENTS], places: true },
  );
  const partOf = lake.partUrls(CONTENTS, await lake.snapshot(result.version));
  async function* filings() {
    await using open = result;
    for await (const chunk of open.chunks()) {
      for (const [accession_number, bytes, files] of chunk) {
        const named = String(files).split('\n');
        yield {
          accession_number: String(accession_number),
          bytes: Number(bytes),
          parts: named.flatMap((file) => partOf.get(file) ?? []),
        };
      }
    }
  }
  const { version } = result;
  return {
    version,
    count: Number(all!.count),
    bytes: Number(all!.bytes),
    parts: new Set(partOf.values()),
    filings: filings(),
  };
}

/** A stored document: whether it can be mapped. `json`: XML that was converted before it was stored. */
export type StoredAs = 'text' | 'json';

/**
 * Reads document_contents for the filings of a stretch: the parts that had them when they were listed, and later ones. If one was
 * replaced since, all parts are read.
 */
export class StoredDocuments {
  readonly #lake: Pick<Lake, 'query'>;
  readonly #parts: ReadonlyMap<string, ReadonlySet<string>> | undefined;

  private constructor(lake: Pick<Lake, 'query'>, parts: ReadonlySet<string> | null) {
    this.#lake = lake;
    this.#parts = parts === null ? undefined : new Map([[CONTENTS, parts]]);
  }

  /** @param parts with the documents of the stretch @param planned all parts when the filings were listed */
  static async of(lake: Lake, parts: readonly string[], planned: ReadonlySet<string>): Promise<StoredDocuments> {
    const live = new Set(lake.partUrls(CONTENTS, await lake.snapshot()).values());
    if (parts.some((part) => !live.has(part))) return new StoredDocuments(lake, null);
    const added = [...live].filter((part) => !planned.has(part));
    return new StoredDocuments(lake, new Set([...parts, ...added]));
  }

  /** By document id. */
  async list(numbers: readonly string[]): Promise<ReadonlyMap<string, StoredAs>> {
    const rows = await this.#query(
      `SELECT document_id, encoding FROM ${CONTENTS} WHERE accession_number IN ${among(numbers)}`,
    );
    return new Map(
      rows.map(({ document_id, encoding }) => [String(document_id), encoding === 'json' ? 'json' : 'text']),
    );
  }

  /** Texts by document id. One without content has none. */
  async texts(ids: readonly string[]): Promise<Map<string, string>> {
    const texts = new Map<string, string>();
    if (ids.length === 0) return texts;
    const rows = await this.#query(
      `SELECT document_id, content, to_base64(bytes) AS bytes FROM ${CONTENTS}
       WHERE encoding <> 'json' AND document_id IN ${among(ids)}`,
    );
    for (const { document_id, content, bytes } of rows) {
      if (typeof content === 'string') texts.set(String(document_id), content);
      else if (typeof bytes === 'string') texts.set(String(document_id), decodeText(Buffer.from(bytes, 'base64')).text);
    }
    return texts;
  }

  #query(sql: string) {
    const parts = this.#parts;
    return this.#lake.query(sql, { tables: [CONTENTS], ...(parts === undefined ? {} : { parts }) });
  }
}
