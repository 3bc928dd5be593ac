import { existsSync, globSync, mkdtempSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { sampleSubmissions, type WrittenSample, writeSample } from '../../../../src/cli/sample/index.ts';
import { readSubmission, readSubmissionsJson, readTickersJson } from '../../../../src/filings/edgar/index.ts';
import { temporaryFolder } from '../../../support/lake/temporary-folder.ts';
import { sha256 } from './given.ts';

const home = temporaryFolder();

const read = (out: string, path: string) => readFileSync(join(out, path));
const filesOf = (out: string) => globSync('**/*.*', { cwd: out }).sort();

describe('a sample on disk', () => {
  const out = join(home, 'sample');
  let written: WrittenSample;
  beforeAll(async () => {
    written = await writeSample({ filings: 260, seed: 4, out });
  });

  it('holds the files that the stream gives', () => {
    for (const file of sampleSubmissions({ filings: 260, seed: 4 })) {
      expect(sha256(read(out, file.path)), file.path).toBe(sha256(file.bytes));
    }
  });

  it('counts its files', () => {
    const files = filesOf(out);
    expect(written.files).toBe(files.length);
    expect(written.bytes).toBe(files.reduce((sum, path) => sum + statSync(join(out, path)).size, 0));
    const numbers = new Set(
      files.filter((path) => /\.(txt|nc)$/.test(path)).map((path) => basename(path).slice(0, 20)),
    );
    expect([written.filings, numbers.size]).toEqual([260, 260]);
  });

  it('has submissions JSON that agrees with the submissions', () => {
    const filings = new Map<string, { form: string; date: string; size: number | null }>();
    let pages = 0;
    for (const path of globSync('submissions/*.json', { cwd: out })) {
      const json = readSubmissionsJson(read(out, path));
      if (json.entity) expect(path).toContain(json.entity.cik.padStart(10, '0'));
      else pages++;
      for (const page of json.olderPages) expect(existsSync(join(out, 'submissions', page.name))).toBe(true);
      for (const f of json.filings)
        filings.set(f.accessionNumber, { form: f.formType, date: f.filingDate, size: f.size });
    }
    expect(pages).toBeGreaterThan(0);
    for (const path of globSync('edgar/data/*/*.txt', { cwd: out })) {
      const submission = readSubmission(read(out, path));
      expect(filings.get(submission.accessionNumber), path).toEqual({
        form: submission.formType,
        date: submission.filingDate,
        size: submission.size,
      });
    }
  });

  it('has tickers of companies whose JSON names them too', () => {
    const tickers = readTickersJson(read(out, 'files/company_tickers_exchange.json'));
    expect(tickers.length).toBeGreaterThan(3);
    expect(new Set(tickers.map((t) => t.ticker)).size).toBe(tickers.length);
    for (const { cik, ticker, name } of tickers) {
      const { entity } = readSubmissionsJson(read(out, `submissions/CIK${cik.padStart(10, '0')}.json`));
      expect(entity?.tickers).toContain(ticker);
      expect(entity?.name).toBe(name);
    }
  });

  it('is unchanged when it is requested again, and replaced by another', async () => {
    const own = join(home, 'again');
    const first = await writeSample({ filings: 5, out: own });
    expect(first.unchanged).toBe(false);
    expect(await writeSample({ filings: 5, out: own })).toMatchObject({
      unchanged: true,
      filings: 5,
      files: first.files,
      bytes: first.bytes,
    });
    const before = filesOf(own);
    await writeSample({ filings: 5, seed: 2, out: own });
    expect(filesOf(own)).not.toEqual(before);
    await writeSample({ filings: 5, out: own });
    expect(filesOf(own)).toEqual(before);
  });

  it('is written again if it was interrupted', async () => {
    const own = join(home, 'interrupted');
    const stop = new Error('interrupted');
    const halfway = writeSample({
      filings: 200,
      out: own,
      onProgress: () => {
        throw stop;
      },
    });
    await expect(halfway).rejects.toBe(stop);
    expect(await writeSample({ filings: 3, out: own })).toMatchObject({ unchanged: false, filings: 3 });
    expect(globSync('{edgar,Feed}/**/*.{txt,nc}', { cwd: own }).length).toBeLessThan(7);
  });

  it('touches no folder with other files, unless forced', async () => {
    const taken = mkdtempSync(join(home, 'taken-'));
    writeFileSync(join(taken, 'thesis.txt'), 'mine');
    await expect(writeSample({ filings: 2, out: taken })).rejects.toMatchObject({
      code: 'folder-taken',
      exitCode: 2,
    });
    await writeSample({ filings: 2, out: taken, force: true });
    await writeSample({ filings: 3, out: taken });
    expect(readFileSync(join(taken, 'thesis.txt'), 'utf8')).toBe('mine');
  });

  it('names the remedy if it cannot write', async () => {
    writeFileSync(join(home, 'file'), '');
    await expect(writeSample({ filings: 1, out: join(home, 'file', 'below') })).rejects.toMatchObject({
      code: 'output-unwritable',
    });
    for (const period of [{ from: '2024-02-01', to: '2024-01-01' }, { from: '2004-12-31' }]) {
      const refused = writeSample({ filings: 1, out: join(home, 'p'), ...period });
      await expect(refused).rejects.toMatchObject({ code: 'argument-invalid', exitCode: 2 });
    }
  });
});
