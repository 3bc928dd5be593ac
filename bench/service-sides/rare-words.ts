/** Searches for rare words beside a bare handler over the same FTS5 index: CPU of the servers, in turns. */
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { KeyRegister, loadPlans } from '../../src/service/accounts/index.ts';
import { inTurns, type Server, startBare, startService, timed } from './server.ts';

const WORDS = 100;
/** A word in at most so many documents is rare. */
const DOCUMENTS_MAX = 40;

export interface RareWords {
  answer: string;
  milliseconds: number;
  bare_milliseconds: number;
  ratio: number;
}

/** Medians of the turns, in milliseconds of CPU for each search. */
export async function compareRareWords(catalog: string): Promise<RareWords[]> {
  const accounts = KeyRegister.open(catalog, loadPlans());
  const { api_key: key } = accounts.createKey('unlimited');
  const [service, bare] = [await startService(catalog, 1), await startBare(catalog, 1)];
  try {
    const words = rareWords(catalog);
    const cpuOf = async (server: Server, path: (word: string) => string) => {
      const before = server.cpu();
      for (const word of words) await timed(server.pool, path(word));
      return (server.cpu() - before) / words.length;
    };
    const sides: [string, (word: string) => string, (word: string) => string][] = [
      [
        'the number of hits',
        (word) => `/v2/fulltext_search?api_key=${key}&query=${word}&to=0`,
        (word) => `/search?query=${word}&to=0`,
      ],
      [
        '10 hits; bare: their numbers',
        (word) => `/v2/fulltext_search?api_key=${key}&query=${word}&to=10`,
        (word) => `/search?query=${word}&to=10`,
      ],
      [
        '10 hits; bare: their texts',
        (word) => `/v2/fulltext_search?api_key=${key}&query=${word}&to=10`,
        (word) => `/search?query=${word}&to=10&texts=1`,
      ],
    ];
    const compared: RareWords[] = [];
    for (const [answer, ours, theirs] of sides) {
      const [mine, its] = await inTurns(
        () => cpuOf(service, ours),
        () => cpuOf(bare, theirs),
      );
      const round = (value: number) => Math.round(value * 100) / 100;
      compared.push({ answer, milliseconds: round(mine), bare_milliseconds: round(its), ratio: round(mine / its) });
    }
    return compared;
  } finally {
    accounts.revokeKey(key);
    accounts.close();
    await Promise.all([service.stop(), bare.stop()]);
  }
}

function rareWords(catalog: string): string[] {
  const db = new DatabaseSync(join(catalog, 'catalog.db'), { readOnly: true });
  db.exec("CREATE VIRTUAL TABLE temp.words USING fts5vocab('main', 'document_texts', 'row')");
  const rows = db
    .prepare("SELECT term FROM temp.words WHERE doc BETWEEN 2 AND ? AND term GLOB '[a-z][a-z][a-z][a-z]*'")
    .all(DOCUMENTS_MAX) as { term: string }[];
  db.close();
  const step = Math.max(1, Math.floor(rows.length / WORDS));
  return rows.filter((_row, i) => i % step === 0).map(({ term }) => encodeURIComponent(term));
}
