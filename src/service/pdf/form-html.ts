/**
 * A form in XML (3, 4, 5, 13F, D, 13D/G, 144, N-PORT) as a person reads it: labelled fields, and tables of elements that occur more than
 * once. Labels are made from the elements' names, so that a form that is new needs no code.
 */
import { type OrderedElement, XmlError, xmlToJson } from '../../filings/documents/index.ts';

/** More columns than this don't fit a page: each row is then a block of fields in three columns. */
const MAX_COLUMNS = 15;
/** Type size of a table by its columns. */
const TABLE_POINTS: readonly (readonly [columns: number, points: number])[] = [
  [6, 8.5],
  [9, 7.2],
  [12, 6.2],
  [MAX_COLUMNS, 5.4],
];
/** Longer values in a row of a table make its columns too narrow to read: notes and addresses. */
const MAX_CELL = 400;

/** Longer values in a block of fields take its whole width. */
const MAX_CARD_VALUE = 120;
/** Elements whose digits are identifiers: separators would make another value of them. */
const IDENTIFIER =
  /cik|date|year|period|zip|postal|phone|fax|cusip|isin|lei|code|accession|irs|crd|file(?:no|num)|(?:^|[^a-z])id$|Id$|street|poBox/i;
const AMOUNT = /^-?(?:0|[1-9][\d,]*)?(?:\.\d*)?$/;

/** Values up to this length stay on one line: codes, dates, numbers of notes. */
const MAX_SHORT = 10;
/** What EDGAR shortens in names of elements. */
const SHORTENED: Readonly<Record<string, string>> = {
  rpt: 'reporting',
  shrs: 'shares',
  ssh: 'shares',
  prn: 'principal',
  amt: 'amount',
  prnamt: 'principal amount',
  invst: 'investment',
  sec: 'security',
  pct: 'percent',
  val: 'value',
  cur: 'currency',
};

interface Field {
  label: string;
  value: string;
}

/** HTML of the form; null if the document is not well-formed XML. */
export function formHtml(xml: string): string | null {
  try {
    const root = xmlToJson(xml, 'ordered') as OrderedElement;
    return `<div class="fl-form"><h1>${escapeHtml(titleOf(root))}</h1>${contentOf(root, 2)}</div>`;
  } catch (error) {
    if (error instanceof XmlError) return null;
    throw error;
  }
}

/** `Form 144`, `SCHEDULE 13D`: the form that the document names, else the label of its root. */
function titleOf(root: OrderedElement): string {
  const header = [root, ...root.children.filter(isElement)].flatMap((element) => element.children.filter(isElement));
  const named = header.find(({ name }) => /^(?:submissionType|documentType)$/.test(localName(name)));
  const form = named === undefined ? '' : textOf(named);
  if (form === '') return labelOf(root.name);
  return /^(?:schedule|form)\b/i.test(form) ? form : `Form ${form}`;
}

export const FORM_STYLE = `
.fl-form { font: 9pt/1.25 "Liberation Sans", Arial, sans-serif; }
.fl-form h1 { font-size: 14pt; margin: 0 0 8pt; }
.fl-form h2, .fl-form h3, .fl-form h4 { font-size: 10.5pt; margin: 9pt 0 3pt; border-bottom: 0.5pt solid #999; break-after: avoid; }
.fl-form h4 { font-size: 9pt; }
.fl-form .fl-group { margin-left: 8pt; }
.fl-form table { border-collapse: collapse; width: 100%; margin: 3pt 0 6pt; }
.fl-form td, .fl-form th { border: 0.4pt solid #bbb; padding: 1.5pt 3pt; text-align: left; vertical-align: top; overflow-wrap: anywhere; }
.fl-form th { background: #eef1f5; font-weight: bold; overflow-wrap: normal; hyphens: auto; }
.fl-form .fl-fields th { width: 34%; font-weight: normal; color: #444; }
.fl-form .fl-rows { table-layout: auto; }
.fl-form .fl-card { display: grid; grid-template-columns: repeat(3, 1fr); gap: 1pt 8pt; font-size: 7.5pt; margin: 0 0 5pt; }
.fl-form .fl-card span { overflow-wrap: anywhere; }
.fl-form .fl-card i { color: #555; }
.fl-form .fl-card .fl-wide { grid-column: 1 / -1; }
.fl-form .fl-short { white-space: nowrap; }
.fl-form .fl-number { text-align: right; white-space: nowrap; }
.fl-form thead { display: table-header-group; }
`;

