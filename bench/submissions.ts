/** Reading of complete submissions, against the minimum work on their bytes, and against secsgml if Python is available. */
import { hash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { formatBytes, formatCount, printJson, printTable } from '../src/cli/terminal/terminal.ts';
import { FilinglakeError } from '../src/core/index.ts';
import { HEAD_BYTES, readSubmission, recogniseFile, SubmissionError, submissionKind } from '../src/edgar/index.ts';
import { sharedFolder } from '../test/support/shared.ts';
import { measureSecsgml, type SecsgmlResult } from './submissions/secsgml.ts';

export const summary =
  'MB/s of reading submissions, against a bare scan of the same bytes and secsgml: submissions [FOLDER]';

const ROUNDS = 9;
/** The measured data are held in memory. */
const BYTES_MAX = 1_000_000_000;

type Row = {
  what: string;
  /** Of the files' bytes, decompressed, by CPU time; median of the rounds. */
  mb_per_second: number;
  /** Of the bare scan's speed. */
  share_of_scan: number;
};

/** Prints a table, or with `json` one object: {folder, files, broken_files, bytes, rounds, rows, secsgml}. */
export async function run(args: string[], options: { json: boolean }): Promise<void> {
  const folder = args[0] ?? (sharedFolder && join(sharedFolder, 'edgar'));
  if (!folder) {
    throw new FilinglakeError('argument-missing', 'there are no real submissions beside the checkout', {
      remedy:
        'Name a folder with submissions. Run `npx filinglake sample --filings 1000 --out DIR`, then `npm run bench -- submissions DIR`.',
    });
  }
  const { files, broken } = loadSubmissions(folder);
  if (files.length === 0) {
    throw new FilinglakeError('path-unreadable', `${folder} holds no submissions`);
  }
  const bytes = files.reduce((sum, file) => sum + file.bytes.length, 0);
  const rows = measure(files.map((file) => file.bytes));
  const secsgml = measureSecsgml(
    files.map((file) => file.path),
    ROUNDS,
  );
  if (options.json)
    return printJson({ folder, files: files.length, broken_files: broken, bytes, rounds: ROUNDS, rows, secsgml });
  process.stdout.write(
    `${formatCount(files.length)} submissions, ${formatBytes(bytes)}, median of ${ROUNDS} rounds by CPU time\n\n`,
  );
  printTable([...rows, ...secsgmlRows(secsgml, rows)], ['what', 'mb_per_second', 'share_of_scan']);
  if (broken > 0) process.stdout.write(`\n${formatCount(broken)} broken submissions were left out\n`);
  if ('absent' in secsgml) process.stdout.write(`\nsecsgml was not measured: ${secsgml.absent}\n`);
}

interface Loaded {
  path: string;
  bytes: Buffer;
}

/** All whole submissions below a folder, `.gz` or not, up to BYTES_MAX. */
function loadSubmissions(folder: string): { files: Loaded[]; broken: number } {
  if (!existsSync(folder) || !statSync(folder).isDirectory()) {
    throw new FilinglakeError('argument-missing', `${folder} is not a folder`);
  }
  const files: Loaded[] = [];
  let broken = 0;
  let total = 0;
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || !/\.(txt|nc)(\.gz)?$/.test(entry.name)) continue;
    const path = join(entry.parentPath, entry.name);
    const stored = readFileSync(path);
    const bytes = path.endsWith('.gz') ? gunzipSync(stored) : stored;
    if (recogniseFile(basename(path, '.gz'), bytes.subarray(0, HEAD_BYTES)) !== submissionKind) continue;
    if (total + bytes.length > BYTES_MAX) break;
    if (!isWhole(bytes)) {
      broken += 1;
      continue;
    }
    total += bytes.length;
    files.push({ path, bytes });
  }
  return { files, broken };
}

function isWhole(bytes: Buffer): boolean {
  try {
    readContents(bytes, () => {});
    return true;
  } catch (error) {
    if (error instanceof SubmissionError) return false;
    throw error;
  }
}

const PASSES: [string, (bytes: Buffer) => void][] = [
  ['bare scan for a byte that is not there', (bytes) => void bytes.indexOf(0)],
  ['bare scan for <DOCUMENT>', scanForDocuments],
  ['header and offsets of documents', (bytes) => void readSubmission(bytes)],
  ['all contents decoded', (bytes) => readContents(bytes, () => {})],
  [
    'all contents decoded, with sha256',
    (bytes) => readContents(bytes, (content) => void hash('sha256', content, 'buffer')),
  ],
];

function scanForDocuments(bytes: Buffer): void {
  for (let at = bytes.indexOf('<DOCUMENT>'); at >= 0; at = bytes.indexOf('<DOCUMENT>', at + 1));
}

function readContents(bytes: Buffer, use: (content: Buffer) => void): void {
  for (const document of readSubmission(bytes).documents) use(document.read());
}

/** Each round makes every pass over all files, so that a busy machine slows all of them alike; the first round warms up. */
function measure(files: Buffer[]): Row[] {
  const bytes = files.reduce((sum, file) => sum + file.length, 0);
  const micros: number[][] = PASSES.map(() => []);
  for (let round = 0; round <= ROUNDS; round++) {
    for (const [i, [, pass]] of PASSES.entries()) {
      const before = process.cpuUsage();
      for (const file of files) pass(file);
      const { user, system } = process.cpuUsage(before);
      if (round > 0) micros[i]!.push(user + system);
    }
  }
  const speeds = micros.map((times) => bytes / Math.max(1, median(times)));
  return PASSES.map(([what], i) => row(what, speeds[i]!, speeds[1]!));
}

function row(what: string, speed: number, scan: number): Row {
  return { what, mb_per_second: Math.round(speed), share_of_scan: Number((speed / scan).toFixed(3)) };
}

function secsgmlRows(result: SecsgmlResult, rows: Row[]): Row[] {
  if ('absent' in result) return [];
  return [row(`secsgml ${result.version}, all contents decoded`, result.mb_per_second, rows[1]!.mb_per_second)];
}

function median(values: number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)]!;
}
