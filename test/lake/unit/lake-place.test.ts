/** Places of a lake, by path and by URL. */
import path from 'node:path';
import { expect, it } from 'vitest';
import { absolutePlace, openLake } from '../../../src/lake/index.ts';
import { temporaryFolder } from '../../support/lake/temporary-folder.ts';

it('a path becomes absolute', () => {
  expect(absolutePlace('lake')).toBe(path.resolve('lake'));
});

it('a file URL is the folder that it names', () => {
  expect(absolutePlace('file:///data/lake')).toBe('/data/lake');
});

it('a lake is opened by path and by file URL, and is the same', async () => {
  const folder = temporaryFolder();
  const made = await openLake(folder, { create: true });
  const { id } = made;
  await made.close();
  const opened = await openLake(`file://${folder}`);
  expect(opened.id).toBe(id);
  await opened.close();
});

it('a place of an unknown kind is refused, and no folder of its name is created', async () => {
  await expect(openLake('gopher://bucket/lake', { create: true })).rejects.toMatchObject({
    code: 'lake-place-unknown',
    exitCode: 2,
  });
});
