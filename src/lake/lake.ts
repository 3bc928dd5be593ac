/** An open lake. Its base classes read and write it; its upkeep is here. */
import { FilinglakeError, nearestWord } from '../core/index.ts';
import { readDeltaState } from './delta/state.ts';
import type { OpenLakeOptions } from './opened-lake.ts';
import { connect } from './query/duckdb.ts';
import { makeLakeFile, readLakeFile } from './storage/lake-file.ts';
import { openStorage } from './storage/open.ts';
import { type Audit, checkLake, type LakeCheckReport } from './upkeep/check.ts';
import { type CompactionOptions, type CompactionReport, compactLake } from './upkeep/compaction.ts';
import { smallParts, targetFor } from './upkeep/compaction-plan.ts';
import { type LossPolicy, type RepairReport, repairLake } from './upkeep/repair.ts';
import { type Removed, type VacuumOptions, type VacuumReport, vacuumLake } from './upkeep/vacuum.ts';
import { WrittenLake } from './written-lake.ts';

/**
 * Opens a lake.
 * @param place a folder, or a URL: `./lake`, `file:///data/lake`
 * @throws FilinglakeError `lake-missing` (without `create`), `lake-newer`, `lake-damaged`, `lake-unreadable`, `lake-unwritable`
 */
export async function openLake(place: string, options: OpenLakeOptions = {}): Promise<Lake> {
  const storage = options.storage ?? openStorage(place);
  const existing = await readLakeFile(storage);
  if (existing === null && !options.create) {
    throw new FilinglakeError('lake-missing', `there is no lake in ${storage.name}`);
  }
  const lake = new Lake(storage, existing ?? (await makeLakeFile(storage)), options);
  if (!options.unmended) await lake.mend();
  return lake;
}

/** The lake in a place, or null if there is none. @throws as `openLake` */
export async function openLakeIfThere(place: string, options: OpenLakeOptions = {}): Promise<Lake | null> {
  try {
    return await openLake(place, options);
  } catch (error) {
    if (error instanceof FilinglakeError && error.code === 'lake-missing') return null;
    throw error;
  }
}

export interface RepairOptions {
  dryRun?: boolean;
  policy: LossPolicy;
  /** The check whose findings it repairs. */
  check: () => Promise<LakeCheckReport>;
}

export class Lake extends WrittenLake {
  /** Verifies every table against the log. @param audit also checks the content of rows */
  async check(audit: Audit | null = null): Promise<LakeCheckReport> {
    const reader = await this.engines.reader();
    return checkLake({ storage: this.storage, tables: this.tables, connect: () => connect(reader) }, audit);
  }

  /**
   * Merges small parts into larger ones, while others read and write: no row changes, and older versions stay readable.
   * @throws FilinglakeError `table-unknown` (exit 2), `lake-unwritable`, `lake-full`, `lake-newer`: nothing is damaged
   */
  async compact(options: CompactionOptions = {}): Promise<CompactionReport> {
    this.refuseUnwritable();
    await this.refuseDeltaDamage();
    const names = [...this.tables.keys()];
    for (const name of options.tables ?? []) {
      if (this.tables.has(name)) continue;
      const near = nearestWord(name, names);
      throw new FilinglakeError('table-unknown', `the lake has no table '${name}'`, {
        ...(near && { remedy: `Did you mean '${near}'?` }),
      });
    }
    const own = options.memoryBytes === undefined ? null : await this.engines.openWriter(options.memoryBytes, 2);
    const connection = await connect(own ?? (await this.engines.writer()));
    try {
      return await compactLake(
        {
          storage: this.storage,
          lakeId: this.id,
          tables: this.tables,
          connection,
          snapshot: () => this.snapshot(),
          publish: async (snapshot) => {
            this.newest = snapshot;
            await this.publish(snapshot);
          },
        },
        options,
      );
    } catch (error) {
      return await this.namingDamage(error);
    } finally {
      connection.closeSync();
      own?.closeSync();
    }
  }

  /** For each table, how many parts a compaction would merge. */
  async smallParts(): Promise<Map<string, number>> {
    const { tables } = await this.snapshot();
    return new Map([...tables].map(([name, { parts, bytes }]) => [name, smallParts(parts.values(), targetFor(bytes))]));
  }

  /**
   * Deletes parts that no version of the last seven days (`keepMs`) names, and leftovers of finished runs and crashes.
   * @throws FilinglakeError `lake-unwritable`, `lake-damaged`
   */
  async vacuum(options: VacuumOptions = {}): Promise<VacuumReport> {
    if (!options.dryRun) this.refuseUnwritable();
    const connection = await connect(await this.engines.reader());
    try {
      return await vacuumLake(
        {
          storage: this.storage,
          tables: this.tables.keys(),
          snapshot: () => this.snapshot(),
          readCommit: this.remembered.read,
          endedRuns: () => this.endedRuns(),
          deltaFiles: async (table) => (await readDeltaState(this.storage, async () => connection, table)).files.keys(),
        },
        options,
      );
    } finally {
      connection.closeSync();
    }
  }

  /**
   * Removes missing or damaged parts from the newest version, with the corrections of a policy. Brings Delta logs and lake.sql up
   * to date. Reads every part to its end.
   * @throws FilinglakeError `lake-unwritable`, `lake-full`, `lake-newer`, `lake-busy`: nothing is damaged
   */
  async repair(options: RepairOptions): Promise<RepairReport> {
    if (!options.dryRun) this.refuseUnwritable();
    const connection = await connect(await this.engines.writer());
    const { storage, tables, id: lakeId } = this;
    try {
      return await repairLake(
        {
          ...{ storage, lakeId, tables, connection, readCommit: this.remembered.read, delta: this.delta },
          snapshot: () => this.snapshot(),
          check: options.check,
          policy: options.policy,
          publish: async (snapshot) => {
            this.newest = snapshot;
            await this.publish(snapshot);
          },
        },
        options.dryRun ?? false,
      );
    } finally {
      connection.closeSync();
    }
  }

  /** How much `vacuum` would free now. */
  async superseded(): Promise<Removed> {
    const { parts, scratch, staging } = await this.vacuum({ dryRun: true });
    const going = [...Object.values(parts), scratch, staging];
    return going.reduce((sum, one) => ({ files: sum.files + one.files, bytes: sum.bytes + one.bytes }));
  }
}
