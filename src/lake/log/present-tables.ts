/** Which tables a version of a lake has: of those that are made on demand the ones that were written to. */
import type { TableDefinition } from '../../tables/index.ts';
import type { LakeSnapshot } from './log.ts';

export function presentTables(
  tables: ReadonlyMap<string, TableDefinition>,
  snapshot: LakeSnapshot,
): ReadonlyMap<string, TableDefinition> {
  return new Map([...tables].filter(([name, { onDemand }]) => !onDemand || snapshot.tables.has(name)));
}
