/** The texts of a lake as JSON Lines, in files of about one size, with a card that says what is in them. */
import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { counted, FilinglakeError, quoteList } from '../../core/index.ts';
import type { Lake } from '../lake.ts';
import type { Cell } from '../query/values.ts';
import { SUMS, sumsText } from '../release/manifest.ts';
import { columnsOfView } from '../views/view-columns.ts';
import { VIEWS } from '../views/views.ts';
import { filingsWithout, mayCount, sentencesOfWithout } from './filings-without.ts';
import { inNewFolder } from './new-folder.ts';

export interface CorpusOptions {
  /** Version of the lake */
  readonly at: number;
  /** Codes of sections; null: all. */
  readonly sections: readonly string[] | null;
  /** Condition on a row of the view `corpus`, in SQL; null: all rows. */
  readonly where: string | null;
  /** A file gets no further line beyond it, counted before compression. */
  readonly fileBytes: number;
  readonly gzip: boolean;
  /** Who made it, for the card: `filinglake 0.1.0` */
  readonly madeBy: string;
  readonly onProgress: (texts: number, of: number) => void;
}

export interface CorpusFile {
  readonly file: string;
  readonly texts: number;
  /** As written */
  readonly bytes: number;
  readonly sha256: string;
}

export interface CorpusReport {
  readonly version: number;
  readonly texts: number;
  readonly filings: number;
  readonly companies: number;
  readonly characters: number;
  readonly files: readonly CorpusFile[];
  /** Sentences: what the lake lacks of sections */
  readonly without: readonly string[];
}

/**
 * @param folder must not exist, or be empty: it appears when it is complete. The same version gives the same bytes
 * @throws FilinglakeError `output-unwritable`, `argument-invalid` if no text fits, and as a query
 */
export async function writeCorpus(lake: Lake, folder: string, options: CorpusOptions): Promise<CorpusReport> {
  const { at, onProgress, gzip } = options;
  const chosen = selectionOf(options);
  const ask = (sql: string) => lake.query(sql, { at });
  const groups = await ask(
    `SELECT form_type, section, kind, count(*)::DOUBLE AS texts, sum(characters)::DOUBLE AS characters,
       min(filing_date)::VARCHAR AS first, max(filing_date)::VARCHAR AS last
     FROM (${chosen}) GROUP BY ALL ORDER BY ALL`,
  );
  const [counts] = await ask(
    `SELECT count(*)::DOUBLE AS texts, count(DISTINCT accession_number)::DOUBLE AS filings, count(DISTINCT cik)::DOUBLE AS companies,
       coalesce(sum(characters), 0)::DOUBLE AS characters FROM (${chosen})`,
  );
  const sums = counts as { texts: number; filings: number; companies: number; characters: number };
  if (sums.texts === 0) {
    const there = await ask('SELECT DISTINCT section FROM corpus ORDER BY section');
    throw new FilinglakeError('argument-invalid', 'no text of the lake fits: nothing was written', {
      remedy:
        there.length === 0
          ? 'The lake has no text of a section. Export with `tables: [filings, sections, section_contents]`.'
          : `The lake has texts of the sections ${there.map(({ section }) => section).join(', ')}.`,
    });
  }
  return inNewFolder(folder, async (draft) => {
    await using result = await lake.stream(
      `SELECT CAST(to_json(c) AS VARCHAR) AS line FROM (${chosen}) c ORDER BY filing_date, accession_number, section`,
      { at },
    );
    const lines = linesOf(result.chunks());
    const files: CorpusFile[] = [];
    let texts = 0;
    for (let next = await lines.next(); !next.done; ) {
      const file = `corpus-${String(files.length).padStart(5, '0')}.jsonl${gzip ? '.gz' : ''}`;
      let bytes = 0;
      const before = texts;
      const own = async function* () {
        for (
          ;
          !next.done && (bytes === 0 || bytes + next.value.length <= options.fileBytes);
          next = await lines.next()
        ) {
          bytes += next.value.length;
          onProgress(++texts, sums.texts);
          yield next.value;
        }
      };
      files.push({ file, ...(await written(own(), path.join(draft, file), gzip)), texts: texts - before });
    }
    const lacks = mayCount((await lake.snapshot(at)).tables) ? await filingsWithout(ask) : [];
    const without = sentencesOfWithout(lacks.filter(({ rows }) => rows === 'sections'));
    const report = { version: at, ...sums, files, without };
    const card = Buffer.from(await cardOf(lake, report, groups, options));
    await writeFile(path.join(draft, 'README.md'), card, { flush: true });
    const digests = new Map(files.map(({ file, sha256 }) => [file, sha256]));
    digests.set('README.md', createHash('sha256').update(card).digest('hex'));
    await writeFile(path.join(draft, SUMS), sumsText(digests), { flush: true });
    return report;
  });
}