/** The content of an element in its order: fields, groups of fields, and rows of repeated elements. */
function contentOf(element: OrderedElement, level: number): string {
  const out: string[] = [];
  let fields: Field[] = [];
  const flush = () => {
    if (fields.length > 0) out.push(fieldTable(fields));
    fields = [];
  };
  for (const { name, value } of attributesOf(element)) fields.push({ label: labelOf(name), value });
  const own = textOf(element);
  if (own !== '') fields.push({ label: labelOf(element.name), value: own });
  const children = element.children.filter(isElement);
  const counts = new Map<string, number>();
  for (const child of children) counts.set(child.name, (counts.get(child.name) ?? 0) + 1);
  const done = new Set<string>();
  for (const child of children) {
    if (done.has(child.name)) continue;
    const repeated = counts.get(child.name)! > 1;
    // The only row of a list is a row as well.
    const row = repeated || (children.length === 1 && /(?:table|list|s)$/i.test(element.name) && !isSimple(child));
    if (row) {
      done.add(child.name);
      flush();
      const rows = children.filter((other) => other.name === child.name);
      out.push(rowsOf(rows, level));
    } else if (isSimple(child)) {
      const isNote = localName(child.name) === 'footnoteId';
      const value = isNote ? `(${child.attributes.id ?? ''})` : simpleValue(child);
      if (value !== '') fields.push({ label: isNote ? 'Footnote' : labelOf(child.name), value });
    } else {
      flush();
      const inner = contentOf(child, level + 1);
      if (inner !== '') out.push(`${heading(labelOf(child.name), level)}<div class="fl-group">${inner}</div>`);
    }
  }
  flush();
  return out.join('\n');
}

function rowsOf(elements: readonly OrderedElement[], level: number): string {
  const label = labelOf(elements[0]!.name);
  const rows = elements.map((element) => leavesOf(element, ''));
  const paths = [...new Set(rows.flatMap((row) => [...row.keys()]))];
  const values = rows.flatMap((row) => [...row.values()]);
  if (paths.length === 0) return '';
  if (paths.length <= MAX_COLUMNS && values.every((value) => value.length <= MAX_CELL || paths.length <= 2)) {
    const points = TABLE_POINTS.find(([columns]) => paths.length <= columns)![1];
    const numeric = new Set(
      paths.filter((path) => !IDENTIFIER.test(path) && rows.every((row) => AMOUNT.test(row.get(path) ?? ''))),
    );
    const head = paths.map((path) => `<th>${escapeHtml(columnOf(path, paths))}</th>`).join('');
    const body = rows.map((row) => {
      const cells = paths.map((path) => {
        const value = row.get(path) ?? '';
        if (numeric.has(path)) return `<td class="fl-number">${escapeHtml(grouped(value))}</td>`;
        return `<td${value.length <= MAX_SHORT ? ' class="fl-short"' : ''}>${escapeHtml(value)}</td>`;
      });
      return `<tr>${cells.join('')}</tr>`;
    });
    return `${heading(elements.length > 1 ? `${label} (${elements.length})` : label, level)}<table class="fl-rows" style="font-size:${points}pt"><thead><tr>${head}</tr></thead><tbody>${body.join('')}</tbody></table>`;
  }
  if (elements.length === 1)
    return `${heading(label, level)}<div class="fl-group">${contentOf(elements[0]!, level + 1)}</div>`;
  const cards = rows.map((row, k) => {
    const fields = [...row].map(
      ([path, value]) =>
        `<span${value.length > MAX_CARD_VALUE ? ' class="fl-wide"' : ''}><i>${escapeHtml(columnOf(path, paths))}</i> ${escapeHtml(value)}</span>`,
    );
    return `${heading(`${label} ${k + 1} of ${elements.length}`, 4)}<div class="fl-card">${fields.join('')}</div>`;
  });
  return cards.join('\n');
}

