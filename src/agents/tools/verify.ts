/** `verify`. Reads what a citation names again, and compares the SHA-256. */
import { z } from 'zod';
import { FilinglakeError, quoteName, quoteText } from '../../core/index.ts';
import { VIEWS } from '../../lake/views/index.ts';
import { paging } from '../arguments.ts';
import { viewAsOf } from '../as-of-view.ts';
import { type Citation, citationSchema, recordDigest, sha256 } from '../citation.ts';
import { filingParts, partsDigest } from '../filing-parts.ts';
import type { Json } from '../json-text.ts';
import { readMoment } from '../moment.ts';
import type { FilingSource, TextPlace } from '../sources/filing-source.ts';
import { lakeOf, type ToolCall, tool } from '../tool.ts';

const input = z.strictObject({ citations: z.array(citationSchema).min(1).max(50), ...paging });
type Call = ToolCall<z.output<typeof input>>;

export const verify = tool({
  name: 'verify',
  title: 'Verify citations',
  description:
    'Reads passages, rows or statements again by the citations of earlier answers, and says for each whether it is equal; if not, why. Pass citations unchanged. Verify numbers and quotations before you report them. Equal means that the filing says so, not that it is true.',
  input,
  needs: 'filings',
  async run(call) {
    const { args, position } = call;
    const rows = await Array.fromAsync(args.citations.slice(position), (citation) => verdict(call, citation));
    return { head: { count: args.citations.length }, list: 'verdicts', rows, total: args.citations.length };
  },
});

async function verdict(call: Call, citation: Citation): Promise<Json> {
  try {
    await refuseOtherRelease(call, citation);
    const now = await digestNow(call, citation);
    return now === citation.sha256 ? { equal: true } : { equal: false, why: 'the content differs', sha256_now: now };
  } catch (error) {
    if (!(error instanceof FilinglakeError)) throw error;
    return { equal: false, why: error.message.slice(0, 300) };
  }
}

/** A release may be deleted, and its name given to another version. */
async function refuseOtherRelease(call: Call, citation: Citation): Promise<void> {
  if (!('release' in citation)) return;
  const { release, lake_version } = citation;
  if (release === undefined) return;
  const version = await lakeOf(call).lake.released(release);
  if (version !== lake_version)
    throw new FilinglakeError('passage-missing', `release ${release} is version ${version}, not ${lake_version}`);
}

async function digestNow(call: Call, citation: Citation): Promise<string> {
  if ('sql' in citation) {
    const { lake } = lakeOf(call);
    if (call.world.sql === null) throw new FilinglakeError('lake-unnamed', 'this server has no lake');
    await lake.lake.snapshot(citation.lake_version);
    const found = await call.world.sql.run(citation.sql, {
      version: citation.lake_version,
      signal: call.signal,
      keepAs: null,
    });
    return found.sha256;
  }
  if ('table' in citation) return rowNow(call, citation);
  const source = call.world.sources.find((one) => one.kind === citation.source);
  if (source === undefined) throw new FilinglakeError('passage-missing', `this server has no ${citation.source}`);
  if ('record' in citation) {
    const record = await source.record?.(citation);
    if (!record) throw new FilinglakeError('passage-missing', 'the record is not here');
    return recordDigest(citation.record, record);
  }
  return 'parts' in citation ? partsNow(call, citation, source) : passageNow(call, citation, source);
}

async function partsNow(
  { world, version: newest }: Call,
  { accession_number, section, lake_version }: Extract<Citation, { parts: number }>,
  source: FilingSource,
): Promise<string> {
  const version = lake_version ?? newest;
  const detail = await source.filing(accession_number, null, version);
  if (detail === null) throw new FilinglakeError('passage-missing', 'the filing is not here');
  return partsDigest(await filingParts({ world, version }, source, detail, section));
}

async function passageNow(
  call: Call,
  citation: Extract<Citation, { start: number }>,
  source: FilingSource,
): Promise<string> {
  const { accession_number, document_id, section, format, start, end, lake_version } = citation;
  const place: TextPlace = {
    ...(section !== undefined
      ? { accession_number, section }
      : document_id !== null
        ? { document_id }
        : { accession_number }),
    ...(format && { format }),
  };
  const text = await source.text(place, lake_version ?? call.version);
  if (text === null || text.accession_number !== accession_number || text.document_id !== document_id)
    throw new FilinglakeError('passage-missing', 'the text is not here');
  if (start > end || end > text.text.length)
    throw new FilinglakeError('passage-missing', `the text has ${text.text.length} characters, not ${end}`);
  return sha256(text.text.slice(start, end));
}

async function rowNow(call: Call, citation: Extract<Citation, { table: string }>): Promise<string> {
  const { lake } = lakeOf(call);
  const { table, key, lake_version, as_of } = citation;
  const columns = await lake.columns(table);
  const unknown = Object.keys(key).find((name) => !columns.includes(name));
  if (unknown !== undefined || Object.keys(key).length === 0)
    throw new FilinglakeError('passage-missing', `${table} has no column ${(unknown ?? '').slice(0, 80)} of the key`);
  const same = Object.entries(key).map(
    ([name, value]) => `CAST(r.${quoteName(name)} AS VARCHAR) IS NOT DISTINCT FROM ${literal(value)}`,
  );
  const isView = VIEWS.some(({ name, schema }) => name === table && schema === undefined);
  const view = as_of !== undefined && isView ? viewAsOf(table, readMoment(as_of)) : '';
  const rows = await lake.rows(
    `${view}SELECT ${await lake.digest(table, 'r')} AS digest FROM ${quoteName(table)} r WHERE ${same.join(' AND ')} LIMIT 2`,
    lake_version,
  );
  if (rows.length !== 1)
    throw new FilinglakeError(
      'passage-missing',
      rows.length === 0 ? 'the row is not there' : 'several rows have this key',
    );
  return String(rows[0]!.digest);
}

/** Times of answers are written with a T; DuckDB casts them with a blank. */
function literal(value: string | number | boolean | null): string {
  if (value === null) return 'NULL';
  const text = String(value);
  return quoteText(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}/.test(text) ? text.replace('T', ' ').replace(/Z$/, '+00') : text);
}
