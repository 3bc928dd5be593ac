/**
 * Requests entities by CIK, a hundred a request: those of a window's filings that the lake lacks, or fetched long ago, and all that
 * the run has planned so far, so that windows share their requests.
 */
import { FilinglakeError, quoteText } from '../../../core/index.ts';
import { parseCik } from '../../../filings/api/index.ts';
import type { Batch, Lake } from '../../../lake/index.ts';
import { type Row, rowsOf } from '../../../lake/tables/index.ts';
import { type FailureAbout, FailureLog, faultsByName } from '../failures/failure-log.ts';
import { deleteFailures, entityFailure, FailuresThisRun, replaceEntity } from '../failures/recorded-failures.ts';
import { verdictOf } from '../failures/verdict.ts';
import { FILINGS } from '../lookup/paged-lookups.ts';
import { failedSubjects } from '../lookup/read-failures.ts';
import { type CompanyOfFilings, ciksWithRow, pendingCompanies, takeFiling } from '../plan/pending-companies.ts';
import { numbersOfWindow } from '../plan/plan-by-number.ts';
import { plannedCiks } from '../plan/planned-entities.ts';
import { among } from '../sql-values.ts';
import { joinMetas, type SegmentMeta, SegmentSink } from '../staging/segment-sink.ts';
import { type PagesReadLast, recordsOfWindow } from '../staging/staged-files.ts';
import type { EntitiesFetched, FetchEntitiesRequest, RunReference } from '../types.ts';
import type { Dependencies } from '../worker/dependencies.ts';
import { isPaidForAlone, RequestBudget } from '../worker/request-budget.ts';
import { CIKS_A_REQUEST, requestEntities } from './request-entities.ts';

/** The state of the batch in its seal. If the attempt dies, the next one commits the same and sends no requests. */
type Told = Pick<EntitiesFetched, 'asked' | 'missing' | 'quota' | 'stop'>;

/** Used as the CIK of a record whose CIK can't be read. */
const UNREADABLE = '';

export async function fetchEntities(
  dependencies: Dependencies,
  request: FetchEntitiesRequest,
): Promise<EntitiesFetched> {
  const { lakes, heartbeat, attempt, requests, signal } = dependencies;
  const { run, window, plan } = request;
  const { definition } = run;
  const lake = await lakes.at(run);
  const batch_id = `entities-${window}-${plan}`;
  const sealed = await lake.sealedBatch(run.run_id, batch_id);
  heartbeat.report(() => ({ filings: 0 }));
  if (sealed) return { ...(await commitAsSealed(lake, { ...sealed, term: run.term })), spent: requests.total };
  const base_version = await lake.batchBase(run.run_id, batch_id);
  const earlier = await lake.takeUpSegments(run.run_id, batch_id, joinMetas);
  const asked = new Set(earlier.flatMap((segment) => (segment.meta as { done: string[] }).done));
  const known = await companiesOfWindow(lake, request, dependencies.pages);
  // If entities were requested by a query, the lake may have an older record.
  const isByQuery = definition.select.entities === 'query';
  const ciks = isByQuery ? [...known.keys()] : (await pendingOfRun(lake, known, run)).map(({ cik }) => cik);
  dependencies.pages.forget(lake, run.run_id, window);
  // Another window may have requested them.
  const failed = await FailuresThisRun.of(lake, run, Math.max(plan, 2));
  const pending = ciks.filter((cik) => !asked.has(cik) && !failed.ciks.has(cik));

  const older = await ciksWithRow(lake, pending);
  const expected = Math.ceil(pending.length / CIKS_A_REQUEST);
  const requestBudget = RequestBudget.of(dependencies, lake, { run, work: batch_id, expected, inSequence: true });
  const sink = new SegmentSink(lake.openStaging(run.run_id, batch_id, attempt));
  const client = await requestBudget.client(dependencies, signal);
  const log = new FailureLog(lake, run);
  const { name } = definition;
  const fail = async (cik: string, rowOf: (about: FailureAbout) => Promise<Row>) => {
    const about = entityFailure(name, cik);
    const rows = { export_failures: [await rowOf(about)] };
    await sink.take({ rows, done: [cik], replace: deleteFailures(name, [about]), failures: 1 });
  };
  const notFound = (cik: string) =>
    new FilinglakeError('entity-not-found', `the service has no entity with CIK ${cik}`);
  try {
    const atOnceMax = isPaidForAlone(definition) ? 1 : definition.service.connections;
    for await (const answer of requestEntities(client, pending, atOnceMax)) {
      const violations = 'found' in answer ? answer.violations : [];
      const broken = faultsByName(violations, (subject) => parseCik(subject ?? '') ?? UNREADABLE);
      for (const cik of answer.ciks) {
        const faults = broken.get(cik);
        const entity = 'found' in answer ? answer.found.get(cik) : undefined;
        if (faults && !entity) {
          await fail(cik, (about) => log.violation(about, faults));
          continue;
        }
        if ('error' in answer) {
          await fail(cik, (about) => log.failure(about, answer.error));
          continue;
        }
        // A record without a readable CIK may be that of a missing entity.
        const unreadable = broken.get(UNREADABLE);
        if (entity) {
          const { rows } = rowsOf('entity', entity);
          const fetched_at = new Date().toISOString();
          for (const row of rows.entities ?? []) row.fetched_at = fetched_at;
          const replace = [
            ...deleteFailures(name, [{ step: 'entity', subject: cik }]),
            ...(isByQuery || older.has(cik) ? replaceEntity(cik) : []),
          ];
          // Of two records, the first is stored.
          const failures = faults ? [await log.violation(entityFailure(name, cik), faults)] : [];
          await sink.take({
            done: [cik],
            replace,
            failures: failures.length,
            rows: { ...rows, ...(faults ? { export_failures: failures } : {}) },
          });
        } else if (unreadable) await fail(cik, (about) => log.violation(about, unreadable));
        else await fail(cik, (about) => log.failure(about, notFound(cik)));
      }
    }
  } catch (error) {
    requestBudget.refused(error);
    if (verdictOf(error) !== 'stopped') {
      await sink.seal().finally(() => sink.close());
      await requestBudget.settle();
      throw error;
    }
  } finally {
    await client.close();
  }
  await sink.seal().finally(() => sink.close());
  await requestBudget.settle();
  const segments = [...earlier, ...sink.sealed];
  const metas = segments.map((segment) => segment.meta as SegmentMeta);
  const overtaken = isByQuery ? [] : await fetchedElsewhere(lake, definition.name);
  const { spent, run_spent, quota, stop } = await requestBudget.outcome(lake);
  const missing = metas.reduce((sum, { failures }) => sum + failures, 0);
  const told: Told = { asked: pending.length, missing, quota, stop };
  const all = { spent, ...(run_spent ? { run_spent } : {}) };
  if (segments.length === 0 && overtaken.length === 0) return { batch_id, ...told, committed: null, ...all };
  const replace = [
    ...metas.flatMap((meta) => meta.replace),
    ...deleteFailures(
      name,
      overtaken.map((cik) => ({ step: 'entity', subject: cik })),
    ),
  ];
  const batch: Batch = { run_id: run.run_id, batch_id, base_version, segments, replace, meta: told, term: run.term };
  return { ...(await commitAsSealed(lake, batch)), ...all };
}

