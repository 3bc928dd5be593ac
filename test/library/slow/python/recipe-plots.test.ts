/** The plots of docs/recipes.md, drawn by matplotlib from a lake. `FILINGLAKE_PLOTS=FOLDER` keeps the pictures. */
import { mkdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Lake } from '../../../../src/lake/index.ts';
import { codeBlocks, readMarkdown } from '../../../project/unit/docs/markdown-files.ts';
import { LONG, recipeLake } from '../../../support/docs/recipe-lake.ts';
import { matplotlib } from '../../../support/lake/python-readers.ts';
import { temporaryFolder } from '../../../support/lake/temporary-folder.ts';
import { installPythonPackage } from '../../../support/python/installed-package.ts';

const page = readMarkdown('docs/recipes.md');
const queries = new Map(codeBlocks(page, 'sql').map(({ heading, code }) => [heading, code]));
const plots = codeBlocks(page, 'python').filter(({ heading }) => queries.has(heading));

const installed = installPythonPackage();
const plotter = matplotlib();
const missing = 'missing' in installed ? installed.missing : 'missing' in plotter ? plotter.missing : null;

/** Values that each plot shows: lengths of bars, points of lines. */
const SHOWN: Record<string, number[]> = {
  'Single risks by group': [1, 2],
  // Of a histogram: the widths of its bars.
  'How risk factors change': Array.from({ length: 20 }, () => 0.05),
  'Length of MD&A by company and year': [40, LONG.length],
  'Insider trades on the market': [25],
  'Who holds a security': [1, 1, 1, 2],
  'Positions of a manager': [50, 230],
  'Financial values by year': [-3, 7, 8, 10, 17, 30, 35, 70, 100, 167, 187],
  'Revenue as first reported and as revised': [37, 37, 52, 52, 156, 158, 172, 172, 851, 851],
  'A panel for a regression': [6 / 180, 0.05, 0.05, 17 / 187, 35 / 167],
  Restatements: [400 / 156, 100 / 9],
  'Growth by sector': [5, 10, 100 / 3],
  'Point in time against latest': [9, 10, 156, 160],
  'Pay of the chief executive': [500, 900],
  'Money raised by state and month': [50.5, 130],
  'Coverage by year': [200 / 7, 50, 100],
};

/** What the values are, as an axis of each plot says. */
const UNITS = new Set([
  'characters',
  'dollars',
  'managers',
  'per cent',
  'return on assets',
  'risks',
  'share of sentences that are new',
]);

const DRAW = `
import sys
sys.path.append(given["modules"])
import matplotlib
matplotlib.use("Agg")
import matplotlib.pyplot as plt
answer = {}
lake = filinglake.open(given["lake"])
for number, (heading, query, code) in enumerate(given["plots"]):
    plt.close("all")
    exec(code, {"frame": lake.sql(query).df(), "plt": plt})
    axes = plt.gca()
    # Bars that lie have the unit below them.
    bars = [bar.get_height() if axes.get_ylabel() in ("dollars", "managers", "per cent") else bar.get_width() for bar in axes.patches]
    points = [float(y) for line in axes.get_lines() if line.get_transform() == axes.transData for y in line.get_ydata()]
    values = [value for value in (bars if axes.patches else points) if value == value and value != 0]
    file = f'{given["folder"]}/{number}.png'
    plt.savefig(file, bbox_inches="tight")
    answer[heading] = {"shown": sorted(map(float, values)), "labels": [axes.get_xlabel(), axes.get_ylabel()], "file": file}
print(json.dumps(answer))
`;

describe.skipIf(missing !== null)(`plots of recipes${missing ? ` (${missing})` : ''}`, () => {
  let folder: string;
  let lake: Lake;
  beforeAll(async () => {
    folder = temporaryFolder();
    lake = await recipeLake(path.join(folder, 'lake'));
  });
  afterAll(() => lake?.close());

  it('show what the queries answer', async () => {
    const pictures = process.env.FILINGLAKE_PLOTS ?? path.join(folder, 'pictures');
    mkdirSync(pictures, { recursive: true });
    const { run } = installed as Exclude<typeof installed, { missing: string }>;
    const { modules } = plotter as Exclude<typeof plotter, { missing: string }>;
    const drawn = (await run(DRAW, {
      modules,
      lake: path.join(folder, 'lake'),
      folder: pictures,
      plots: plots.map(({ heading, code }) => [heading, queries.get(heading), code]),
    })) as Record<string, { shown: number[]; labels: string[]; file: string }>;
    expect(Object.fromEntries(Object.entries(drawn).map(([heading, { shown }]) => [heading, shown]))).toEqual(
      Object.fromEntries(
        Object.entries(SHOWN).map(([heading, values]) => [heading, values.map((value) => expect.closeTo(value))]),
      ),
    );
    for (const { labels, file } of Object.values(drawn)) {
      expect(labels.filter((label) => UNITS.has(label))).toHaveLength(1);
      expect(statSync(file).size).toBeGreaterThan(5_000);
    }
  });
});
