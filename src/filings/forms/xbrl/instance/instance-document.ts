/** The content of an instance, by positions: facts, contexts, units, footnotes. */
import { LINK, type ResolvedName, XBRLI, XLINK } from '../markup/namespaces.ts';
import { TagReader } from '../markup/tag-reader.ts';
import {
  type Context,
  contentOf,
  type Definitions,
  forEachBelow,
  isNil,
  newDefinitions,
  rawContentOf,
  readContext,
  readUnit,
} from '../model/contexts.ts';
import { usualContext } from '../model/usual-context.ts';

export interface InstanceFact {
  readonly name: ResolvedName;
  readonly id: string | null;
  readonly context: string;
  readonly unit: string | null;
  readonly decimals: string | null;
  /** Significant digits, in place of `decimals`: forbidden by SEC since 2009. */
  readonly precision: string | null;
  readonly nil: boolean;
  readonly language: string | null;
  /** Positions of the element, then of its content. */
  readonly elementStart: number;
  elementEnd: number;
  readonly start: number;
  end: number;
  /** For a fraction; null for other facts. */
  numerator: string | null;
  denominator: string | null;
}

interface InstanceFootnote {
  readonly id: string;
  readonly language: string | null;
  /** As written, with markup. */
  readonly content: string;
}

export interface InstanceDocument {
  readonly file: string;
  readonly text: string;
  readonly facts: InstanceFact[];
  readonly contexts: Definitions<Context>;
  readonly units: Definitions<string | null>;
  readonly footnotes: InstanceFootnote[];
  /** Ids of footnotes by id of a fact. */
  readonly noted: Map<string, Set<string>>;
}

/** @throws XmlFault if the document is not well-formed */
export function readInstance(file: string, text: string): InstanceDocument {
  const reader = new TagReader(text, true);
  const document: InstanceDocument = {
    file,
    text,
    facts: [],
    ...newDefinitions(),
    footnotes: [],
    noted: new Map(),
  };
  const open: { fact: InstanceFact; depth: number }[] = [];
  while (reader.next()) {
    if (!reader.opens) {
      const last = open.at(-1);
      if (last !== undefined && reader.depth === last.depth - 1) {
        last.fact.end = reader.start;
        last.fact.elementEnd = reader.end;
        open.pop();
      }
      continue;
    }
    const { name } = reader;
    if (name.namespace === XBRLI) readXbrl(reader, name.local, document, open.at(-1)?.fact ?? null);
    else if (name.namespace === LINK) {
      if (name.local === 'footnoteLink') readFootnoteLink(reader, document);
    } else {
      const fact = factOf(reader, name);
      if (fact === null) continue;
      document.facts.push(fact);
      if (!reader.empty) open.push({ fact, depth: reader.depth });
    }
  }
  return document;
}

function readXbrl(reader: TagReader, local: string, document: InstanceDocument, fact: InstanceFact | null): void {
  if (local === 'context' || local === 'unit') {
    const usual = local === 'context' && !reader.empty ? usualContext(reader.text, reader.start, reader.scope) : null;
    if (usual !== null) {
      document.contexts.set(usual.context.id, usual.context);
      reader.skipElement(usual.end);
      return;
    }
    const attributes = reader.attributes();
    const place = attributes.indexOf('id');
    if (place < 0) return;
    const id = attributes[place + 1]!;
    if (local === 'context') document.contexts.set(id, readContext(reader, id));
    else document.units.set(id, readUnit(reader));
  } else if (fact !== null && (local === 'numerator' || local === 'denominator')) fact[local] = contentOf(reader);
}

/** Null for an element without contextRef: a tuple. */
function factOf(reader: TagReader, name: ResolvedName): InstanceFact | null {
  const attributes = reader.attributes();
  let context: string | null = null;
  let id: string | null = null;
  let unit: string | null = null;
  let decimals: string | null = null;
  let precision: string | null = null;
  let nil = false;
  for (let i = 0; i < attributes.length; i += 2) {
    const value = attributes[i + 1]!;
    switch (attributes[i]) {
      case 'contextRef':
        context = value;
        break;
      case 'id':
        id = value;
        break;
      case 'unitRef':
        unit = value;
        break;
      case 'decimals':
        decimals = value;
        break;
      case 'precision':
        precision = value;
        break;
      default:
        if (attributes[i]!.endsWith(':nil')) nil = isNil(reader, attributes);
    }
  }
  if (context === null) return null;
  const { start: elementStart, end } = reader;
  return {
    name,
    id,
    context,
    unit,
    decimals,
    precision,
    nil,
    language: reader.scope.language,
    elementStart,
    elementEnd: end,
    start: end,
    end,
    numerator: null,
    denominator: null,
  };
}

/** Arcs from locators of facts to footnotes. Labels are valid within the link. */
function readFootnoteLink(reader: TagReader, document: InstanceDocument): void {
  const factsByLabel = new Map<string, string[]>();
  const notesByLabel = new Map<string, string[]>();
  const arcs: [string, string][] = [];
  const add = (map: Map<string, string[]>, label: string, value: string) =>
    map.set(label, [...(map.get(label) ?? []), value]);
  forEachBelow(reader, () => {
    const { namespace, local } = reader.name;
    if (namespace !== LINK) return;
    const attributes = reader.attributes();
    const of = (name: string) => linked(reader, attributes, name);
    if (local === 'loc') add(factsByLabel, of('label') ?? '', fragment(of('href') ?? ''));
    else if (local === 'footnoteArc') arcs.push([of('from') ?? '', of('to') ?? '']);
    else if (local === 'footnote') {
      const place = attributes.indexOf('id');
      const label = of('label') ?? '';
      const id = place >= 0 && place % 2 === 0 ? attributes[place + 1]! : label;
      const { language } = reader.scope;
      add(notesByLabel, label, id);
      document.footnotes.push({ id, language, content: rawContentOf(reader) });
    }
  });
  for (const [from, to] of arcs)
    for (const fact of factsByLabel.get(from) ?? []) {
      if (!document.noted.has(fact)) document.noted.set(fact, new Set());
      for (const note of notesByLabel.get(to) ?? []) document.noted.get(fact)!.add(note);
    }
}

/** An attribute of XLink, with any prefix. */
export function linked(reader: TagReader, attributes: readonly string[], name: string): string | null {
  for (let i = 0; i < attributes.length; i += 2) {
    const [prefix, local] = attributes[i]!.split(':') as [string, string?];
    if (local === name && reader.scope.namespace(prefix) === XLINK) return attributes[i + 1]!;
  }
  return null;
}

export function fragment(href: string): string {
  const id = href.slice(href.indexOf('#') + 1);
  try {
    return decodeURIComponent(id);
  } catch {
    return id;
  }
}
