/** Catalogs with packs that count as full, although they are small. */
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { seeded } from '../seeded-chance.ts';
import { txtOf, writeFiles } from './synthetic-filings.ts';

/** As if the pack before were full. */
export function startPack(of: string, number: number): void {
  writeFileSync(join(of, 'packs', `00000${number}.pack`), '');
  const db = new DatabaseSync(join(of, 'catalog.db'));
  db.prepare('INSERT INTO packs (pack, bytes) VALUES (?, 0)').run(number);
  db.close();
}

/** Long words that don't compress: frames over several blocks, few words to index. */
export function words(seed: number, characters: number): string {
  const chance = seeded(seed);
  const pieces: string[] = [];
  for (let length = 0; length < characters; length += 11)
    pieces.push(`${Math.floor(chance() * 2 ** 52).toString(36)}${pieces.length % 100 ? '' : ' '}`);
  return pieces.join('');
}

/** Submissions of numbers `from` to before `to`; each fifth has some 600 kB in its pack, the others 20. @returns their folder */
export function filings(folder: string, from: number, to: number, { version = '' } = {}): string {
  const into = join(folder, `files-${from}${version}`);
  mkdirSync(into);
  const files: Record<string, Buffer> = {};
  for (let i = from; i < to; i++) {
    const accession = `0000000001-24-${String(i).padStart(6, '0')}`;
    const content = `Report ${i}${version}. ${words(i, i % 5 === 0 ? 900_000 : 30_000)}`;
    const parties = [{ cik: '1', name: 'Acme', state: 'DE' }];
    files[`${accession}.txt`] = txtOf({
      accession,
      form: '8-K',
      date: '2024-03-01',
      parties,
      documents: [{ content }],
    });
  }
  writeFiles(into, files);
  return into;
}

export function packNames(of: string): string[] {
  return readdirSync(join(of, 'packs')).sort();
}
