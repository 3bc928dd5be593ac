/** Metadata of a release, validated offline by the libraries of Croissant and DataCite. */
import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { openLake } from '../../../src/lake/index.ts';
import { exportRelease } from '../../../src/lake/report/index.ts';
import { everything } from '../../support/lake/every-table.ts';
import { catalogueValidators } from '../../support/lake/python-readers.ts';
import { bring } from '../../support/lake/small-lake.ts';
import { temporaryFolder } from '../../support/lake/temporary-folder.ts';

const python = catalogueValidators();
const missing = 'missing' in python ? python.missing : null;

const SCRIPT = `
import json, sys
folder = sys.argv[1]
load = lambda name: json.load(open(f"{folder}/{name}"))

import mlcroissant
croissant = mlcroissant.Dataset(f"{folder}/croissant.json")
issues = croissant.metadata.ctx.issues
records = {name: sum(1 for _ in croissant.records(f"rows/{name}")) for name in ("filings", "documents", "entities")}

from datacite import schema45
datacite = [error.message for error in schema45.validator.iter_errors(load("datacite.json"))]
print(json.dumps({
    "croissant": sorted(issues.errors), "sets": len(croissant.metadata.record_sets), "records": records,
    "datacite": datacite,
}))
`;

describe.skipIf(missing !== null)(`metadata of a release${missing ? ` (${missing})` : ''}`, () => {
  it.each([
    [
      'with all that can be stated',
      { creators: ['A name'], publisher: 'A press', license: 'CC0-1.0', doi: '10.5281/zenodo.1' },
    ],
    ['with nothing stated', {}],
  ])('is valid, and its rows can be read: %s', async (_, citation) => {
    const lake = await openLake(path.join(temporaryFolder(), 'lake'), { create: true });
    for (const n of [1, 2]) await bring(lake, { batch: `b${n}` }, everything(n));
    const folder = path.join(temporaryFolder(), 'release');
    const versions = { filinglake: '0.1.0', mapping: 1 };
    const { manifest } = await exportRelease(lake, await lake.makeRelease({ name: '1.0.0' }), folder, {
      versions,
      citation,
    });
    await lake.close();
    const { command, modules } = python as Exclude<typeof python, { missing: string }>;
    const env = {
      ...process.env,
      PYTHONPATH: modules,
      HTTPS_PROXY: 'http://127.0.0.1:9',
      HTTP_PROXY: 'http://127.0.0.1:9',
    };
    const seen = JSON.parse(execFileSync(command, ['-c', SCRIPT, folder], { encoding: 'utf8', env }));
    const filled = Object.values(manifest.tables).filter(({ rows }) => rows > 0);
    expect(seen).toEqual({
      croissant: [],
      sets: filled.length,
      records: Object.fromEntries(
        ['filings', 'documents', 'entities'].map((name) => [name, manifest.tables[name]!.rows]),
      ),
      datacite: [],
    });
  });
});
