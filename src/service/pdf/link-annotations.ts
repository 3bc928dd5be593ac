/** Links on a page: to another page, or out of the file. */
import { PDFName, type PDFPage, PDFString } from '@cantoo/pdf-lib';
import type { Destination } from './named-destinations.ts';

type Rectangle = readonly [left: number, bottom: number, right: number, top: number];

export function addLink(
  page: PDFPage,
  rectangle: Rectangle,
  target: { url: string } | { destination: Destination },
): void {
  const { context } = page.doc;
  const common = { Type: 'Annot', Subtype: 'Link', Rect: [...rectangle], Border: [0, 0, 0] };
  const annotation =
    'url' in target
      ? context.obj({ ...common, A: context.obj({ Type: 'Action', S: 'URI', URI: PDFString.of(target.url) }) })
      : context.obj({ ...common, Dest: destinationArray(target.destination) });
  page.node.addAnnot(context.register(annotation));
}

/** An explicit destination: the page, its place on it, the zoom left as it is. */
export function destinationArray({ page, top }: Destination) {
  return [page, PDFName.of('XYZ'), null, top, null];
}
