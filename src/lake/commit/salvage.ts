/** Salvages the rows that a killed attempt wrote and never sealed. */
import { batchFolder } from '../storage/layout.ts';
import type { LakeStorage } from '../storage/storage.ts';
import { fileOfTable } from './open-segment.ts';
import { JOURNAL_FILE, type JournalContent, readJournal } from './segment-journal.ts';
import { putSeal, segmentName } from './segment-writer.ts';
import { type SealedSegment, sealedSegments } from './staging.ts';

/**
 * Seals a copy of the whole row batches in unsealed segments of a batch. It is a copy, since the writer may only seem dead:
 * what it still writes goes into files that nobody reads. Repeated and parallel calls find what is salvaged already.
 * @param metaOf makes a segment's meta from the metas of its row batches
 * @returns all sealed segments of the batch, in order
 */
export async function takeUpSegments(
  storage: LakeStorage,
  id: { runId: string; batchId: string },
  metaOf: (metas: readonly unknown[]) => unknown,
): Promise<SealedSegment[]> {
  const folder = batchFolder(id.runId, id.batchId);
  const sealed = await sealedSegments(storage, id.runId, id.batchId);
  const known = new Set(sealed.flatMap((segment) => [segment.folder, ...(segment.from ? [segment.from] : [])]));
  const open = (await storage.listFolders(folder)).filter((name) => !known.has(name)).sort(byAttemptAndNumber);
  let isMore = false;
  for (const from of open) {
    const content = await contentOf(storage, folder, from);
    if (content === null) continue;
    await sealCopy(storage, folder, from, content, metaOf);
    isMore = true;
  }
  return isMore ? sealedSegments(storage, id.runId, id.batchId) : sealed;
}

async function contentOf(storage: LakeStorage, folder: string, from: string): Promise<JournalContent | null> {
  const journal = await storage.read(`${folder}/${from}/${JOURNAL_FILE}`);
  if (journal === null) return null;
  return readJournal(
    journal,
    (table) => storage.read(`${folder}/${from}/${fileOfTable(table)}`),
    async ({ values }) => {
      for (const { file, bytes } of Object.values(values)) {
        if ((await storage.size(`${folder}/${file}`)) !== bytes) return false;
      }
      return true;
    },
  );
}

async function sealCopy(
  storage: LakeStorage,
  folder: string,
  from: string,
  { tables, metas, wide }: JournalContent,
  metaOf: (metas: readonly unknown[]) => unknown,
): Promise<void> {
  // The copy gets the number of its writer, to keep its place in the order.
  const copy = segmentName(...placeOf(from));
  const names = Object.keys(tables);
  for (const name of names) {
    const bytes = await storage.read(`${folder}/${from}/${fileOfTable(name)}`);
    const scratch = storage.openScratch();
    try {
      scratch.append((bytes ?? Buffer.alloc(0)).subarray(0, tables[name]!.bytes));
      await storage.adopt(scratch, `${folder}/${copy}/${fileOfTable(name)}`);
    } catch (error) {
      await scratch.discard();
      throw error;
    }
  }
  await putSeal(
    storage,
    folder,
    {
      tables: Object.fromEntries(names.map((name) => [name, { rows: tables[name]!.rows, bytes: tables[name]!.bytes }])),
      meta: metaOf(metas),
    },
    {
      folder: copy,
      from,
      longestLine: Object.fromEntries(names.map((name) => [name, tables[name]!.longestLine])),
      ascending: names.filter((name) => tables[name]!.ascending),
      ...(Object.keys(wide).length > 0 ? { wide } : {}),
    },
  );
}

/** Attempt and number in the name of a segment's folder. */
function placeOf(folder: string): [attempt: number, number: number] {
  const [, attempt, number] = /^(\d+)-(\d+)\./.exec(folder) ?? [];
  return [Number(attempt ?? 0), Number(number ?? 0)];
}

function byAttemptAndNumber(a: string, b: string): number {
  const [one, other] = [placeOf(a), placeOf(b)];
  return one[0] - other[0] || one[1] - other[1];
}
