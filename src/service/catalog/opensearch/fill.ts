/**
 * Brings an index in OpenSearch to the state of the catalog. Each step says first what it will write, then writes, then says that it has:
 * after a kill at any place the next run continues, and searches in between stay right.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { FilinglakeError } from '../../../core/index.ts';
import { PackReader } from '../packs/packs.ts';
import { Statements } from '../rows/statements.ts';
import { CHANGED_SINCE, keepTextChanges, textState, wasInState } from '../rows/text-changes.ts';
import { openToRead } from '../store/schema.ts';
import { type Answer, type Call, OpenSearch } from './client.ts';
import { type DocumentRow, GROUP, MAPPINGS, NEXT, PLACE, SETTINGS, sourceOf, THESE } from './documents.ts';
import {
  accepted,
  INDEX_FORMAT,
  type IndexState,
  ofAnother,
  READ_STATE,
  type StoredState,
  stateIn,
  usableState,
  writeState,
} from './state.ts';

/** A request has about this many characters. */
const REQUEST_CHARACTERS = 4_000_000;
/** OpenSearch answers 429 if it has too much to do. */
const BUSY_TRIES = 8;
const CHECKED_A_REQUEST = 10_000;

export interface FillSummary {
  index: string;
  /** Written and deleted by this run */
  written: number;
  deleted: number;
  /** With `check`: documents that were not as the catalog has them, and were written again */
  repaired: number | null;
  /** The change of the catalog that the index has reached */
  change: number;
  seconds: number;
}

export interface FillOptions {
  /** An index that is of another catalog or release is deleted first */
  refill?: boolean;
  /** Compare all documents of the index with the catalog */
  check?: boolean;
  /** Number of shards and of copies of a new index */
  shards?: number;
  replicas?: number;
  onProgress?: (done: number, total: number) => void;
}

/** @throws `fulltext-engine-unreachable`, `fulltext-index-unfit`, `catalog-busy`, `setting-invalid`; as Catalog.open */
export async function fillIndex(folder: string, place: string, options: FillOptions = {}): Promise<FillSummary> {
  const startedAt = performance.now();
  using filling = new Filling(folder, place, options);
  await filling.run();
  return filling.summary((performance.now() - startedAt) / 1_000);
}

class Filling implements Disposable {
  readonly #engine: OpenSearch;
  readonly #db;
  readonly #statements: Statements;
  readonly #packs: PackReader;
  readonly #options: FillOptions;
  #stored: StoredState | null = null;
  #written = 0;
  #deleted = 0;
  #repaired: number | null = null;

