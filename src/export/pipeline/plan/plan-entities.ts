/** Plans new and changed entities of a window. Unchanged rows in the lake stay. */
import { type Entity, parseCik } from '../../../filings/api/index.ts';
import type { Lake } from '../../../lake/index.ts';
import { type Row, rowsOf, tablesFrom } from '../../../lake/tables/index.ts';
import { canonicalJson } from '../../revisions/index.ts';
import { replaceEntity } from '../failures/recorded-failures.ts';
import { ENTITIES } from '../lookup/paged-lookups.ts';
import { among } from '../sql-values.ts';
import { type PagesReadLast, recordsOfWindow } from '../staging/staged-files.ts';
import type { WindowPlan } from './window-plan.ts';

type RowsOfEntity = Record<string, Row[]>;

const ENTITY_TABLES = tablesFrom('entity');

export async function planEntities(plan: WindowPlan, remembered: PagesReadLast): Promise<void> {
  const { lake, request, writer } = plan;
  const { run, window, pages } = request;
  const staged = await recordsOfWindow<Entity>(lake, run.run_id, window, pages, ENTITIES.keyOf, remembered);
  const { records: entities, violations } = staged;
  const ciks = entities.map(ENTITIES.keyOf);
  plan.checkStaged(ENTITIES, new Set(ciks), violations);
  const inLake = await entitiesInLake(lake, ciks);
  const fetched_at = new Date().toISOString();
  for (const entity of entities) {
    const { cik } = entity;
    plan.right.add(cik);
    if (plan.failedBefore.has(cik)) plan.see([cik]);
    const { rows } = rowsOf('entity', entity);
    const before = inLake.get(cik);
    if (before !== undefined && isSame(before, rows)) {
      plan.known++;
      continue;
    }
    for (const row of rows.entities ?? []) row.fetched_at = fetched_at;
    for (const [table, own] of Object.entries(rows)) for (const row of own) writer.append(table, row);
    if (before !== undefined) plan.replace(replaceEntity(cik));
  }
  await plan.recordFaults(violations, (cik) => ({ cik }), parseCik);
}

async function entitiesInLake(lake: Lake, ciks: readonly string[]): Promise<Map<string, RowsOfEntity>> {
  const inLake = new Map<string, RowsOfEntity>();
  if (ciks.length === 0) return inLake;
  for (const { name, key } of ENTITY_TABLES) {
    const rows = await lake.query(
      `SELECT ${name === 'entities' ? '* EXCLUDE (fetched_at)' : '*'} FROM ${name} WHERE cik IN ${among(ciks)} ORDER BY ${key.map((column) => `"${column}"`).join(', ')}`,
      { tables: [name] },
    );
    for (const row of rows as Row[]) {
      const own = inLake.get(String(row.cik)) ?? {};
      own[name] = [...(own[name] ?? []), row];
      inLake.set(String(row.cik), own);
    }
  }
  return inLake;
}

function isSame(stored: RowsOfEntity, now: RowsOfEntity): boolean {
  return ENTITY_TABLES.every(({ name, key }) => {
    const byKey = (row: Row) => key.map((column) => String(row[column]).padStart(10, '0')).join(' ');
    const sorted = [...(now[name] ?? [])].sort((a, b) => (byKey(a) < byKey(b) ? -1 : 1));
    const before = [...(stored[name] ?? [])].sort((a, b) => (byKey(a) < byKey(b) ? -1 : 1));
    return canonicalJson(before) === canonicalJson(sorted);
  });
}
