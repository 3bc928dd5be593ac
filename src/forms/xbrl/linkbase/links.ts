/** Labels, presentation and definitions of roles, from linkbases and from schemas that contain linkbases. */
import { contentOf, forEachBelow, rawContentOf } from '../contexts.ts';
import { fragment, linked } from '../instance/instance-document.ts';
import { readableText } from '../markup/character-data.ts';
import { TagReader } from '../markup/tag-reader.ts';
import { LINK } from '../namespaces.ts';

export interface Label {
  readonly concept: string;
  readonly role: string | null;
  readonly language: string | null;
  readonly label: string;
}

export interface PresentationArc {
  readonly role: string;
  readonly parent: string;
  readonly concept: string;
  /** As written. */
  readonly order: string | null;
  readonly preferredLabel: string | null;
}

export interface LinkDocument {
  readonly file: string;
  readonly labels: Label[];
  readonly presentation: PresentationArc[];
  /** Definitions by URI of the role. */
  readonly roles: Map<string, string>;
}

interface Arc {
  readonly from: string;
  readonly to: string;
  readonly order: string | null;
  readonly preferredLabel: string | null;
}

/** @throws XmlFault if the document is not well-formed */
export function readLinks(file: string, text: string): LinkDocument {
  const reader = new TagReader(text, true);
  const document: LinkDocument = { file, labels: [], presentation: [], roles: new Map() };
  while (reader.next()) {
    if (!reader.opens || reader.name.namespace !== LINK) continue;
    const { local } = reader.name;
    if (local === 'labelLink') readLabels(reader, document);
    else if (local === 'presentationLink') readPresentation(reader, document);
    else if (local === 'roleType') readRole(reader, document);
  }
  return document;
}

/** `us-gaap:Assets` of `…/us-gaap-2024.xsd#us-gaap_Assets`. */
function conceptOf(href: string): string {
  return fragment(href).replace('_', ':');
}

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
    if (local !== 'labelArc' && local !== 'presentationArc') return false;
    if (plain(attributes, 'use') !== 'prohibited')
      this.arcs.push({
        from: of('from') ?? '',
        to: of('to') ?? '',
        order: plain(attributes, 'order'),
        preferredLabel: plain(attributes, 'preferredLabel'),
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

function readPresentation(reader: TagReader, { presentation }: LinkDocument): void {
  const role = linked(reader, reader.attributes(), 'role') ?? '';
  const link = new Link();
  forEachBelow(reader, () => {
    if (reader.name.namespace === LINK) link.read(reader, reader.attributes(), reader.name.local);
  });
  for (const { from, to, order, preferredLabel } of link.arcs)
    for (const parent of link.of(from))
      for (const concept of link.of(to)) presentation.push({ role, parent, concept, order, preferredLabel });
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
