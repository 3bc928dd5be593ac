/** A lake with a row of every type in every table, beside those of the recipes. */
import { recipeLake } from '../docs/recipe-lake.ts';
import { everywhere } from '../lake/every-table.ts';
import { bring } from '../lake/small-lake.ts';

export async function filledLake(folder: string): Promise<void> {
  const lake = await recipeLake(folder);
  await bring(lake, { batch: 'everywhere' }, everywhere());
  await lake.close();
}
