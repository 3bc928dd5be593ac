/** Rows of linkbases and of schemas. */
import type { Row } from '../../map/descriptor.ts';
import type { MappedRow } from '../../map/document-rows.ts';
import { MAPPING_VERSION } from '../../map/problems.ts';
import { xbrlCalculation, xbrlConcepts, xbrlDefinition, xbrlLabels, xbrlPresentation } from '../model/tables.ts';
import type { LinkDocument, PresentationArc } from './links.ts';

export function* labelRows(accessionNumber: string | null, documents: readonly LinkDocument[]): Generator<MappedRow> {
  for (const { file, labels } of documents)
    for (const [position, { concept, role, language, label }] of labels.entries()) {
      const row: Row = {
        accession_number: accessionNumber,
        file,
        position,
        concept,
        role,
        language,
        label: label === '' ? null : label,
        mapping_version: MAPPING_VERSION,
      };
      yield { table: xbrlLabels.name, row };
    }
}

/** Definitions of roles are in the schema. The order in a statement follows from all arcs of its role. */
export function* presentationRows(
  accessionNumber: string | null,
  documents: readonly LinkDocument[],
): Generator<MappedRow> {
  const definitions = new Map(documents.flatMap(({ roles }) => [...roles]));
  const places = readingOrder(documents.flatMap(({ presentation }) => presentation));
  for (const { file, presentation } of documents)
    for (const [position, arc] of presentation.entries()) {
      const place = places.get(arc);
      const row: Row = {
        accession_number: accessionNumber,
        file,
        position,
        role: arc.role,
        role_definition: definitions.get(arc.role) ?? null,
        line: place?.line ?? null,
        depth: place?.depth ?? null,
        parent: arc.parent,
        concept: arc.concept,
        arc_order: arc.order,
        preferred_label: arc.preferredLabel,
        mapping_version: MAPPING_VERSION,
      };
      yield { table: xbrlPresentation.name, row };
    }
}

export function* calculationRows(
  accessionNumber: string | null,
  documents: readonly LinkDocument[],
): Generator<MappedRow> {
  for (const { file, calculation } of documents)
    for (const [position, { role, parent, concept, weight, order }] of calculation.entries()) {
      const number = Number(weight ?? Number.NaN);
      const row: Row = {
        accession_number: accessionNumber,
        file,
        position,
        role,
        parent,
        concept,
        weight: Number.isFinite(number) ? number : null,
        arc_order: order,
        mapping_version: MAPPING_VERSION,
      };
      yield { table: xbrlCalculation.name, row };
    }
}

export function* definitionRows(
  accessionNumber: string | null,
  documents: readonly LinkDocument[],
): Generator<MappedRow> {
  for (const { file, definition } of documents)
    for (const [position, { role, arcrole, parent, concept, order, targetRole }] of definition.entries()) {
      const row: Row = {
        accession_number: accessionNumber,
        file,
        position,
        role,
        arcrole: arcrole?.slice(arcrole.lastIndexOf('/') + 1) ?? null,
        parent,
        concept,
        arc_order: order,
        target_role: targetRole,
        mapping_version: MAPPING_VERSION,
      };
      yield { table: xbrlDefinition.name, row };
    }
}

export function* conceptRows(accessionNumber: string | null, documents: readonly LinkDocument[]): Generator<MappedRow> {
  for (const { file, concepts } of documents)
    for (const [
      position,
      { concept, type, balance, periodType, substitutionGroup, isAbstract },
    ] of concepts.entries()) {
      const row: Row = {
        accession_number: accessionNumber,
        file,
        position,
        concept,
        type,
        balance,
        period_type: periodType,
        substitution_group: substitutionGroup,
        is_abstract: isAbstract,
        mapping_version: MAPPING_VERSION,
      };
      yield { table: xbrlConcepts.name, row };
    }
}

interface Place {
  /** From 0 within the role. */
  readonly line: number;
  /** 0 directly below a root. */
  readonly depth: number;
}

/** Places of arcs. Arcs in a circle, which no root leads to, have none. */
function readingOrder(arcs: readonly PresentationArc[]): Map<PresentationArc, Place> {
  const places = new Map<PresentationArc, Place>();
  for (const ofRole of Map.groupBy(arcs, ({ role }) => role).values()) {
    const below = Map.groupBy(ofRole, ({ parent }) => parent);
    for (const children of below.values()) children.sort((a, b) => orderOf(a) - orderOf(b));
    const shown = new Set(ofRole.map(({ concept }) => concept));
    let line = 0;
    const open = [...below.keys()]
      .filter((parent) => !shown.has(parent))
      .reverse()
      .map((parent) => ({ parent, depth: 0, next: 0 }));
    while (open.length > 0) {
      const top = open.at(-1)!;
      const arc = below.get(top.parent)?.[top.next++];
      if (arc === undefined) open.pop();
      // The children of a concept are shown at its first place.
      else if (!places.has(arc)) {
        places.set(arc, { line: line++, depth: top.depth });
        open.push({ parent: arc.concept, depth: top.depth + 1, next: 0 });
      }
    }
  }
  return places;
}

/** The default order is 1, as in XLink. */
function orderOf({ order }: PresentationArc): number {
  const number = Number(order ?? 1);
  return Number.isNaN(number) ? 1 : number;
}
