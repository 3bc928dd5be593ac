/** Links the periods of a panel to CRSP (PERMNO) and Compustat (GVKEY), by files that the user has. The macro panel_links decides; the Python package asks it too. */
import { counted, FilinglakeError, quoteText } from '../../core/index.ts';
import type { LakeSnapshot } from '../log/log.ts';
import { VIEWS } from '../views/views.ts';
import type { LakeReader } from './reader.ts';

export type LinkedLake = Pick<LakeReader, 'keep' | 'query'> & { snapshot(at: number): Promise<LakeSnapshot> };

const LINKED = ['permno', 'gvkey'] as const;

export interface Links {
  /** Those that the files have. */
  readonly linked: readonly (typeof LINKED)[number][];
  /** How many periods are matched, doubtful and not matched, and what of the files is not used. */
  readonly sentences: readonly string[];
}

/**
 * Keeps the links of a kept panel's periods as `kept.links`.
 * @param periods a query of their `cik` and `period_end`
 * @param asOf Eastern time: CUSIPs and tickers that filings stated by then count; null: all
 * @throws FilinglakeError `file-unreadable`: a file that is not there, or has not what a link needs
 */
export async function keepLinks(
  lake: LinkedLake,
  files: readonly string[],
  { periods, asOf }: { periods: string; asOf: string | null },
  at: number,
): Promise<Links> {
  const [linked, unused] = [new Set<string>(), [] as string[]];
  for (const file of files) {
    const kind = await kindOf(lake, file, at);
    linked.add(kind.of);
    if (kind.hasPermno) linked.add('permno');
    if (kind.unused !== null) unused.push(kind.unused);
  }
  const spans = VIEWS.find(({ name }) => name === 'security_spans')!;
  const { tables } = await lake.snapshot(at);
  const isStated = spans.over.some((table) => tables.has(table));
  const moment = asOf === null ? 'NULL' : quoteText(asOf);
  if (isStated) await lake.keep('known', `FROM security_spans(${moment}, ['cusip', 'ticker'], NULL)`, at);
  const asked = [periods, files.map(rowsOfFile).join(' UNION ALL BY NAME '), isStated ? 'FROM kept.known' : null];
  const parameters = asked.map((sql) => (sql === null ? 'NULL' : quoteText(sql)));
  await lake.keep('links', `FROM panel_links(${parameters.join(', ')})`, at);
  const counts = await lake.query(`FROM link_counts('FROM kept.links')`, { at });
  const sentences = counts.filter(({ key }) => linked.has(String(key))).map(({ sentence }) => String(sentence));
  return {
    linked: LINKED.filter((key) => linked.has(key)),
    sentences: [...unused, ...sentences],
  };
}

async function kindOf(lake: LinkedLake, file: string, at: number) {
  const rows = `link_files(${quoteText(rowsOfFile(file))})`;
  const counts = `SELECT count(*) AS rows, count(gvkey) AS companies, count(permno) AS permnos, count(*) FILTER (coalesce(cusip, symbols[1], cik, CASE WHEN gvkey IS NOT NULL THEN CAST(permno AS VARCHAR) END) IS NOT NULL) AS told,
    min(problem) AS problem, count(problem) AS problems, min(unused_cusip) AS unused, count(unused_cusip) AS unuseds FROM ${rows}`;
  const found = await lake.query(counts, { at }).catch((error: Error) => {
    const isThere = !/No files found/.test(error.message);
    throw unreadable(
      file,
      !isThere ? 'is not there' : `can't be read: ${error.message.replace(/\s+/g, ' ').slice(0, 200)}`,
      error,
    );
  });
  const { companies, permnos, told, problem, problems, unused, unuseds } = found[0]!;
  if (Number(found[0]!.rows) === 0) throw unreadable(file, 'has no rows');
  if (problem !== null)
    throw unreadable(file, `has ${counted(Number(problems), 'row')} that can't be read: ${problem}`);
  if (Number(told) === 0) throw unreadable(file, 'has none of NCUSIP, CUSIP, TICKER, CIK and LPERMNO');
  return {
    of: Number(companies) > 0 ? 'gvkey' : 'permno',
    hasPermno: Number(permnos) > 0,
    unused:
      Number(unuseds) === 0
        ? null
        : `${file}: ${counted(Number(unuseds), 'CUSIP')} without use, such as ${unused}: neither eight characters nor nine with their check digit`,
  };
}

/** All as text, and every line: a reader that guesses takes the zeros of a CUSIP, or leaves out what stands before a torn line. An empty cell is not a missing column. */
function rowsOfFile(file: string): string {
  const name = quoteText(file.replace(/[[*?]/g, '[$&]'));
  const rows = `SELECT ${quoteText(file)} AS link_file, coalesce(CAST(COLUMNS(*) AS VARCHAR), '') FROM`;
  if (/\.(parquet|pq)$/i.test(file)) return `${rows} read_parquet(${name})`;
  if (/\.(csv|tsv|txt)(\.gz)?$/i.test(file))
    return `${rows} read_csv(${name}, all_varchar = true, header = true, skip = 0, quote = '"', escape = '"', comment = '')`;
  throw unreadable(
    file,
    'is neither CSV (.csv, .tsv, .txt, also .gz) nor Parquet. Stata writes CSV by `export delimited`',
  );
}

function unreadable(file: string, why: string, cause?: Error): FilinglakeError {
  return new FilinglakeError('file-unreadable', `${file} ${why}`, {
    remedy:
      'A link needs a file of CRSP with PERMNO, NCUSIP or CUSIP, NAMEDT and NAMEENDDT, or one of Compustat with GVKEY and CIK, CUSIP or LPERMNO.',
    ...(cause && { cause }),
  });
}