  constructor(folder: string, place: string, options: FillOptions) {
    this.#engine = new OpenSearch(place);
    this.#options = options;
    this.#db = openToRead(folder);
    this.#statements = new Statements(this.#db);
    if (textState(this.#statements) === null) keepTextChanges(folder);
    this.#packs = new PackReader(folder);
  }

  [Symbol.dispose](): void {
    this.#packs.close();
    this.#db.close();
  }

  summary(seconds: number): FillSummary {
    const { change } = this.#state.at;
    const [written, deleted, repaired] = [this.#written, this.#deleted, this.#repaired];
    return { index: this.#engine.name, written, deleted, repaired, change, seconds };
  }

  async run(): Promise<void> {
    await this.#open();
    await this.#fill();
    await this.#follow();
    if (this.#options.check) await this.#check();
  }

  get #state(): IndexState {
    return this.#stored!.state;
  }

  /** Takes the index, or makes it. */
  async #open(): Promise<void> {
    const { refill = false, shards = 1, replicas = 0 } = this.#options;
    this.#stored = stateIn(await this.#call(READ_STATE));
    if (this.#stored !== null && !refill) return this.#requireOwn();
    const { status, body: mappings } = await this.#call({ method: 'GET', path: '/_mapping' });
    const isThere = status !== 404;
    if (isThere && !JSON.stringify(mappings).includes('"_meta":{"filinglake":'))
      throw new FilinglakeError('fulltext-index-unfit', `the index at ${this.#engine.name} is not one of filinglake`, {
        remedy: 'Name another index, or delete this one yourself.',
      });
    if (isThere && refill) accepted(await this.#call({ method: 'DELETE', path: '' }), 'to delete the index');
    if (!isThere || refill) {
      const settings = { ...SETTINGS, number_of_shards: shards, number_of_replicas: replicas };
      const body = JSON.stringify({ settings: { index: settings }, mappings: MAPPINGS });
      accepted(await this.#call({ method: 'PUT', path: '', body }), 'to make the index');
    }
    const at = this.#statements.snapshot(() => textState(this.#statements)!);
    await this.#write({ format: INDEX_FORMAT, fill: randomUUID(), at, to: at, filled: -1 }, null);
  }

  #requireOwn(): void {
    this.#statements.snapshot(() => {
      const state: Answer = { status: 200, body: { _source: { state: { ...this.#state, filled: null } } } };
      const { to } = usableState(state, this.#statements, this.#engine.name);
      if (!wasInState(this.#statements, to)) throw ofAnother(this.#engine.name);
    });
  }

  /** All documents, by their ids. */
  async #fill(): Promise<void> {
    const { filled } = this.#state;
    const count = (where: string) => this.#number(`SELECT count(*) FROM documents WHERE searched = 1 AND ${where}`);
    const before = filled === null ? 0 : count(`id <= ${filled}`);
    const total = filled === null ? 0 : count('1');
    while (this.#state.filled !== null) {
      const rows = await this.#bring(() => ({ rows: this.#rows(NEXT, this.#state.filled!), gone: [] }));
      if (rows.length === 0) await this.#refresh();
      await this.#write({ ...this.#state, filled: rows.at(-1)?.id ?? null }, this.#stored);
      this.#options.onProgress?.(before + this.#written, Math.max(total, before + this.#written));
    }
  }

  /** What changed since the state of the index. */
  async #follow(): Promise<void> {
    const { at } = this.#state;
    const { state, ids } = this.#statements.snapshot(() => ({
      state: textState(this.#statements)!,
      ids: this.#ids(`SELECT document FROM (${CHANGED_SINCE}) ORDER BY document`, at.change),
    }));
    if (state.change === at.change) return;
    await this.#bringAll(ids);
    await this.#refresh();
    await this.#write({ ...this.#state, at: state }, this.#stored);
  }

  async #bringAll(ids: readonly number[]): Promise<void> {
    for (let from = 0; from < ids.length; from += GROUP) {
      const some = ids.slice(from, from + GROUP);
      await this.#bring(() => {
        const rows = this.#rows(THESE, JSON.stringify(some));
        const there = new Set(rows.map(({ id }) => id));
        return { rows, gone: some.filter((id) => !there.has(id)) };
      });
      this.#options.onProgress?.(from + some.length, ids.length);
    }
  }

  /** Writes documents as one snapshot has them. Before that, the state says how new they may be. */
  async #bring(read: () => { rows: DocumentRow[]; gone: number[] }): Promise<DocumentRow[]> {
    const { to, rows, gone } = this.#statements.snapshot(() => ({ to: textState(this.#statements)!, ...read() }));
    if (to.change > this.#state.to.change) await this.#write({ ...this.#state, to }, this.#stored);
    let body = '';
    const add = async (action: 'index' | 'delete', id: number, source: string) => {
      const line = { [action]: { _id: String(id), version: to.change, version_type: 'external_gte' } };
      body += `${JSON.stringify(line)}\n${source}`;
      if (body.length > REQUEST_CHARACTERS) await send();
    };
    const send = async () => {
      if (body !== '') await this.#bulk(body);
      body = '';
    };
    for (const id of gone) await add('delete', id, '');
    for (const row of rows) await add('index', row.id, `${JSON.stringify(sourceOf(row, this.#packs))}\n`);
    await send();
    this.#written += rows.length;
    this.#deleted += gone.length;
    return rows;
  }

  async #bulk(body: string): Promise<void> {
    const path = '/_bulk?filter_path=errors,items.*.status,items.*._id,items.*.error.reason';
    for (let tries = 1; ; tries++) {
      const answer = accepted(await this.#call({ method: 'POST', path, body }), 'documents') as {
        errors: boolean;
        items: Record<string, { _id: string; status: number; error?: { reason: string } }>[];
      };
      // 404: what shall be deleted is not there. 409: a newer version is.
      const refused = answer.items
        .flatMap((item) => Object.values(item))
        .filter(({ status }) => status > 299 && status !== 404 && status !== 409);
      if (refused.length === 0) return;
      const [{ _id, status, error }] = refused as [{ _id: string; status: number; error?: { reason: string } }];
      if (status !== 429 || tries >= BUSY_TRIES)
        throw this.#engine.away(`it refuses document ${_id} (${status}): ${error?.reason}`);
      await pause(2 ** tries * 50);
    }
  }

  /** What was written is found from now on, in each copy. */
  async #refresh(): Promise<void> {
    const { _shards } = accepted(await this.#call({ method: 'POST', path: '/_refresh' }), 'to refresh') as {
      _shards: { failed: number };
    };
    if (_shards.failed > 0) throw this.#engine.away('a part of the index does not answer');
  }

  async #write(state: IndexState, before: StoredState | null): Promise<void> {
    const answer = await this.#call(writeState(state, before));
    const now = answer.status === 409 || answer.status < 300 ? stateIn(await this.#call(READ_STATE)) : null;
    if (now === null) accepted(answer, 'the state of the index');
    // After a lost answer the same write is refused.
    if (now === null || !isDeepStrictEqual(now.state, state))
      throw new FilinglakeError('catalog-busy', `another process fills the index at ${this.#engine.name}`);
    this.#stored = now;
  }

  /** Tries again while the engine is too busy, or is started. */
  async #call(call: Call): Promise<Answer> {
    for (let tries = 1; ; tries++) {
      try {
        return await this.#engine.call(call);
      } catch (error) {
        if (tries >= BUSY_TRIES) throw error;
        await pause(2 ** tries * 50);
      }
    }
  }

