/** Files that are made from the code must equal the code. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { sectionFor, withRun } from '../../../../bench/recording/record.ts';
import { type RecordedRun, readResults, resultNames, tablesOf } from '../../../../bench/recording/results.ts';
import { PAGES } from '../../../../scripts/pages/index.ts';
import { SECTIONS } from '../../../../scripts/pages/measurements.ts';
import { ROOT, readMarkdown } from './markdown-files.ts';

describe('files made from the code', () => {
  it.each(PAGES)('$path is up to date', async ({ path, text }) => {
    // The difference would be hundreds of lines: the command that writes it again says more.
    expect(readMarkdown(path) === (await text()), `${path} is out of date. Run \`npm run docs\`.`).toBe(true);
  });
});

describe('docs/internals/size.md', () => {
  it('has every room. Its figures are those of its last `npm run size`', () => {
    const page = readMarkdown('docs/internals/size.md');
    const rooms = readdirSync(join(ROOT, 'src')).map((room) => `src/${room}`);
    expect(
      [...rooms, 'workflows', 'activities', 'test', 'bench'].filter((room) => !page.includes(`\`${room}\``)),
    ).toEqual([]);
  });
});

describe('recorded results of benchmarks', () => {
  it('are all on the page of measurements', () => {
    expect(resultNames().sort()).toEqual([...SECTIONS].sort());
  });

  it('have headlines of the day of their run: who records a run again looks at its headline, too', () => {
    const results = resultNames().map(readResults);
    const days = new Map(results.flatMap(({ runs }) => runs.map(({ command, date }) => [command, date] as const)));
    const stale = results.flatMap(({ summary }) => summary).filter((one) => days.get(one.command) !== one.measured);
    expect(stale).toEqual([]);
  });

  it('are tables of the printed JSON: lists of objects, and the plain members of objects', () => {
    expect(tablesOf({ filings: 20, sides: [{ name: 'export', cpu: { own_s: 4.5 } }], spread: { wall_s: 2 } })).toEqual([
      { rows: [{ what: 'filings', figure: 20 }] },
      { caption: 'sides', rows: [{ name: 'export', 'cpu own s': 4.5 }] },
      { caption: 'spread', rows: [{ what: 'wall s', figure: 2 }] },
    ]);
  });

  it('go to the section that has their command or benchmark, else to a new one', () => {
    const sections = [
      { name: 'lake', commands: ['npm run bench -- lake', 'npm run bench -- arrow'] },
      { name: 'scale', commands: ['npm run bench -- scale'] },
      { name: 'scale-lake', commands: ['npm run bench -- scale lake 2000'] },
    ];
    expect(sectionFor('scale', ['lake', '10'], sections)).toBe('scale-lake');
    expect(sectionFor('scale', ['1000'], sections)).toBe('scale');
    expect(sectionFor('arrow', ['10'], sections)).toBe('lake');
    expect(sectionFor('forms', [], sections)).toBe('forms');
  });

  it('replace an earlier run of the same command', () => {
    const [first, second] = ['export 1', 'export 2'].map((command) => ({ command, date: '2026-01-01' }) as RecordedRun);
    const again = { ...first!, date: '2026-01-02' };
    expect(withRun([first!, second!], again)).toEqual([again, second]);
    expect(withRun([first!], second!)).toEqual([first, second]);
  });
});
