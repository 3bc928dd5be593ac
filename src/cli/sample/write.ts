/** A sample on disk, laid out as EDGAR lays out its own. */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { FilinglakeError, makeFolders, systemErrorWords } from '../../core/index.ts';
import { isoDay } from './companies/calendar.ts';
import { COHORT_FILINGS, DEFAULT_PERIOD } from './companies/plan.ts';
import { generateFilings, periodOf, SAMPLE_VERSION, type SampleOptions } from './generate.ts';
import { SubmissionsJsonBuilder } from './submissions-json.ts';

interface WriteSampleOptions extends SampleOptions {
  /** folder to write into; created if missing */
  out: string;
  /** writes into a folder that holds other things */
  force?: boolean;
  onProgress?: (done: SampleSummary) => void;
}

interface SampleSummary {
  filings: number;
  files: number;
  bytes: number;
}

export interface WrittenSample extends SampleSummary {
  seconds: number;
  /** nothing was written: the folder held this very sample */
  unchanged: boolean;
}

/** Written first, so that an interrupted sample is recognised, and last, when the sample is complete. */
const MARKER = '.filinglake-sample.json';
interface Marker extends SampleSummary {
  sample: ReturnType<typeof parametersOf>;
  /** false while it is being written */
  complete: boolean;
}

/** All that a sample writes beside its marker. */
const OWN_FOLDERS = ['edgar', 'Feed', 'submissions', 'files'];

/**
 * Writes a sample. The same options give the same bytes. A folder that already has this sample stays unchanged; one with another
 * sample is emptied first.
 * @throws FilinglakeError `folder-taken` (the folder has other files and `force` is not set), `output-unwritable`,
 * `argument-invalid`
 */
export async function writeSample(options: WriteSampleOptions): Promise<WrittenSample> {
  const startedAt = performance.now();
  const seconds = () => (performance.now() - startedAt) / 1000;
  const { out, onProgress } = options;
  const sample = parametersOf(options);
  const earlier = guard(out, () => {
    const path = join(out, MARKER);
    return existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as Marker) : null;
  });
  if (earlier?.complete && JSON.stringify(earlier.sample) === JSON.stringify(sample)) {
    const { filings, files, bytes } = earlier;
    return { filings, files, bytes, seconds: seconds(), unchanged: true };
  }
  guard(out, () => makeRoom(options, earlier !== null));
  const done: SampleSummary = { filings: 0, files: 0, bytes: 0 };
  const mark = (complete: boolean) => {
    const marker: Marker = { sample, complete, ...done };
    write(out, MARKER, Buffer.from(`${JSON.stringify(marker, null, 2)}\n`));
  };
  const put = (path: string, bytes: Buffer) => {
    write(out, path, bytes);
    done.files++;
    done.bytes += bytes.length;
  };
  mark(false);
  const tickers: string[] = [];
  let entities = new SubmissionsJsonBuilder();
  const closeCohort = () => {
    for (const file of entities.files()) put(file.path, file.bytes);
    for (const listed of entities.listed()) tickers.push(JSON.stringify(listed));
    entities = new SubmissionsJsonBuilder();
  };
  for (const { submission, files } of generateFilings(options)) {
    for (const file of files) put(file.path, file.bytes);
    entities.add(submission, files[0]!.bytes.length);
    done.filings++;
    if (done.filings % COHORT_FILINGS === 0) closeCohort();
    if (done.filings % 50 === 0) {
      onProgress?.(done);
      await nextTurn();
    }
  }
  closeCohort();
  const table = `{"fields":["cik","name","ticker","exchange"],"data":[${tickers.join(',')}]}`;
  put('files/company_tickers_exchange.json', Buffer.from(table, 'latin1'));
  mark(true);
  onProgress?.(done);
  return { ...done, seconds: seconds(), unchanged: false };
}

function parametersOf(options: SampleOptions) {
  const [{ from, to }, first] = [periodOf(options), DEFAULT_PERIOD.from];
  const given = `not "${options.from}"`;
  if (!(from <= to)) {
    const message = `--from must be a day before --to or the same day, ${given} (--to is "${options.to}")`;
    throw new FilinglakeError('argument-invalid', message);
  }
  if (from < first) throw new FilinglakeError('argument-invalid', `--from must be ${isoDay(first)} or later, ${given}`);
  const { filings, seed = 1 } = options;
  return { version: SAMPLE_VERSION, filings, seed, from: isoDay(from), to: isoDay(to) };
}

function makeRoom({ out, force }: WriteSampleOptions, isSample: boolean): void {
  makeFolders(resolve(out), { statSync, mkdirSync, dirname });
  if (isSample) for (const name of OWN_FOLDERS) rmSync(join(out, name), { recursive: true, force: true });
  else if (readdirSync(out).length > 0 && !force)
    throw new FilinglakeError('folder-taken', `${out} holds files that are not a sample`);
}

/** Turns errors of the file system into errors with a remedy. */
function guard<T>(out: string, write: () => T): T {
  try {
    return write();
  } catch (error) {
    if (error instanceof FilinglakeError) throw error;
    const full = ['ENOSPC', 'EDQUOT'].includes((error as NodeJS.ErrnoException).code ?? '');
    const remedy = 'Make room on the disk. The same command then writes the sample again.';
    const message = `the sample in ${out} can't be written: ${systemErrorWords(error)}`;
    throw new FilinglakeError('output-unwritable', message, { ...(full && { remedy }), cause: error });
  }
}

function write(out: string, path: string, bytes: Buffer): void {
  guard(out, () => {
    const target = join(out, path);
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, bytes);
  });
}