  async #check(): Promise<void> {
    const different = await this.#different();
    await this.#bringAll(different);
    await this.#refresh();
    this.#repaired = different.length;
  }

  /** @returns ids of documents that the index lacks, has in an older version, or has too many */
  async #different(): Promise<number[]> {
    const different: number[] = [];
    this.#db.exec('BEGIN');
    try {
      const changed = new Set(this.#ids(`SELECT document FROM (${CHANGED_SINCE})`, this.#state.at.change));
      const rows = this.#statements
        .prepareArrays(`SELECT d.id, ${PLACE} FROM documents d WHERE d.searched = 1 ORDER BY d.id`)
        .iterate() as Iterable<unknown> as Iterable<[number, number]>;
      const own = rows[Symbol.iterator]();
      let next = own.next();
      for await (const [id, place] of this.#indexed()) {
        for (; !next.done && next.value[0] < id; next = own.next()) different.push(next.value[0]);
        const isThere = !next.done && next.value[0] === id;
        if (!isThere || next.value[1] !== place) different.push(id);
        if (isThere) next = own.next();
      }
      for (; !next.done; next = own.next()) different.push(next.value[0]);
      return different.filter((id) => !changed.has(id));
    } finally {
      this.#db.exec('COMMIT');
    }
  }

  /** Ids and places of all documents in the index, by their ids. */
  async *#indexed(): AsyncGenerator<[id: number, place: number]> {
    const sort = [{ id: 'asc' }];
    const query = { exists: { field: 'id' } };
    for (let after: number | null = null; ; ) {
      const body = {
        query,
        sort,
        size: CHECKED_A_REQUEST,
        track_total_hits: false,
        docvalue_fields: ['place'],
        ...(after === null ? {} : { search_after: [after] }),
      };
      const path = '/_search?allow_partial_search_results=false&filter_path=hits.hits.sort,hits.hits.fields';
      const { hits } = accepted(await this.#call({ method: 'POST', path, body: JSON.stringify(body) }), 'a search') as {
        hits?: { hits: { sort: [number]; fields: { place: [number] } }[] };
      };
      const some = hits?.hits ?? [];
      for (const {
        sort: [id],
        fields,
      } of some)
        yield [id, fields.place[0]];
      if (some.length < CHECKED_A_REQUEST) return;
      after = some.at(-1)!.sort[0];
    }
  }

  #rows(sql: string, value: number | string): DocumentRow[] {
    return this.#statements.prepare(sql).all(value) as unknown as DocumentRow[];
  }

  #ids(sql: string, value: number): number[] {
    return (this.#statements.prepareArrays(sql).all(value) as unknown as [number | null][]).flatMap(([id]) => id ?? []);
  }

  #number(sql: string): number {
    return (this.#statements.prepareArrays(sql).get() as unknown as [number])[0];
  }
}
