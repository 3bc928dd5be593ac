/** A sample on disk, laid out as EDGAR lays out its own. */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { FilinglakeError, makeFolders, systemErrorWords } from '../../core/index.ts';
import { isoDay } from './calendar.ts';
import { generateFilings, periodOf, SAMPLE_VERSION, type SampleOptions } from './generate.ts';
import { COHORT_FILINGS, DEFAULT_PERIOD } from './plan.ts';
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

const MARKER = '.filinglake-sample.json';
/** All that a sample writes beside its marker. */
const OWN_FOLDERS = ['edgar', 'Feed', 'submissions', 'files'];
/** The event loop gets a turn after this many filings. */
const FILINGS_A_TURN = 50;

interface Marker extends SampleSummary {
  sample: Parameters;
  /** false while it is being written */
  complete: boolean;
}
interface Parameters {
  version: number;
  filings: number;
  seed: number;
  from: string;
  to: string;
}

/**
 * Writes a sample. The same options give the same bytes. A folder that already has this sample stays unchanged; one with another
 * sample is emptied first.
 * @throws FilinglakeError `folder-taken` (the folder has other files and `force` is not set), `output-unwritable`,
 * `argument-invalid`
 */
export async function writeSample(options: WriteSampleOptions): Promise<WrittenSample> {
  const startedAt = performance.now();
  const seconds = () => (performance.now() - startedAt) / 1000;
  const parameters = parametersOf(options);
  const earlier = readMarker(options.out);
  if (earlier?.complete && JSON.stringify(earlier.sample) === JSON.stringify(parameters)) {
    const { filings, files, bytes } = earlier;
    return { filings, files, bytes, seconds: seconds(), unchanged: true };
  }
  makeRoom(options, earlier);
  const done: SampleSummary = { filings: 0, files: 0, bytes: 0 };
  const put = (path: string, bytes: Buffer) => {
    write(options.out, path, bytes);
    done.files++;
    done.bytes += bytes.length;
  };
  writeMarker(options.out, parameters, false, done);

  const tickers: string[] = [];
  let entities = new SubmissionsJsonBuilder();
  const closeCohort = () => {
    for (const file of entities.files()) put(file.path, file.bytes);
    for (const { cik, name, ticker, exchange } of entities.listed()) {
      tickers.push(JSON.stringify([Number(cik), name, ticker, exchange]));
    }
    entities = new SubmissionsJsonBuilder();
  };
  for (const { submission, files } of generateFilings(options)) {
    for (const file of files) put(file.path, file.bytes);
    entities.add(submission, files[0]!.bytes.length);
    done.filings++;
    if (done.filings % COHORT_FILINGS === 0) closeCohort();
    if (done.filings % FILINGS_A_TURN === 0) {
      options.onProgress?.(done);
      await nextTurn();
    }
  }
  closeCohort();
  const table = `{"fields":["cik","name","ticker","exchange"],"data":[${tickers.join(',')}]}`;
  put('files/company_tickers_exchange.json', Buffer.from(table, 'latin1'));
  writeMarker(options.out, parameters, true, done);
  options.onProgress?.(done);
  return { ...done, seconds: seconds(), unchanged: false };
}

function parametersOf(options: WriteSampleOptions): Parameters {
  const { from, to } = periodOf(options);
  if (!(from <= to)) {
    throw new FilinglakeError(
      'argument-invalid',
      `--from must be a day before --to or the same day, not "${options.from}" (--to is "${options.to}")`,
    );
  }
  if (from < DEFAULT_PERIOD.from) {
    const first = isoDay(DEFAULT_PERIOD.from);
    throw new FilinglakeError('argument-invalid', `--from must be ${first} or later, not "${options.from}"`);
  }
  return {
    version: SAMPLE_VERSION,
    filings: options.filings,
    seed: options.seed ?? 1,
    from: isoDay(from),
    to: isoDay(to),
  };
}

function readMarker(out: string): Marker | null {
  const path = join(out, MARKER);
  if (!existsSync(path)) return null;
  return guard(out, () => JSON.parse(readFileSync(path, 'utf8')) as Marker);
}

/** The marker is written first, so that an interrupted sample is recognised, and last, when the sample is complete. */
function writeMarker(out: string, sample: Parameters, complete: boolean, done: SampleSummary): void {
  const marker: Marker = { sample, complete, ...done };
  write(out, MARKER, Buffer.from(`${JSON.stringify(marker, null, 2)}\n`));
}

function makeRoom(options: WriteSampleOptions, earlier: Marker | null): void {
  const { out } = options;
  guard(out, () => {
    makeFolders(resolve(out), { statSync, mkdirSync, dirname });
    if (earlier) {
      for (const name of OWN_FOLDERS) rmSync(join(out, name), { recursive: true, force: true });
      return;
    }
    if (readdirSync(out).length > 0 && !options.force) {
      throw new FilinglakeError('folder-taken', `${out} holds files that are not a sample`);
    }
  });
}

/** Turns errors of the file system into errors with a remedy. */
function guard<T>(out: string, write: () => T): T {
  try {
    return write();
  } catch (error) {
    if (error instanceof FilinglakeError) throw error;
    const { code } = error as NodeJS.ErrnoException;
    const full = code === 'ENOSPC' || code === 'EDQUOT';
    throw new FilinglakeError(
      'output-unwritable',
      `the sample in ${out} can't be written: ${systemErrorWords(error)}`,
      {
        ...(full && { remedy: 'Make room on the disk. The same command then writes the sample again.' }),
        cause: error,
      },
    );
  }
}

function write(out: string, path: string, bytes: Buffer): void {
  guard(out, () => {
    const target = join(out, path);
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, bytes);
  });
}
