/** Plans new and changed entities of a window. Unchanged rows in the lake stay. */
import { type Entity, parseCik } from '../../../filings/api/index.ts';
import type { Lake, Replacement } from '../../../lake/index.ts';
import { type Row, rowsOf, tablesFrom } from '../../../lake/tables/index.ts';
import { canonicalJson, countPasses } from '../../index.ts';
import { noteSeen } from '../failures/earlier-failures.ts';
import { FailureLog, faultsByName } from '../failures/failure-log.ts';
import {
  deleteFailures,
  entityFailure,
  replaceEntity,
  resolvedFailures,
  unidentifiedOf,
} from '../failures/recorded-failures.ts';
import { ENTITIES } from '../lookup/paged-lookups.ts';
import { among, sqlText } from '../sql-values.ts';
import { mergeReplacements } from '../staging/segment-sink.ts';
import { type PagesReadLast, recordsOfWindow, type StagedPlan, stagePlan } from '../staging/staged-files.ts';
import type { PlanWindowRequest } from '../types.ts';
import { checkStaged, windowRow } from './window-record.ts';

type RowsOfEntity = Record<string, Row[]>;

const ENTITY_TABLES = tablesFrom('entity');

export async function planEntities(
  lake: Lake,
  request: PlanWindowRequest,
  remembered: PagesReadLast,
): Promise<StagedPlan> {
  const { run, window, pages, plan, record } = request;
  const { name } = run.definition;
  const base_version = await lake.currentVersion();
  const staged = await recordsOfWindow<Entity>(lake, run.run_id, window, pages, ENTITIES.keyOf, remembered);
  checkStaged(request, ENTITIES, { keys: staged.records.map(ENTITIES.keyOf), violations: staged.violations });
  const { records: entities, violations } = staged;
  const ciks = entities.map(({ cik }) => cik);
  const inLake = await entitiesInLake(lake, ciks);
  const failed = await failedEntities(lake, name);
  const writer = lake.openStaging(run.run_id, request.batch_id, request.attempt);
  const replace: Replacement[] = [];
  const fetched_at = new Date().toISOString();
  let known = 0;
  for (const entity of entities) {
    const { cik } = entity;
    if (failed.has(cik)) mergeReplacements(replace, deleteFailures(name, [{ step: 'entity', subject: cik }]));
    const { rows } = rowsOf('entity', entity);
    const before = inLake.get(cik);
    if (before !== undefined && isSame(before, rows)) {
      known++;
      continue;
    }
    for (const row of rows.entities ?? []) row.fetched_at = fetched_at;
    for (const [table, own] of Object.entries(rows)) for (const row of own) writer.append(table, row);
    if (before !== undefined) mergeReplacements(replace, replaceEntity(cik));
  }
  const log = new FailureLog(lake, run);
  // The rows of the entities themselves are deleted already.
  mergeReplacements(replace, await resolvedFailures(lake, request, 'entity', () => false));
  const broken = faultsByName(violations, (subject) => parseCik(subject ?? '') ?? unidentifiedOf(window));
  for (const [subject, faults] of broken) {
    const about = entityFailure(name, subject);
    writer.append('export_failures', await log.violation(about, faults));
    mergeReplacements(replace, deleteFailures(name, [about]));
  }
  const seen = [...ciks.filter((cik) => failed.has(cik)), ...broken.keys()];
  await noteSeen(lake, run.run_id, window, seen);
  if (record !== null) writer.append('export_windows', windowRow(run.run_id, record));
  const sealed = await writer.seal();
  return stagePlan(lake, run.run_id, window, plan, {
    base_version,
    known,
    failures: broken.size,
    pending: countPasses(run.definition, []),
    stretches: [],
    numbers: [],
    segments: sealed ? [sealed.name] : [],
    replace,
  });
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

async function failedEntities(lake: Lake, name: string): Promise<Set<string>> {
  const rows = await lake.query(
    `SELECT subject FROM export_failures WHERE export = ${sqlText(name)} AND step = 'entity'`,
  );
  return new Set(rows.map(({ subject }) => String(subject)));
}