/**
 * Commits a batch exactly as it was sealed first. An attempt with more requests left than the sealing one reports itself as
 * stopped: the rest goes into another batch.
 */
async function commitAsSealed(lake: Lake, batch: Batch): Promise<Omit<EntitiesFetched, 'spent'>> {
  const { run_id, batch_id } = batch;
  const committed = await lake.commitFirstSealed(batch);
  const { meta } = (await lake.sealedBatch(run_id, batch_id)) ?? batch;
  return { batch_id, ...(meta as Told), committed };
}

async function companiesOfWindow(
  lake: Lake,
  request: FetchEntitiesRequest,
  remembered: PagesReadLast,
): Promise<Map<string, CompanyOfFilings>> {
  const { run, window, pages, of } = request;
  if (of === 'failures') {
    const { ciks, numbers } = await failedSubjects(lake, run.run_id, window, pages);
    const isByQuery = run.definition.select.entities === 'query';
    return withCiks(isByQuery ? new Map() : await companiesInLake(lake, numbers), ciks);
  }
  if (of === 'hits' || of === 'numbers') return companiesInLake(lake, (await numbersOfWindow(lake, request)).numbers);
  const { records: filings } = await recordsOfWindow(lake, run.run_id, window, pages, FILINGS.keyOf, remembered);
  // The plan has compared their names with the lake as it was before.
  return withCiks(
    new Map(),
    filings.flatMap((filing) => parseCik(filing.cik ?? '') ?? []),
  );
}

/** Companies of filings listed by number: filing_info has stored them by now. */
async function companiesInLake(lake: Lake, numbers: readonly string[]): Promise<Map<string, CompanyOfFilings>> {
  const companies = new Map<string, CompanyOfFilings>();
  const text = (value: unknown) => (value === null || value === undefined ? null : String(value));
  for (const { cik, entity_name, filed } of await lake.query(
    `SELECT cik, entity_name, max(filing_date)::VARCHAR AS filed FROM filings
     WHERE accession_number IN ${among(numbers)} GROUP BY cik, entity_name ORDER BY ALL`,
    { tables: ['filings'] },
  ))
    takeFiling(companies, { cik: text(cik), entity_name: text(entity_name), filing_date: text(filed) });
  return companies;
}

function withCiks(companies: Map<string, CompanyOfFilings>, ciks: readonly string[]): Map<string, CompanyOfFilings> {
  for (const cik of ciks) takeFiling(companies, { cik, entity_name: null, filing_date: null });
  return companies;
}

async function pendingOfRun(lake: Lake, known: Map<string, CompanyOfFilings>, run: RunReference) {
  return pendingCompanies(lake, withCiks(known, await plannedCiks(lake, run)), run);
}

/** Entities that failed in this export and that another export has fetched since, and with no failure of its own. */
async function fetchedElsewhere(lake: Lake, name: string): Promise<string[]> {
  const rows = await lake.query(
    `SELECT subject FROM export_failures f WHERE export = ${quoteText(name)} AND step = 'entity'
     AND EXISTS (SELECT 1 FROM entities e WHERE e.cik = subject AND e.fetched_at > failed_at)
     AND NOT EXISTS (SELECT 1 FROM export_failures o WHERE o.export <> f.export AND o.step = 'entity' AND o.subject = f.subject)`,
  );
  return rows.map(({ subject }) => String(subject));
}
