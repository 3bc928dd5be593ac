/** Every table, view and recipe through every door of a lake: the same rows, of the same types. Whole in the slow tier. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { readMarkdown } from '../../../project/unit/docs/markdown-files.ts';
import { commandLine } from '../../../support/command-line.ts';
import { type Answer, difference, type Given } from '../../../support/doors/cells.ts';
import { INPUTS } from '../../../support/doors/corpus.ts';
import { CHOSEN, closed, DOORS, opened, PACKAGE, Reading, readByLibrary } from '../../../support/doors/doors.ts';
import { filledLake } from '../../../support/doors/filled-lake.ts';
import { lakeOfInput } from '../../../support/doors/inputs.ts';
import { unknownReds } from '../../../support/doors/reds.ts';
import { temporaryFolder } from '../../../support/lake/temporary-folder.ts';
import { IN_SLOW_TIER } from '../../../support/tier-cases.ts';

/** Others are asked by the questions alone. */
const READERS = DOORS.filter(({ kinds }) => kinds.includes('table'));

const FILLED = 'the filled lake';

/** In the slow tier also the lake of the made filings, whose views have more to say. */
const LAKES: Readonly<Record<string, () => Promise<string>>> = {
  async [FILLED]() {
    // polars 2.1 finds no file under a folder with a space in its name; the others do.
    const lake = path.join(temporaryFolder(), "another's-lake");
    await filledLake(lake);
    return lake;
  },
  ...(IN_SLOW_TIER && {
    'the lake of the made filings': async () => (await lakeOfInput(INPUTS['complete submissions']!)).lake,
  }),
};

describe.each(Object.entries(LAKES))('%s', (lakeName, make) => {
  let ours: Map<string, Answer>;
  let reading: Reading;
  beforeAll(async () => {
    const lake = await make();
    ours = await readByLibrary(lake, CHOSEN);
    // A table and its views appear with its first row.
    const asked = CHOSEN.filter(({ name }) => {
      const answer = ours.get(name)!;
      return lakeName === FILLED ? !('error' in answer) : 'rows' in answer && answer.rows.length > 0;
    });
    reading = new Reading(lake, asked, READERS);
  });

  for (const [name, why] of closed(READERS)) it.skip(`is the same through ${name} (${why})`, () => {});

  it.skipIf(lakeName !== FILLED)('has rows in every table, and an answer of every view and recipe', () => {
    expect([...ours].filter(([, answer]) => 'error' in answer)).toEqual([]);
    for (const { name } of CHOSEN.filter(({ kind }) => kind === 'table'))
      expect((ours.get(name) as Given).rows.length, name).toBeGreaterThan(0);
  });

  it.each(opened(READERS))('is the same through %s', async (name, door) => {
    const cells = [...(await reading.of(door))].map(
      ([what, answer]) => [`${name} × ${what}`, difference(ours.get(what) as Given, answer)] as const,
    );
    expect(cells.length).toBeGreaterThan(0);
    expect(unknownReds(new Map(cells))).toEqual({});
  });
});

describe('the list of doors', () => {
  const named = DOORS.map(({ name }) => name).join('\n');

  it('has every format of `filinglake sql` but the one for eyes', async () => {
    const { stdout } = await commandLine(['sql', '--help']);
    const formats = /--format <format>[\s\S]*?\(choices: ([^)]+)\)/.exec(stdout)![1]!.match(/\w+/g)!;
    expect(formats.length).toBeGreaterThan(3);
    for (const format of formats.filter((one) => one !== 'table')) expect(named).toContain(`--format ${format}`);
  });

  it('has every method of Python that reads a table', () => {
    const methods = ['frames.py', 'lake.py'].flatMap((file) => {
      const source = readFileSync(path.join(PACKAGE, 'filinglake', file), 'utf8');
      const [, body] = source.split(/^class (?=Frames|Lake\()/m) as [string, string];
      return [...body.split(/^(?=\S)/m)[0]!.matchAll(/^ {4}def ([a-z]\w*)\(/gm)].map(([, name]) => name!);
    });
    // Sections and panels are asked by the questions, a filing, a company and who it was by slow/python/frames.
    const other =
      'sections panel filing company who_was close committed_at refresh versions releases tables columns files'.split(
        ' ',
      );
    expect(methods).toContain('batches');
    for (const name of new Set(methods)) if (!other.includes(name)) expect(named).toContain(`python ${name}`);
  });

  it('has every reader that the guide names as tested', () => {
    const [, readers] = /\*\*Tested with\*\* ([^\n]+)/.exec(readMarkdown('docs/guide/reading-a-lake.md'))!;
    const names = readers!.split(/\. |, | and /).flatMap((part) => /^(?:its )?`?([a-zA-Z]+)/.exec(part)?.[1] ?? []);
    expect(names.length).toBeGreaterThan(4);
    for (const name of new Set(names))
      if (name !== 'DuckDB') expect(`${named}\ndelta_scan`.toLowerCase()).toContain(name.toLowerCase());
  });
});
