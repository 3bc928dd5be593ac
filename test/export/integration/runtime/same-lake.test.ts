/** One lake under several names, and copies of a lake. */
import { cpSync, mkdirSync, readdirSync, renameSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { isSameLake, namedLake } from '../../../../src/export/runtime/runs/same-lake.ts';
import { openLake } from '../../../../src/lake/index.ts';
import { temporaryFolder } from '../../../support/lake/temporary-folder.ts';

async function newLake(folder: string): Promise<string> {
  const place = join(folder, 'lake');
  await (await openLake(place, { create: true })).close();
  return place;
}

it('is one lake by a link, and a copy is another one with the same identity', async () => {
  const folder = temporaryFolder();
  const place = await newLake(folder);
  symlinkSync(place, join(folder, 'link'));
  cpSync(place, join(folder, 'copy'), { recursive: true });
  const [lake, link, copy] = await Promise.all(['lake', 'link', 'copy'].map((name) => namedLake(join(folder, name))));
  expect(copy!.lake_id).toBe(lake!.lake_id);
  expect(await isSameLake(lake!, link!)).toBe(true);
  expect(await isSameLake(lake!, copy!)).toBe(false);
  expect(await isSameLake(copy!, link!)).toBe(false);
  expect(readdirSync(join(copy!.lake, '_staging'))).toEqual(readdirSync(join(lake!.lake, '_staging')));
});

it('is one lake after it was moved, or if its other place is of another machine', async () => {
  const folder = temporaryFolder();
  const before = await namedLake(await newLake(folder));
  renameSync(before.lake, join(folder, 'moved'));
  const moved = await namedLake(join(folder, 'moved'));
  expect(await isSameLake(before, moved)).toBe(true);
  mkdirSync(before.lake);
  expect(await isSameLake(moved, before)).toBe(true);
});