/** A comment at the end of a condition must not take the bracket. */
function selectionOf({ sections, where }: CorpusOptions): string {
  const conditions = [
    ...(sections === null ? [] : [`list_contains(${quoteList(sections)}, section)`]),
    ...(where === null ? [] : [`(${where}\n)`]),
  ];
  return `SELECT * FROM corpus${conditions.length === 0 ? '' : ` WHERE ${conditions.join(' AND ')}`}`;
}

async function* linesOf(chunks: AsyncIterable<unknown[][]>): AsyncGenerator<Buffer> {
  for await (const rows of chunks) for (const [line] of rows) yield Buffer.from(`${line}\n`);
}

async function written(
  lines: AsyncIterable<Buffer>,
  file: string,
  gzip: boolean,
): Promise<{ bytes: number; sha256: string }> {
  const hash = createHash('sha256');
  let bytes = 0;
  const counted = async function* (chunks: AsyncIterable<Buffer>) {
    for await (const chunk of chunks) {
      hash.update(chunk);
      bytes += chunk.length;
      yield chunk;
    }
  };
  const out = createWriteStream(file, { flush: true });
  await (gzip ? pipeline(lines, createGzip(), counted, out) : pipeline(lines, counted, out));
  return { bytes, sha256: hash.digest('hex') };
}

/** For people, and for hubs, which read its first lines. */
async function cardOf(
  lake: Lake,
  { version, texts, filings, companies, characters, files, without }: CorpusReport,
  groups: readonly Record<string, Cell>[],
  { sections, where, gzip, madeBy }: CorpusOptions,
): Promise<string> {
  const columns = await columnsOfView(VIEWS.find(({ name }) => name === 'corpus')!);
  const n = (value: unknown) => Number(value).toLocaleString('en-US');
  const chosen = [
    ...(sections === null ? [] : [`sections ${sections.join(', ')}`]),
    ...(where === null ? [] : [`rows where \`${where.replace(/\s+/g, ' ')}\``]),
  ];
  return `---
configs:
- config_name: default
  data_files: "*.${gzip ? 'jsonl.gz' : 'jsonl'}"
---
# Texts of SEC filings

${counted(texts, 'text')} of ${counted(filings, 'filing')} of ${counted(companies, 'company', 'companies')}, ${n(characters)} characters, in ${counted(files.length, 'file')}.

- From EDGAR, the system of the U.S. Securities and Exchange Commission. Written by ${madeBy} from version ${version} of a lake, id ${lake.id}.
- Chosen: ${chosen.length === 0 ? 'all texts of sections' : chosen.join('; ')}. Withdrawn filings are left out.
${without.map((sentence) => `- Of the lake, ${sentence}.\n`).join('')}- Each line is a JSON object, in the order of filing date, accession number and section. The same version gives the same bytes.
- \`sha256sum -c ${SUMS}\` proves the files.

## Read it

\`\`\`python
import pandas
frame = pandas.read_json("${files[0]!.file}", lines=True, dtype={"cik": str, "section": str})
\`\`\`

## Fields

| field | type | |
|---|---|---|
${columns.map(({ name, type, meaning }) => `| \`${name}\` | ${type} | ${OWN[name] ?? meaning} |\n`).join('')}
## What is in it

| form | section | kind | texts | characters | filed from | to |
|---|---|---|--:|--:|---|---|
${groups.map((of) => `| ${of.form_type} | ${of.section} | ${of.kind ?? ''} | ${n(of.texts)} | ${n(of.characters)} | ${of.first} | ${of.last} |\n`).join('')}`;
}

const OWN: Readonly<Record<string, string>> = {
  characters: 'length of `text` in Unicode characters',
  sha256: 'SHA-256 of `text` in UTF-8, hexadecimal',
};
