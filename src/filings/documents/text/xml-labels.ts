/** Names for the values of an XML document: `transactionShares: 1500`. A group's name stands above its values. */
import type { Line } from '../lines/lines.ts';
import { scanMarkup } from '../lines/markup.ts';

interface Element {
  readonly name: string;
  readonly id: string | null;
  /** The first element in the one around it. */
  readonly isFirst: boolean;
  children: number;
  /** Its name has been written. */
  named: boolean;
}

export interface XmlLabel {
  /** Name of a group that begins with the value; empty: none */
  readonly group: string;
  /** Name of the value; empty in text outside elements */
  readonly label: string;
}

/** Only holds the value of the element around it: `<transactionShares><value>`. In a 13F `value` is one of several. */
function holdsValue({ name, isFirst }: Element): boolean {
  return name === 'value' && isFirst;
}

/** Deeper elements have no names: the cost of a page must not exceed its length. */
const MAX_DEPTH = 400;

/** For each line. */
export function xmlLabels(source: string, lines: readonly Line[]): XmlLabel[] {
  const labels: XmlLabel[] = [];
  const open: Element[] = [];
  let next = 0;
  let ignored = 0;
  scanMarkup(source, 0, source.length, false, {
    open(name, from, to, selfClosing) {
      const around = open.at(-1);
      if (around !== undefined && ignored === 0) around.children++;
      if (selfClosing) return;
      if (open.length >= MAX_DEPTH) {
        ignored++;
        return;
      }
      const tag = source.slice(from, Math.min(to, from + 500));
      const id = /\sid\s*=\s*["']([\w.-]{1,40})["']/i.exec(tag)?.[1] ?? null;
      // The scan gives names in lower case.
      const isFirst = around === undefined || around.children === 1;
      open.push({ name: localName(tag.slice(1, 1 + name.length)), id, isFirst, children: 0, named: false });
    },
    close() {
      if (ignored > 0) ignored--;
      else open.pop();
    },
    text(_from, to) {
      for (; next < lines.length && lines[next]!.start < to; next++) labels.push(labelOf(open));
    },
  });
  while (labels.length < lines.length) labels.push({ group: '', label: '' });
  return labels;
}

function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1);
}

function labelOf(open: readonly Element[]): XmlLabel {
  let own = open.length - 1;
  while (own > 0 && holdsValue(open[own]!)) own--;
  const element = open[own];
  if (element === undefined) return { group: '', label: '' };
  const around = open[own - 1];
  const isNew = around !== undefined && !around.named;
  if (around !== undefined) around.named = true;
  return {
    group: isNew ? around.name : '',
    label: element.id === null ? element.name : `${element.name} ${element.id}`,
  };
}
