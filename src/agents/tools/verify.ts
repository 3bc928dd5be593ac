/** `verify`. Reads what a citation names again, and compares the SHA-256. */
import { z } from 'zod';
import { FilinglakeError } from '../../core/index.ts';
import { type Citation, citationSchema, type PassageCitation, sha256 } from '../answers/citation.ts';
import type { Json } from '../answers/json-text.ts';
import type { TextPlace } from '../sources/filing-source.ts';
import { paging } from './arguments.ts';
import { digestOf, lakeOf, type ToolCall, tool } from './tool.ts';

const input = z.strictObject({ citations: z.array(citationSchema).min(1).max(50), ...paging });
type Call = ToolCall<z.output<typeof input>>;

export const verify = tool({
  name: 'verify',
  title: 'Verify citations',
  description:
    'Reads passages and answers again by the citations of earlier answers, and says for each whether it is equal; if not, why. Pass citations unchanged. Verify numbers and quotations before you report them. Equal means that the filing says so, not that it is true.',
  input,
  needs: 'filings',
  cites: false,
  async run(call) {
    const { args, position } = call;
    const rows = await Array.fromAsync(args.citations.slice(position), (citation) => verdict(call, citation));
    return { head: { count: args.citations.length }, rows, total: args.citations.length };
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
  const { release, lake_version } = citation;
  if (release === undefined) return;
  const version = await lakeOf(call).lake.released(release);
  if (version !== lake_version)
    throw new FilinglakeError('passage-missing', `release ${release} is version ${version}, not ${lake_version}`);
}

async function digestNow(call: Call, citation: Citation): Promise<string> {
  if (!('tool' in citation)) return passageNow(call, citation);
  const found = await call.again(citation);
  if ('text' in found) throw new FilinglakeError('passage-missing', 'the answer is a text, and has no rows');
  return digestOf(found, citation.rows);
}

async function passageNow({ world, version }: Call, citation: PassageCitation): Promise<string> {
  const source = world.sources.find((one) => one.kind === citation.source);
  if (source === undefined) throw new FilinglakeError('passage-missing', `this server has no ${citation.source}`);
  const { accession_number, document_id, section, format, start, end, lake_version } = citation;
  const place: TextPlace = {
    ...(section !== undefined
      ? { accession_number, section }
      : document_id !== null
        ? { document_id }
        : { accession_number }),
    ...(format && { format }),
  };
  const text = await source.text(place, lake_version ?? version);
  if (text === null || text.accession_number !== accession_number || text.document_id !== document_id)
    throw new FilinglakeError('passage-missing', 'the text is not here');
  if (start > end || end > text.text.length)
    throw new FilinglakeError('passage-missing', `the text has ${text.text.length} characters, not ${end}`);
  return sha256(text.text.slice(start, end));
}
