/** A form's mapping against the XML schema that SEC publishes for it: leaves that no table reads, and paths that the schema lacks. */
import { FilinglakeError } from '../../core/index.ts';
import { knownPaths } from './map/document-mapping.ts';
import type { Form } from './map/form.ts';
import type { KnownPath } from './map/known-paths.ts';
import { formOfType } from './registry.ts';
import type { Element } from './xml/element.ts';
import { ElementReader } from './xml/element-reader.ts';
import { XmlFault } from './xml/xml-fault.ts';

export interface SchemaFile {
  readonly name: string;
  readonly text: string;
}

export interface SchemaCheck {
  readonly form: string;
  /** Elements with text and attributes that the schema allows and no mapping reads: `edgarSubmission/formData/x`, `…/@y`. */
  readonly unread: readonly string[];
  /** Paths that the mapping reads and no version among the schemas has. */
  readonly absent: readonly string[];
}

/**
 * @param schemas .xsd files: the one with the root, and those that it includes or imports; of several versions if wanted
 * @returns null if no mapped form has the type
 * @throws FilinglakeError `file-damaged`: a file is not well-formed XML
 */
export function checkSchema(schemas: readonly SchemaFile[], formType: string): SchemaCheck | null {
  const form = formOfType(formType);
  if (form === null) return null;
  const leaves = new Schema(schemas).leavesOf(form.root);
  const known = knownPaths(form);
  const unread = [...leaves].filter((leaf) => !isKnown(known, leaf.split('/').slice(1)));
  const absent = pathsOf(form, known).filter(
    (path) => ![...leaves].some((leaf) => fits(path.split('/'), leaf.split('/'))),
  );
  return { form: form.name, unread: unread.sort(), absent: absent.sort() };
}

function isKnown(known: KnownPath, [step, ...below]: readonly string[]): boolean {
  if (known.whole) return true;
  if (step === undefined) return known.text;
  if (step.startsWith('@')) return known.attributes.has(step.slice(1));
  const child = known.of(step);
  return child !== undefined && isKnown(child, below);
}

function pathsOf(form: Form, known: KnownPath): string[] {
  const found: string[] = [];
  const add = (node: KnownPath, path: string) => {
    if (node.text && path !== form.root) found.push(path);
    if (node.whole) found.push(`${path}/**`);
    for (const name of node.attributes) found.push(`${path}/@${name}`);
    for (const [name, child] of node.entries()) add(child, `${path}/${name}`);
  };
  add(known, form.root);
  return found;
}

/** `*` is any name, `**` all below. */
function fits([step, ...pattern]: readonly string[], [name, ...path]: readonly string[]): boolean {
  if (step === '**') return true;
  if (step === undefined || name === undefined) return step === name;
  return (step === name || step === '*') && fits(pattern, path);
}

function rootOf({ name, text }: SchemaFile): Element | null {
  const reader = new ElementReader(text, null);
  try {
    while (reader.next() !== null);
  } catch (error) {
    if (!(error instanceof XmlFault)) throw error;
    throw new FilinglakeError('file-damaged', `${name} is not well-formed XML: ${error.message}`, { cause: error });
  }
  return reader.root;
}

/** Deepest nesting that is followed: a type may contain itself. */
const DEPTH_MAX = 40;

/** Names are local: prefixes differ between versions, and no form of EDGAR has one name in two namespaces. */
class Schema {
  /** Definitions on the top level, by kind and name: `complexType person`. Those of several versions are all followed. */
  readonly #defined = new Map<string, Element[]>();

  constructor(files: readonly SchemaFile[]) {
    for (const file of files) {
      for (const element of rootOf(file)?.children ?? []) {
        const key = `${element.name} ${element.attribute('name')}`;
        this.#defined.set(key, [...(this.#defined.get(key) ?? []), element]);
      }
    }
  }

  leavesOf(root: string): Set<string> {
    const leaves = new Set<string>();
    for (const element of this.#named('element', root)) this.#element(element, '', [], leaves);
    return leaves;
  }

  #named(kind: string, name: string | null): readonly Element[] {
    return name === null ? [] : (this.#defined.get(`${kind} ${name.replace(/^.*:/, '')}`) ?? []);
  }

  #element(element: Element, above: string, types: readonly Element[], leaves: Set<string>): void {
    const ref = element.attribute('ref');
    if (ref !== null) {
      for (const other of this.#named('element', ref)) this.#element(other, above, types, leaves);
      return;
    }
    const path = `${above}${above === '' ? '' : '/'}${element.attribute('name')}`;
    const named = this.#named('complexType', element.attribute('type'));
    const own = element.children.filter(({ name }) => name === 'complexType');
    if (named.length + own.length === 0) leaves.add(path);
    for (const type of [...named, ...own])
      if (!types.includes(type) && types.length < DEPTH_MAX) this.#content(type, path, [...types, type], leaves);
  }

  /** Of a type, a group or what is in them. */
  #content(type: Element, path: string, types: readonly Element[], leaves: Set<string>): void {
    if (type.attribute('mixed') === 'true') leaves.add(path);
    for (const part of type.children) {
      const ref = part.attribute('ref');
      if (part.name === 'element') this.#element(part, path, types, leaves);
      else if (part.name === 'attribute')
        leaves.add(`${path}/@${(ref ?? part.attribute('name'))?.replace(/^.*:/, '')}`);
      else if (part.name === 'group' || part.name === 'attributeGroup')
        for (const group of this.#named(part.name, ref)) this.#content(group, path, types, leaves);
      else if (part.name === 'extension' || part.name === 'restriction') {
        const bases = this.#named('complexType', part.attribute('base'));
        // Text with attributes.
        if (type.name === 'simpleContent' && bases.length === 0) leaves.add(path);
        for (const base of part.name === 'extension' || type.name === 'simpleContent' ? bases : [])
          if (!types.includes(base)) this.#content(base, path, [...types, base], leaves);
        this.#content(part, path, types, leaves);
      } else this.#content(part, path, types, leaves);
    }
  }
}
