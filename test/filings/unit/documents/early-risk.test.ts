/** Discussions of risks in real filings from before December 2005, against a reader's labels. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { visibleText } from '../../../../bench/section-score/score.ts';
import { decodeText, findSections, findStructure } from '../../../../src/filings/documents/index.ts';
import { readReport } from '../../../../src/library/sections.ts';
import { jsonRows, sharedFolder } from '../../../support/shared.ts';

interface Label {
  file: string;
  none?: true;
  start: number;
  end: number;
}

const folder = sharedFolder ?? '';
const list = join(folder, 'section-kinds/early-risk.jsonl');
const labels: Label[] = existsSync(list) ? jsonRows<Label>(list) : [];

/** Shares of the letters that two stretches have in common. */
function f1(text: string, a: { start: number; end: number }, b: { start: number; end: number }): number {
  const letters = (from: number, to: number) => (to > from ? visibleText(text.slice(from, to)).text.length : 0);
  const common = letters(Math.max(a.start, b.start), Math.min(a.end, b.end));
  return (2 * common) / (letters(a.start, a.end) + letters(b.start, b.end));
}

describe.skipIf(labels.length === 0)('risk discussions of 17 old annual reports', () => {
  it('are found with recall and precision of at least 0.95', () => {
    let [right, labelled, predicted] = [0, 0, 0];
    for (const file of new Set(labels.map((one) => one.file))) {
      const path = [join(folder, 'sections/labelled', file), join(folder, 'edgar/full-submissions', file)].find(
        existsSync,
      )!;
      const bytes = gunzipSync(readFileSync(path));
      const whole = decodeText(bytes).text;
      const { text, formType, filingDate } = readReport(bytes, { filename: file.replace(/\.gz$/, '') });
      const offset = whole.indexOf(text);
      const { risk_factors } = findStructure(text, findSections(text, formType!), { filingDate });
      const own = labels.filter((one) => one.file === file && one.none !== true);
      labelled += own.length;
      predicted += risk_factors.length;
      const found = risk_factors.map((one) => ({ start: one.start_index + offset, end: one.end_index + offset }));
      right += own.filter((label) => found.some((one) => f1(whole, label, one) >= 0.95)).length;
    }
    expect(labelled).toBe(14);
    expect(right / labelled).toBeGreaterThanOrEqual(0.95);
    expect(right / predicted).toBeGreaterThanOrEqual(0.95);
  });
});
