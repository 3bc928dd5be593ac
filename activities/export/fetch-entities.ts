/** Entities of a window's filings that the lake doesn't have yet: asked by CIK, a hundred in a request. */
import { Context } from '@temporalio/activity';
import { type Entity, parseCik } from '../../src/contract/index.ts';
import { entityRows } from '../../src/export/index.ts';
import type { Lake } from '../../src/lake/index.ts';
import { among } from './among.ts';
import type { Dependencies } from './dependencies.ts';
import { type FailureAbout, FailureLog } from './failure-log.ts';
import { verdictOf } from './failures.ts';
import { Gate } from './gate.ts';
import { FILINGS } from './paged-lookups.ts';
import { numbersOfWindow } from './plan-listed.ts';
import { failedSubjects } from './read-failures.ts';
import { Sink } from './sink.ts';
import { type PagesReadLast, recordsOfWindow } from './staged.ts';
import type { EntitiesFetched, FetchEntitiesRequest } from './types.ts';

/** A service gives 100 entities where `to` is left out, and takes at least as many CIKs. */
const CIKS_A_REQUEST = 100;

export async function fetchEntities(
  dependencies: Dependencies,
  request: FetchEntitiesRequest,
): Promise<EntitiesFetched> {
  const { apiKey, budget, lakes, pulse } = dependencies;
  const { run, window, plan } = request;
  const { definition } = run;
  const context = Context.current();
  const { attempt } = context.info;
  const lake = await lakes.at(run.lake);
  const batch_id = `entities-${window}-${plan}`;
  const base_version = await lake.currentVersion();
  const earlier = await lake.sealedSegments(run.run_id, batch_id);
  const asked = new Set(earlier.flatMap((segment) => (segment.meta as { done: string[] }).done));
  const ciks = await unknownCiks(lake, await ciksOfWindow(lake, request, dependencies.pages));
  const owed = ciks.filter((cik) => !asked.has(cik));

  const gate = new Gate({
    run,
    budget,
    holder: `${batch_id}/${attempt}`,
    expected: Math.ceil(owed.length / CIKS_A_REQUEST),
  });
  const sink = new Sink(lake.openStaging(run.run_id, batch_id, attempt));
  const client = gate.client(apiKey, context.cancellationSignal);
  pulse.tell(() => ({ ...gate.spent, filings: 0 }));
  const log = new FailureLog(lake, definition.name);
  let missing = 0;
  try {
    for (let i = 0; i < owed.length; i += CIKS_A_REQUEST) {
      const some = owed.slice(i, i + CIKS_A_REQUEST);
      const found = new Map<string, Entity>();
      // One position more than there can be: a full page would have to be followed by an empty one.
      for await (const { value, notes } of client.entityPages({ ciks: some }, some.length + 1)) {
        for (const entity of value.entities) found.set(entity.cik, entity);
        for (const { path, value: wrong, subject } of notes.violations) {
          const about = aboutEntity(definition.name, parseCik(String(subject ?? '')) ?? 'unknown');
          const row = await log.violation(about, { path, value: String(wrong) });
          await sink.take({ rows: { export_failures: [row] }, done: [], replace: replaceFailure(about), failures: 1 });
        }
      }
      for (const cik of some) {
        const entity = found.get(cik);
        const about = aboutEntity(definition.name, cik);
        if (entity) {
          const { rows } = entityRows(entity);
          await sink.take({ rows, done: [cik], replace: replaceFailure(about), failures: 0 });
        } else {
          missing++;
          const row = await log.failure(about, new Error(`the service has no entity with CIK ${cik}`));
          row.code = 'entity-not-found';
          await sink.take({
            rows: { export_failures: [row] },
            done: [cik],
            replace: replaceFailure(about),
            failures: 1,
          });
        }
      }
    }
  } catch (error) {
    gate.refused(error);
    if (verdictOf(error) !== 'stopped') {
      await sink.seal().finally(() => sink.close());
      await gate.settle();
      throw error;
    }
  } finally {
    await client.close();
  }
  await sink.seal().finally(() => sink.close());
  await gate.settle();
  const segments = [...earlier, ...sink.sealed];
  const committed =
    segments.length === 0
      ? null
      : await lake.commitBatch({
          run_id: run.run_id,
          batch_id,
          base_version,
          segments,
          replace: segments.flatMap(
            (segment) => (segment.meta as { replace: ReturnType<typeof replaceFailure> }).replace,
          ),
        });
  const { spent, quota, stop } = gate;
  return { asked: owed.length, missing, committed, spent, quota, stop };
}

async function ciksOfWindow(
  lake: Lake,
  request: FetchEntitiesRequest,
  remembered: PagesReadLast,
): Promise<Set<string>> {
  const { run, window, pages, of } = request;
  if (of === 'failures') {
    const { ciks, numbers } = await failedSubjects(lake, run.run_id, window, pages);
    return new Set([...ciks, ...(await ciksInLake(lake, numbers))]);
  }
  if (of === 'hits' || of === 'numbers') return ciksInLake(lake, (await numbersOfWindow(lake, request)).numbers);
  const { records: filings } = await recordsOfWindow(lake, run.run_id, window, pages, FILINGS.keyOf, remembered);
  return new Set(filings.flatMap((filing) => parseCik(filing.cik ?? '') ?? []));
}

/** Of filings that were listed by their numbers: what filing_info said of them is in the lake by now. */
async function ciksInLake(lake: Lake, numbers: readonly string[]): Promise<Set<string>> {
  const rows = await lake.query(`SELECT DISTINCT cik FROM filings WHERE accession_number IN ${among(numbers)}`, {
    tables: ['filings'],
  });
  return new Set(rows.flatMap(({ cik }) => parseCik(String(cik ?? '')) ?? []));
}

async function unknownCiks(lake: Lake, ciks: ReadonlySet<string>): Promise<string[]> {
  if (ciks.size === 0) return [];
  const list = [...ciks].map((cik) => `'${cik}'`).join(', ');
  const rows = await lake.query(
    `SELECT c AS cik FROM (SELECT unnest([${list}]::VARCHAR[]) AS c) WHERE c NOT IN (SELECT cik FROM entities) ORDER BY c::BIGINT`,
    { tables: ['entities'] },
  );
  return rows.map((row) => String(row.cik));
}

export function aboutEntity(name: string, cik: string): FailureAbout {
  return { export: name, step: 'entity', subject: cik, accession_number: null, document_id: null, cik };
}

export function replaceFailure({ export: name, step, subject }: FailureAbout) {
  return [{ table: 'export_failures', columns: ['export', 'step', 'subject'], values: [[name, step, subject]] }];
}