/** The values within an element by their path; what is repeated below is joined. */
function leavesOf(element: OrderedElement, path: string): Map<string, string> {
  const leaves = new Map<string, string>();
  const add = (key: string, value: string) => {
    if (value === '') return;
    const before = leaves.get(key);
    leaves.set(key, before === undefined ? value : `${before}; ${value}`);
  };
  for (const { name, value } of attributesOf(element)) add(join(path, name), value);
  if (isSimple(element)) add(path || localName(element.name), simpleValue(element, false));
  else {
    add(path || localName(element.name), textOf(element));
    for (const child of element.children.filter(isElement)) {
      for (const [key, value] of leavesOf(child, join(path, localName(child.name)))) add(key, value);
    }
  }
  return leaves;
}

const join = (path: string, name: string) => (path === '' ? localName(name) : `${path}/${localName(name)}`);

/** The shortest end of a path that no other column has. */
function columnOf(path: string, paths: readonly string[]): string {
  const parts = path.split('/');
  for (let count = 1; count < parts.length; count++) {
    const end = parts.slice(-count).join('/');
    if (paths.filter((other) => other === end || other.endsWith(`/${end}`)).length === 1) return labelOf(end);
  }
  return labelOf(path);
}

/** An element with a value and nothing else: in forms 3, 4 and 5 the value is one level deeper, with references to notes beside it. */
function isSimple(element: OrderedElement): boolean {
  return element.children
    .filter(isElement)
    .every((child) => VALUE.test(localName(child.name)) && !child.children.some(isElement));
}

const VALUE = /^(?:value|footnoteId)$/;

function simpleValue(element: OrderedElement, attributes = true): string {
  const pieces = attributes ? attributesOf(element).map(({ name, value }) => `${labelOf(name)} ${value}`) : [];
  const text = textOf(element);
  if (text !== '') pieces.push(text);
  for (const child of element.children.filter(isElement)) {
    const note = child.attributes.id;
    const value = localName(child.name) === 'footnoteId' && note !== undefined ? `(${note})` : textOf(child);
    if (value !== '') pieces.push(value);
  }
  return pieces.join(' ');
}

/** Attributes that say something of the filing, not of the markup. */
function attributesOf(element: OrderedElement): { name: string; value: string }[] {
  return Object.entries(element.attributes).flatMap(([name, value]) =>
    /^(?:xmlns|xsi|xml)(?::|$)|schemaLocation$/i.test(name) ? [] : [{ name, value }],
  );
}

function textOf(element: OrderedElement): string {
  return element.children
    .filter((child) => typeof child === 'string')
    .join(' ')
    .replace(/\s+/g, ' ')
    .trim();
}

function isElement(child: OrderedElement['children'][number]): child is OrderedElement {
  return typeof child === 'object' && 'name' in child;
}

function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1);
}

/** `rptOwnerCik` as "Rpt owner CIK", `shrsOrPrnAmt/sshPrnamt` as "Shrs or prn amt: ssh prnamt". */
export function labelOf(path: string): string {
  const label = path
    .split('/')
    .map((part) =>
      localName(part)
        .replace(/[_-]+/g, ' ')
        .replace(/([a-z\d])([A-Z])/g, '$1 $2')
        .replace(/([A-Z]+)([A-Z][a-z])/g, '$1 $2')
        .replace(/([a-z])(\d)/g, '$1 $2')
        .replace(/\b[A-Z][a-z]+\b/g, (word) => word.toLowerCase())
        .replace(/\b(?:ccc|cik|cusip|irs|lei|isin|figi|usd|id|url)\b/gi, (word) => word.toUpperCase())
        .replace(/\b[a-z]+\b/g, (word) => SHORTENED[word] ?? word),
    )
    .join(': ');
  return label.charAt(0).toUpperCase() + label.slice(1);
}

/** 1234567.5 as 1,234,567.5. */
function grouped(value: string): string {
  const [whole, rest] = value.split('.');
  if (!/^-?[1-9]\d{3,}$/.test(whole!)) return value;
  return whole!.replace(/\B(?=(?:\d{3})+$)/g, ',') + (rest === undefined ? '' : `.${rest}`);
}

function fieldTable(fields: readonly Field[]): string {
  const rows = fields.map(({ label, value }) => `<tr><th>${escapeHtml(label)}</th><td>${escapeHtml(value)}</td></tr>`);
  return `<table class="fl-fields"><tbody>${rows.join('')}</tbody></table>`;
}

function heading(text: string, level: number): string {
  const depth = Math.min(level, 4);
  return `<h${depth}>${escapeHtml(text)}</h${depth}>`;
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}
