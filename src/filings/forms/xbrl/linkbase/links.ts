/** Labels, presentation, calculation, definition and roles, from linkbases and from schemas; concepts of schemas. */
import { fragment, linked } from '../instance/instance-document.ts';
import { readableText } from '../markup/character-data.ts';
import { LINK, SCHEMA, XBRLI } from '../markup/namespaces.ts';
import { TagReader } from '../markup/tag-reader.ts';
import { contentOf, forEachBelow, rawContentOf } from '../model/contexts.ts';

interface Label {
  readonly concept: string;
  readonly role: string | null;
  readonly language: string | null;
  readonly label: string;
}

/** A relation of two concepts in a role. */
interface ConceptArc {
  readonly role: string;
  readonly parent: string;
  readonly concept: string;
  /** As written. */
  readonly order: string | null;
  readonly preferredLabel: string | null;
  readonly weight: string | null;
  readonly arcrole: string | null;
  readonly targetRole: string | null;
}
export type PresentationArc = Pick<ConceptArc, 'role' | 'parent' | 'concept' | 'order' | 'preferredLabel'>;

/** A concept of the filing's own. */
interface Concept {
  readonly concept: string;
  readonly type: string | null;
  readonly balance: string | null;
  readonly periodType: string | null;
  readonly substitutionGroup: string | null;
  readonly isAbstract: boolean;
}

export interface LinkDocument {
  readonly file: string;
  readonly labels: Label[];
  readonly presentation: ConceptArc[];
  readonly calculation: ConceptArc[];
  readonly definition: ConceptArc[];
  readonly concepts: Concept[];
  /** Definitions by URI of the role. */
  readonly roles: Map<string, string>;
}

interface Arc extends Omit<ConceptArc, 'role' | 'parent' | 'concept'> {
  readonly from: string;
  readonly to: string;
}

/** @throws XmlFault if the document is not well-formed */
export function readLinks(file: string, text: string): LinkDocument {
  const reader = new TagReader(text, true);
  const document: LinkDocument = {
    file,
    labels: [],
    presentation: [],
    calculation: [],
    definition: [],
    concepts: [],
    roles: new Map(),
  };
  let target: string | null = null;
  while (reader.next()) {
    if (!reader.opens) continue;
    const { namespace, local } = reader.name;
    if (namespace === SCHEMA) {
      if (local === 'schema') target = plain(reader.attributes(), 'targetNamespace');
      else if (local === 'element') readConcept(reader, target, document);
    }
    if (namespace !== LINK) continue;
    if (local === 'labelLink') readLabels(reader, document);
    else if (local === 'presentationLink') readArcs(reader, document.presentation);
    else if (local === 'calculationLink') readArcs(reader, document.calculation);
    else if (local === 'definitionLink') readArcs(reader, document.definition);
    else if (local === 'roleType') readRole(reader, document);
  }
  return document;
}

/** `us-gaap:Assets` of `…/us-gaap-2024.xsd#us-gaap_Assets`. */
function conceptOf(href: string): string {
  return fragment(href).replace('_', ':');
}

const ARCS = new Set(['labelArc', 'presentationArc', 'calculationArc', 'definitionArc']);

/** The content of a link: locators and resources by label, and arcs between them. */
class Link {
  readonly concepts = new Map<string, string[]>();
  readonly arcs: Arc[] = [];

  /** Reads a locator or an arc. @returns whether the tag was one */
  read(reader: TagReader, attributes: readonly string[], local: string): boolean {
    const of = (name: string) => linked(reader, attributes, name);
    if (local === 'loc') {
      const label = of('label') ?? '';
      const concept = conceptOf(of('href') ?? '');
      const concepts = this.concepts.get(label);
      if (concepts === undefined) this.concepts.set(label, [concept]);
      else concepts.push(concept);
      return true;
    }
    if (!ARCS.has(local)) return false;
    if (plain(attributes, 'use') !== 'prohibited')
      this.arcs.push({
        from: of('from') ?? '',
        to: of('to') ?? '',
        order: plain(attributes, 'order'),
        preferredLabel: plain(attributes, 'preferredLabel'),
        weight: plain(attributes, 'weight'),
        arcrole: of('arcrole'),
        targetRole: plain(attributes, 'xbrldt:targetRole'),
      });
    return true;
  }

  of(label: string): readonly string[] {
    return this.concepts.get(label) ?? [];
  }
}

function readLabels(reader: TagReader, { labels }: LinkDocument): void {
  const link = new Link();
  const texts = new Map<string, Omit<Label, 'concept'>[]>();
  forEachBelow(reader, () => {
    const { namespace, local } = reader.name;
    if (namespace !== LINK) return;
    const attributes = reader.attributes();
    if (link.read(reader, attributes, local) || local !== 'label') return;
    const key = linked(reader, attributes, 'label') ?? '';
    const role = linked(reader, attributes, 'role');
    const { language } = reader.scope;
    const text = { role, language, label: readableText(rawContentOf(reader)) };
    texts.set(key, [...(texts.get(key) ?? []), text]);
  });
  for (const { from, to } of link.arcs)
    for (const concept of link.of(from)) for (const text of texts.get(to) ?? []) labels.push({ concept, ...text });
}

function readArcs(reader: TagReader, arcs: ConceptArc[]): void {
  const role = linked(reader, reader.attributes(), 'role') ?? '';
  const link = new Link();
  forEachBelow(reader, () => {
    if (reader.name.namespace === LINK) link.read(reader, reader.attributes(), reader.name.local);
  });
  for (const { from, to, ...arc } of link.arcs)
    for (const parent of link.of(from)) for (const concept of link.of(to)) arcs.push({ role, parent, concept, ...arc });
}

/** Elements of the schema itself; those within types and groups have no name of a concept. */
function readConcept(reader: TagReader, target: string | null, { concepts }: LinkDocument): void {
  const attributes = reader.attributes();
  const of = (name: string) => plain(attributes, name);
  const ofInstance = (name: string) => {
    for (let i = 0; i < attributes.length; i += 2) {
      const [prefix, local] = attributes[i]!.split(':') as [string, string?];
      if (local === name && reader.scope.namespace(prefix) === XBRLI) return attributes[i + 1]!;
    }
    return null;
  };
  const name = of('name');
  const group = of('substitutionGroup');
  if (name === null || group === null) return;
  const prefix = target === null ? undefined : reader.scope.prefixes([target])[0];
  concepts.push({
    concept: prefix === undefined ? (of('id') ?? name).replace('_', ':') : `${prefix}:${name}`,
    type: of('type'),
    balance: ofInstance('balance'),
    periodType: ofInstance('periodType'),
    substitutionGroup: group,
    isAbstract: of('abstract') === 'true' || of('abstract') === '1',
  });
}

function readRole(reader: TagReader, { roles }: LinkDocument): void {
  const uri = plain(reader.attributes(), 'roleURI');
  forEachBelow(reader, () => {
    const { namespace, local } = reader.name;
    if (namespace === LINK && local === 'definition' && uri !== null) roles.set(uri, contentOf(reader));
  });
}

function plain(attributes: readonly string[], name: string): string | null {
  for (let i = 0; i < attributes.length; i += 2) if (attributes[i] === name) return attributes[i + 1]!;
  return null;
}
