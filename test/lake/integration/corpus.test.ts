import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Lake, openLake } from '../../../src/lake/index.ts';
import { type CorpusReport, writeCorpus } from '../../../src/lake/report/index.ts';
import { accession, bring, filingRows, together } from '../../support/lake/small-lake.ts';
import { temporaryFolder } from '../../support/lake/temporary-folder.ts';

const ODD = ['', 'Two\n\nparagraphs, "quoted" \\ back', 'ünï – “é” 中 😀\t|', 'x'.repeat(3_000), 'y'.repeat(1_000)];
const sha256 = (bytes: string | Buffer) => createHash('sha256').update(bytes).digest('hex');

let parent: string;
let lake: Lake;

beforeAll(async () => {
  parent = temporaryFolder();
  lake = await openLake(path.join(parent, 'lake'), { create: true });
  const texts = ODD.flatMap((text, n) => [
    { accession_number: accession(n + 1), section: '1A', text },
    { accession_number: accession(n + 1), section: '7', text: null },
  ]);
  const [gone] = filingRows(9).filings!;
  await bring(
    lake,
    { batch: 'texts' },
    {
      ...together(...ODD.map((_, n) => filingRows(n + 1))),
      section_contents: [...texts, { accession_number: accession(9), section: '1A', text: 'withdrawn' }],
    },
  );
  await bring(lake, { batch: 'gone' }, { filings: [{ ...gone!, removed_at: '2026-01-01T00:00:00Z' }] });
});

async function write(name: string, over: Partial<Parameters<typeof writeCorpus>[2]> = {}) {
  const folder = path.join(parent, name);
  const options = {
    sections: null,
    where: null,
    fileBytes: 2_500,
    gzip: false,
    madeBy: 'a test',
    onProgress: () => {},
  };
  const report = await writeCorpus(lake, folder, { at: await lake.currentVersion(), ...options, ...over });
  return { folder, report };
}

const linesIn = (folder: string, { files }: CorpusReport) =>
  files.map(({ file }) => {
    const bytes = readFileSync(path.join(folder, file));
    const text = (file.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8');
    return text.trimEnd().split('\n');
  });

describe('a corpus', () => {
  it('has each text once, as the lake has it, in files that end before their size', async () => {
    const { folder, report } = await write('plain');
    const lines = linesIn(folder, report);
    const rows = lines.flat().map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(rows.map(({ accession_number, text }) => [accession_number, text])).toEqual(
      ODD.map((text, n) => [accession(n + 1), text]),
    );
    for (const { text, sha256: stated, characters } of rows)
      expect([stated, characters]).toEqual([sha256(String(text)), [...String(text)].length]);
    expect(report).toMatchObject({ texts: ODD.length, filings: ODD.length });
    expect(report.files.length).toBeGreaterThan(1);
    for (const [n, { bytes, texts }] of report.files.entries()) {
      expect(texts).toBe(lines[n]!.length);
      expect(texts === 1 || bytes <= 2_500).toBe(true);
    }
  });

  it('is the same bytes again, and its sums are those of its files', async () => {
    const [one, two] = [await write('one', { gzip: true }), await write('two', { gzip: true })];
    expect(two.report.files).toEqual(one.report.files);
    const sums = readFileSync(path.join(one.folder, 'SHA256SUMS'), 'utf8').trimEnd().split('\n');
    expect(sums.map((line) => line.slice(66)).sort()).toEqual(
      readdirSync(one.folder).filter((name) => name !== 'SHA256SUMS'),
    );
    for (const line of sums)
      expect(sha256(readFileSync(path.join(one.folder, line.slice(66))))).toBe(line.slice(0, 64));
    expect(linesIn(one.folder, one.report).flat()).toHaveLength(ODD.length);
  });

  it('has a card that counts what is in it', async () => {
    const { folder, report } = await write('chosen', { sections: ['1A'], where: 'characters > 1000 -- long ones' });
    expect(report).toMatchObject({ texts: 1, characters: 3_000, without: [] });
    const card = readFileSync(path.join(folder, 'README.md'), 'utf8');
    expect(card).toContain('1 text of 1 filing of 1 company, 3,000 characters, in 1 file.');
    expect(card).toMatch(/\| 10-\w+ \| 1A \| {2}\| 1 \| 3,000 \|/);
    expect(card).toContain('rows where `characters > 1000 -- long ones`');
  });

  it('is refused with nothing written: no text fits, a wrong condition, a folder with files', async () => {
    await expect(write('none', { sections: ['1B'] })).rejects.toMatchObject({
      code: 'argument-invalid',
      remedy: 'The lake has texts of the sections 1A.',
    });
    await expect(write('wrong', { where: 'nothing = 1' })).rejects.toMatchObject({ code: 'sql-invalid' });
    await expect(write('wrong', { where: 'true) UNION ALL FROM corpus --' })).rejects.toThrow();
    mkdirSync(path.join(parent, 'filled'));
    writeFileSync(path.join(parent, 'filled', 'mine.txt'), 'mine');
    await expect(write('filled')).rejects.toMatchObject({ code: 'output-unwritable' });
    expect(readFileSync(path.join(parent, 'filled', 'mine.txt'), 'utf8')).toBe('mine');
    expect(['none', 'wrong'].map((name) => existsSync(path.join(parent, name)))).toEqual([false, false]);
    expect(readdirSync(parent).filter((name) => name.endsWith('.partial'))).toEqual([]);
  });
});
