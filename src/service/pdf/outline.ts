/** The PDF's outline (bookmarks): documents, and their sections below them. */
import { type PDFDict, type PDFDocument, PDFHexString, PDFName, PDFNumber, type PDFRef } from '@cantoo/pdf-lib';
import type { PlacedEntry } from './contents-pages.ts';
import { destinationArray } from './link-annotations.ts';

interface Node {
  entry: PlacedEntry;
  children: Node[];
}

export function addOutline(pdf: PDFDocument, entries: readonly PlacedEntry[]): void {
  const roots = treeOf(entries);
  if (roots.length === 0) return;
  const { context } = pdf;
  const outlines = context.obj({ Type: 'Outlines' }) as PDFDict;
  const ref = context.register(outlines);
  const shown = addLevel(pdf, roots, ref, outlines);
  outlines.set(PDFName.of('Count'), PDFNumber.of(shown));
  pdf.catalog.set(PDFName.of('Outlines'), ref);
  pdf.catalog.set(PDFName.of('PageMode'), PDFName.of('UseOutlines'));
}

function treeOf(entries: readonly PlacedEntry[]): Node[] {
  const roots: Node[] = [];
  for (const entry of entries) {
    const parent = entry.level === 1 ? roots.at(-1) : undefined;
    (parent?.children ?? roots).push({ entry, children: [] });
  }
  return roots;
}

/** Links the nodes of a level to each other and to their parent. @returns how many lines an opened outline shows below the parent */
function addLevel(pdf: PDFDocument, nodes: readonly Node[], parentRef: PDFRef, parent: PDFDict): number {
  const { context } = pdf;
  const items = nodes.map(({ entry }) => {
    const title = PDFHexString.fromText([entry.label, entry.title].filter((part) => part !== '').join('  '));
    const item = context.obj({ Title: title, Parent: parentRef, Dest: destinationArray(entry.destination) }) as PDFDict;
    return { item, ref: context.register(item) };
  });
  let shown = items.length;
  for (const [index, { item, ref }] of items.entries()) {
    const previous = items[index - 1];
    const next = items[index + 1];
    if (previous) item.set(PDFName.of('Prev'), previous.ref);
    if (next) item.set(PDFName.of('Next'), next.ref);
    const children = nodes[index]!.children;
    if (children.length === 0) continue;
    const below = addLevel(pdf, children, ref, item);
    item.set(PDFName.of('Count'), PDFNumber.of(below));
    shown += below;
  }
  parent.set(PDFName.of('First'), items[0]!.ref);
  parent.set(PDFName.of('Last'), items.at(-1)!.ref);
  return shown;
}
