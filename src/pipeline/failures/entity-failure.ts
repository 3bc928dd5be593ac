/** How failures name an entity, and which rows a new record of the entity replaces. */
import type { Replacement } from '../../lake/index.ts';
import { namesFrom } from '../../tables/index.ts';
import type { FailureAbout } from './failure-log.ts';

export function entityFailure(name: string, cik: string): FailureAbout {
  return { export: name, step: 'entity', subject: cik, accession_number: null, document_id: null, cik };
}

/** An older failure of the same. */
export function replaceFailure({ export: name, step, subject }: FailureAbout): Replacement[] {
  return [{ table: 'export_failures', columns: ['export', 'step', 'subject'], values: [[name, step, subject]] }];
}

/** Older rows of an entity, of all its tables. */
export function replaceEntity(cik: string): Replacement[] {
  return namesFrom('entity').map((table) => ({ table, columns: ['cik'], values: [[cik]] }));
}
