/** The paths of a table's columns as one tree: an element is walked once for all columns of its row. */
import { type Element, internalized, textOf, tidy } from '../xml/element.ts';
import type { FormColumn } from './descriptor.ts';

/** A place in the tree. */
class PathNode {
  /** Children by name, side by side: V8 compares such names by address. */
  readonly names: string[] = [];
  readonly nodes: PathNode[] = [];
  /** The child of any name. */
  any: PathNode | null = null;
  /** Numbers of the paths that end here, and those that end at an attribute. */
  readonly texts: number[] = [];
  readonly attributes: { readonly name: string; readonly path: number }[] = [];

  child(name: string): PathNode {
    if (name === '*') {
      this.any ??= new PathNode();
      return this.any;
    }
    const place = this.names.indexOf(name);
    if (place >= 0) return this.nodes[place]!;
    const node = new PathNode();
    this.names.push(internalized(name));
    this.nodes.push(node);
    return node;
  }
}

/** The first text that isn't empty, in the order of the document, along each path below an element. */
export class PathTexts {
  readonly #root = new PathNode();
  /** By number of the path. */
  readonly texts: (string | null)[] = [];
  readonly elements: (Element | null)[] = [];

  /** Paths are numbered over all columns, in their order. */
  constructor(columns: readonly FormColumn[]) {
    for (const { paths } of columns)
      for (const { steps, attribute } of paths) {
        const path = this.texts.length;
        this.texts.push(null);
        this.elements.push(null);
        let node = this.#root;
        for (const step of steps) node = node.child(step);
        if (attribute === null) node.texts.push(path);
        else node.attributes.push({ name: attribute, path });
      }
  }

  read(element: Element): void {
    this.texts.fill(null);
    this.#walk(element, this.#root);
  }

  #walk(element: Element, node: PathNode): void {
    if (node.texts.length > 0 && element.text !== '') this.#found(element, node.texts);
    for (const { name, path } of node.attributes) {
      const raw = this.texts[path] === null ? element.attribute(name) : null;
      const text = raw === null ? null : tidy(raw);
      if (text === null) continue;
      this.texts[path] = text;
      this.elements[path] = element;
    }
    const { names, any } = node;
    const { children } = element;
    for (let k = 0; k < children.length; k++) {
      const child = children[k]!;
      for (let i = 0; i < names.length; i++)
        if (names[i] === child.name) {
          this.#walk(child, node.nodes[i]!);
          break;
        }
      if (any !== null) this.#walk(child, any);
    }
  }

  #found(element: Element, paths: readonly number[]): void {
    const text = textOf(element);
    if (text === null) return;
    for (const path of paths) {
      if (this.texts[path] !== null) continue;
      this.texts[path] = text;
      this.elements[path] = element;
    }
  }
}
