/**
 * A structured form as a person reads it: boxes, tables, notes, signatures. One renderer for the page of a filing and for its PDF, from
 * the form's rows and the descriptors of their tables.
 */
import { type Html, html } from '../../core/index.ts';
import { FORM_GROUPS, type FormColumn, type FormTable, type Row } from '../../filings/forms/index.ts';
import { count, type FormPart } from '../pages/index.ts';
import { type FormData, heldPart, type Positions, positionKey, type TableRows } from './data.ts';
import { columnLabel, elementLabel, numberText } from './labels.ts';
import { CODES, LAYOUTS, type Part, SHOWN_ELSEWHERE } from './layouts.ts';

export interface FormOptions {
  /** On paper nothing is folded, and nothing is a link */
  readonly isPrinted: boolean;
  /** The report before: its date, and what it held */
  readonly before?: { readonly date: string; readonly positions: Positions };
}

/** A column as it is shown: one of the table, or several as one. */
interface Shown {
  readonly name: string;
  readonly label: string;
  readonly meaning: string;
  readonly isNumber: boolean;
  /** Null: nothing */
  readonly cell: (row: Row) => string | Html | null;
}

/** Columns of a table without a layout; others follow below. */
const COLUMNS_MAX = 8;
/** What a page of paper takes: a row is printed once if that is possible at all. */
const PRINTED_COLUMNS_MAX = 14;
/** Longer texts are paragraphs, not cells. */
const TEXT_MAX = 300;
/** Beside a long text: what names it. With more, the text is a column. */
const PARAGRAPH_COLUMNS = 3;
/** With more, a table is set small on paper. */
const MANY_COLUMNS = 9;
/** Dates and identifiers stay on one line. */
const WORD = /^\S{1,14}$/;
const SUMMARY = 80;
const WIDE_TEXT = 60;
/** Of a form without a layout: elements below the root and below those are its parts. */
const PART_DEPTH = 3;
const LINES_OPEN = 3;
const GONE_MAX = 10;
const ADDRESS = ['street1', 'street2', 'city', 'state', 'zip', 'country'];
/** Of each row, and of no use to a reader. */
const HIDDEN = new Set([
  'accession_number',
  'mapping_version',
  'schema_version',
  'position',
  'line',
  'test_or_live',
  'value_unit_evidence',
]);

/** Whether there is more than what is wrong with it. */
export function isRead({ tables }: FormData): boolean {
  return [...tables.keys()].some((name) => name !== 'form_problems' && name !== 'form_unknown_elements');
}

/** The parts of a form; none: nothing could be read. */
export function formView(data: FormData, options: FormOptions): FormPart[] {
  const { group, tables } = data;
  if (group === null) return [...valueParts(tables.get('form_values')), ...problemParts(data, options)];
  const known = FORM_GROUPS.get(group)!;
  const layout = LAYOUTS[group] ?? [];
  const laidOut = new Set(layout.map(({ table }) => table));
  const others = known
    .filter(({ name }) => !laidOut.has(name) && !SHOWN_ELSEWHERE.has(name))
    .map(({ name, meaning }): Part => ({ table: name, title: meaning.split(/[:;,(]/, 1)[0]!, columns: '' }));
  // What the form has besides comes before its notes and signatures.
  const end = layout.findIndex(({ table }) => /_(?:footnotes|signatures)$/.test(table));
  const ordered = end < 0 ? [...layout, ...others] : [...layout.slice(0, end), ...others, ...layout.slice(end)];
  const parts = ordered.flatMap((part) => {
    const found = tables.get(part.table);
    const table = known.find(({ name }) => name === part.table)!;
    const shown = found && partOf(part, table, found, data, options);
    return shown ? [{ title: part.title, html: shown }] : [];
  });
  return [...parts, ...valueParts(tables.get('form_values')), ...problemParts(data, options)];
}

function partOf(part: Part, table: FormTable, found: TableRows, data: FormData, options: FormOptions): Html | null {
  const only = Object.entries(part.only ?? {});
  const rows = found.rows.filter((row) => only.every(([name, value]) => row[name] === value));
  if (rows.length === 0) return null;
  const all = shownColumns(table, part, data, options).filter(({ cell }) => rows.some((row) => cell(row) !== null));
  const twice = new Set<Shown>();
  const named = part.columns.split(' ').flatMap((names) => {
    const [column, ...alternatives] = names.split('|').flatMap((name) => all.find((one) => one.name === name) ?? []);
    for (const one of alternatives)
      if (rows.every((row) => asText(one.cell(row)) === asText(column!.cell(row)))) twice.add(one);
    return column ?? [];
  });
  if (table.key.length === 1) return fieldsOf(rows[0]!, named, all, options);
  const texts = all.filter(({ cell }) => rows.some((row) => textLength(cell(row)) > TEXT_MAX));
  const long = texts.length === 1 ? texts[0] : all.find(({ name }) => name === 'text');
  if (long !== undefined && all.length <= PARAGRAPH_COLUMNS) return paragraphs(rows, all, long);
  const isCut = found.count > found.rows.length;
  const same = rows.length < 3 ? [] : all.filter((column) => !named.includes(column) && isSame(column, rows));
  const varied = all.filter((column) => !named.includes(column) && !same.includes(column) && !twice.has(column));
  const most = options.isPrinted ? PRINTED_COLUMNS_MAX : COLUMNS_MAX;
  const first =
    options.isPrinted || named.length === 0 ? [...named, ...varied].slice(0, Math.max(most, named.length)) : named;
  const rest = varied.filter((column) => !first.includes(column));
  const change = changeColumn(part, data, options, rows);
  const sums =
    isCut || rows.length > 20
      ? `${count(found.count)} rows${isCut ? `, ${part.largest ? 'the largest' : 'the first'} ${count(rows.length)} of them here` : ''}. `
      : '';
  const shared = same.map(({ label, cell }) => html`${label}: ${cell(rows[0]!)}. `);
  const way =
    isCut &&
    (options.isPrinted
      ? `All rows: an export with the table ${table.name}.`
      : html`<a href="/filings/${String(rows[0]!.accession_number)}/tables/${table.name}.csv">All rows as CSV</a>, or by the definition below.`);
  return html`${(sums !== '' || shared.length > 0) && html`<p class="soft">${sums}${shared.length > 0 && html`In each row: ${shared}`}${way}</p>`}
${rowsTable(part.title, change === null ? first : [...first, change], rows, options)}
${rest.length > 0 && folded(`${count(rest.length)} more ${rest.length === 1 ? 'column' : 'columns'}`, rowsTable(`${part.title}, more columns`, [first[0]!, ...rest], rows, options), options)}
${change !== null && gonePart(part, data, options)}`;
}

const isSame = ({ cell }: Shown, rows: readonly Row[]) => {
  const text = asText(cell(rows[0]!));
  return rows.every((row) => asText(cell(row)) === text);
};

function asText(cell: string | Html | null): string {
  return cell === null ? '' : typeof cell === 'string' ? cell : cell.text;
}

const textLength = (cell: string | Html | null) => (typeof cell === 'string' ? cell.length : 0);

function rowsTable(caption: string, columns: readonly Shown[], rows: readonly Row[], options: FormOptions): Html {
  const heads = columns.map(
    ({ label, meaning, isNumber }) =>
      html`<th scope="col"${isNumber ? html` class="number"` : null} title="${meaning}">${label}</th>`,
  );
  const lines = rows.map((row) => {
    const cells = columns.map(({ cell, isNumber }) => {
      const value = cell(row);
      const kind = isNumber ? 'number' : typeof value === 'string' && WORD.test(value) ? 'word' : null;
      return html`<td${kind && html` class="${kind}"`}>${shortened(value, options)}</td>`;
    });
    return html`<tr>${cells}</tr>`;
  });
  const isMany = columns.length > MANY_COLUMNS;
  return html`<div class="table" role="region" aria-label="${caption}" tabindex="0"><table class="${isMany ? 'rows many' : 'rows'}"><thead><tr>${heads}</tr></thead><tbody>${lines}</tbody></table></div>`;
}

/** A long text in a row opens at a click: it would hide the rows below. */
function shortened(cell: string | Html | null, options: FormOptions): string | Html | null {
  if (typeof cell !== 'string' || cell.length <= TEXT_MAX || options.isPrinted) return cell;
  return html`<details><summary>${cell.slice(0, SUMMARY)}…</summary>${cell}</details>`;
}

/** Boxes with a label each, as a form has them. */
function fieldsOf(row: Row, named: readonly Shown[], all: readonly Shown[], options: FormOptions): Html {
  const boxes = (columns: readonly Shown[]) =>
    html`<dl class="boxes">${columns.map(({ label, meaning, cell }) => {
      const value = cell(row);
      const isWide = asText(value).length > WIDE_TEXT;
      return html`<div${isWide ? html` class="wide"` : null}><dt title="${meaning}">${label}</dt><dd>${value}</dd></div>`;
    })}</dl>`;
  const first = named.length > 0 ? named : all;
  const rest = all.filter((column) => !first.includes(column));
  return html`${boxes(first)}${rest.length > 0 && folded(`${count(rest.length)} more fields`, boxes(rest), options)}`;
}

function folded(summary: string, content: Html, { isPrinted }: FormOptions): Html {
  return isPrinted ? content : html`<details><summary>${summary}</summary>${content}</details>`;
}

/** Rows with one long text: each is a paragraph under what names it. */
function paragraphs(rows: readonly Row[], all: readonly Shown[], long: Shown): Html {
  const names = all.filter((column) => column !== long);
  return html`<div class="notes">${rows.map((row) => {
    const words = names.flatMap(({ label, cell }) => {
      const word = asText(cell(row));
      if (/^[a-z][\w.]*$/.test(word)) return elementLabel(word).replace(/ flag$/, '');
      return word === '' ? [] : /^\d+$/.test(word) ? `${label} ${word}` : word;
    });
    const text = asText(long.cell(row)).split(/\n\s*\n/);
    const isCount = /amount|number of shares/i.test(words.at(-1) ?? '') && /^\d+(?:\.\d+)?$/.test(text[0]!);
    const first = isCount ? numberText(text[0]!) : ({ Y: 'Yes', N: 'No' }[text[0]!] ?? text[0]);
    return html`<p${names.length === 1 && html` id="note-${words[0]}"`}><strong>${words.join(', ')}</strong> ${first}</p>${text.slice(1).map((more) => html`<p>${more}</p>`)}`;
  })}</div>`;
}

/** The columns of a table as a reader needs them: addresses as one, boxes as one, what numbers a row's parent by its name. */
function shownColumns(table: FormTable, part: Part, data: FormData, options: FormOptions): Shown[] {
  const marks = noteMarks(data);
  const names = new Set(table.columns.map(({ name }) => name));
  const hasBoxes = part.columns.split(' ').includes('boxes');
  const done = new Set<string>();
  const found = table.columns.flatMap((column): Shown[] => {
    const { name } = column;
    if (HIDDEN.has(name) || done.has(name) || part.only?.[name] !== undefined) return [];
    if (hasBoxes && column.type === 'BOOLEAN') return [];
    const prefix = name.endsWith('street1') ? name.slice(0, -'street1'.length) : null;
    if (prefix !== null) {
      const own = ADDRESS.map((one) => `${prefix}${one}`).filter((one) => names.has(one));
      for (const one of own) done.add(one);
      return [addressColumn(`${prefix}address`, own)];
    }
    if (column.type === 'INTEGER' && table.key.includes(name)) return parentColumn(column, table, data);
    return [valueColumn(column, table, marks, options)];
  });
  return hasBoxes ? [...found, boxesColumn(table)] : found;
}

function addressColumn(name: string, own: readonly string[]): Shown {
  const cell = (row: Row) =>
    own
      .map((one) => row[one])
      .filter((value) => value !== null)
      .join(', ') || null;
  return { name, label: columnLabel({ name, type: 'VARCHAR', meaning: '' }), meaning: '', isNumber: false, cell };
}

/** Boxes that are checked, and on paper those that are not. */
function boxesColumn(table: FormTable): Shown {
  const boxes = table.columns.filter(({ type, name }) => type === 'BOOLEAN' && !table.key.includes(name));
  const cell = (row: Row) => {
    const checked = boxes.filter(({ name }) => row[name] === true);
    return checked.length === 0
      ? null
      : html`${checked.map((box) => html`<span class="box">☒ ${columnLabel(box)}</span> `)}`;
  };
  return { name: 'boxes', label: 'Boxes checked', meaning: '', isNumber: false, cell };
}

/** The number of a row of another table is shown as the name there. The row's own number is not shown. */
function parentColumn(column: FormColumn, table: FormTable, { group, tables }: FormData): Shown[] {
  const parent = FORM_GROUPS.get(group!)!.find(({ name }) => name === `${group}_${column.name}s`);
  if (parent === table || parent === undefined) {
    if (table.key.at(-1) === column.name && column.name !== 'month') return [];
    return [valueColumn(column, table, null, { isPrinted: true })];
  }
  const number = parent.key.at(-1)!;
  const named = parent.columns.find(({ name, type }) => type === 'VARCHAR' && /name|title|description/.test(name));
  const names = new Map(tables.get(parent.name)?.rows.map((row) => [row[number], named && row[named.name]]));
  const cell = (row: Row) => String(names.get(row[column.name]!) ?? `No. ${Number(row[column.name]) + 1}`);
  return [{ name: column.name, label: columnLabel(column), meaning: column.meaning, isNumber: false, cell }];
}

type Marks = ReadonlyMap<string, readonly string[]>;

function valueColumn(column: FormColumn, table: FormTable, marks: Marks | null, options: FormOptions): Shown {
  const { name, type, meaning } = column;
  const isNumber = /^(?:INTEGER|BIGINT|DECIMAL|DOUBLE)/.test(type);
  const hasMarks = marks !== null && table.key.includes('line');
  const cell = (row: Row) => {
    const value = valueText(column, row[name] ?? null, options);
    const notes = hasMarks ? (marks.get(markKey(row, name)) ?? []) : [];
    if (notes.length === 0) return value;
    const linked = notes.map((note) => (options.isPrinted ? note : html`<a href="#note-${note}">${note}</a>`));
    return html`${value} <sup>${linked.flatMap((note, k) => (k === 0 ? [note] : [' ', note]))}</sup>`;
  };
  return { name, label: columnLabel(column), meaning, isNumber, cell };
}

function valueText(column: FormColumn, value: Row[string], { isPrinted }: FormOptions): string | Html | null {
  const { name, type } = column;
  if (value === null || value === '') return null;
  if (typeof value === 'boolean') return value ? 'Yes' : 'No';
  if (/^(?:INTEGER|BIGINT|DECIMAL|DOUBLE)/.test(type)) return numberText(String(value), columnLabel(column));
  // Texts of schedules have references of HTML within those of XML.
  const text = String(value).replace(/&#(\d{2,6});/g, (_all, code) => String.fromCodePoint(Number(code)));
  const word = CODES[name]?.[text];
  if (word !== undefined) return name === 'transaction_code' ? `${word} (${text})` : word;
  if (!isPrinted && /(?:^|_)cik$/.test(name) && /^\d{1,10}$/.test(text))
    return html`<a href="/companies/${text}">${text}</a>`;
  if (!isPrinted && name.endsWith('accession_number') && /^[\d-]{20}$/.test(text))
    return html`<a href="/filings/${text}">${text}</a>`;
  return /^[a-z]+(?:_[a-z]+)+$/.test(text) ? text.replaceAll('_', ' ') : text;
}

const markKey = (row: Row, field: string) => `${row.derivative} ${row.line} ${field}`;

/** Notes of each value. Those of a whole coding stand at its code. */
function noteMarks({ tables }: FormData): Marks | null {
  const refs = tables.get('ownership_footnote_refs')?.rows;
  if (refs === undefined) return null;
  return new Map(
    [
      ...Map.groupBy(refs, (row) =>
        markKey(row, row.field === 'transaction_coding' ? 'transaction_code' : String(row.field)),
      ),
    ].map(([key, rows]) => [key, rows.map(({ footnote_id }) => String(footnote_id))]),
  );
}

/** How much more or less of a thing is held than at the report before; in the first of its rows. */
function changeColumn(
  part: Part,
  { positions }: FormData,
  { before }: FormOptions,
  rows: readonly Row[],
): Shown | null {
  const { held } = part;
  if (held === undefined || before === undefined) return null;
  const firsts = new Map(rows.toReversed().map((row) => [positionKey(held.by, row), row]));
  const cell = (row: Row) => {
    const key = positionKey(held.by, row);
    if (firsts.get(key) !== row) return null;
    const now = positions.get(key)!;
    const then = before.positions.get(key);
    if (then === undefined) return 'new';
    const change = now.amount - then.amount;
    return change === 0 ? 'none' : `${change > 0 ? '+' : '−'}${numberText(String(Math.abs(change)))}`;
  };
  const meaning = 'of the security in all rows together, as reported: splits are not taken out';
  return { name: 'change', label: `Change since ${before.date}`, meaning, isNumber: true, cell };
}

/** What the report before had, and this one has not. */
function gonePart(part: Part, { positions, group }: FormData, { before }: FormOptions): Html | null {
  const gone = [...(before?.positions ?? [])].filter(([key]) => !positions.has(key));
  if (gone.length === 0) return null;
  const { largest } = heldPart(group)!;
  const size = (row: Row) => Number(row[part.largest ?? largest!] ?? 0);
  const rows = gone.map(([, { row }]) => row).sort((a, b) => size(b) - size(a));
  const names = rows.slice(0, GONE_MAX).map((row) => String(row.name_of_issuer ?? row.name ?? row.title ?? ''));
  return html`<p class="soft">No longer held, of ${before!.date}: ${count(gone.length)}${gone.length > GONE_MAX ? `, the largest of them` : ''}: ${names.join('; ')}.</p>`;
}

/** A form without tables here: each value of its XML, with labels of its elements. */
function valueParts(found: TableRows | undefined): FormPart[] {
  if (found === undefined) return [];
  const parts: { path: string; groups: { at: string; fields: [string, string][] }[] }[] = [];
  for (const { path, indices, value } of found.rows) {
    const steps = String(path).split('/');
    if (value === null || /^\s*$/.test(String(value)) || /^@xmlns|^@xsi|schema/i.test(steps.at(-1)!)) continue;
    const depth = Math.min(PART_DEPTH, steps.length - 1);
    const part = steps.slice(0, depth).join('/');
    if (parts.at(-1)?.path !== part) parts.push({ path: part, groups: [] });
    const { groups } = parts.at(-1)!;
    // Each of several elements of one name has boxes of its own.
    const at = (JSON.parse(String(indices)) as number[])
      .slice(0, depth + 1)
      .filter((_, k) => k < steps.length - 1)
      .join();
    if (groups.at(-1)?.at !== at) groups.push({ at, fields: [] });
    groups.at(-1)!.fields.push([elementLabel(steps.slice(depth).slice(-2).join('/')), String(value).trim()]);
  }
  const cut =
    found.count > found.rows.length &&
    html`<p class="soft">The first ${count(found.rows.length)} of ${count(found.count)} values. The document has them all.</p>`;
  return parts.map(({ path, groups }, k) => {
    const boxes = groups.map(
      ({ fields }) =>
        html`<dl class="boxes">${fields.map(([label, value]) => html`<div${value.length > WIDE_TEXT ? html` class="wide"` : null}><dt>${label}</dt><dd>${value}</dd></div>`)}</dl>`,
    );
    return { title: elementLabel(path.split('/').at(-1)!), html: html`${boxes}${k === parts.length - 1 && cut}` };
  });
}

function problemParts(data: FormData, options: FormOptions): FormPart[] {
  const problems = data.tables.get('form_problems');
  const lines = (problems?.rows ?? [])
    .filter(({ reason }) => reason !== 'no_mapping')
    .map(({ document, reason, path, value }) => {
      const place = path === null ? '' : ` at ${path}`;
      return `${document}: ${String(reason).replaceAll('_', ' ')}${place}: ${String(value).slice(0, TEXT_MAX)}`;
    });
  if (lines.length === 0) return [];
  const list = html`<ul>${lines.map((line) => html`<li>${line}</li>`)}</ul>${problems!.count > lines.length && html`<p>${count(problems!.count)} in all.</p>`}`;
  if (!isRead(data)) return [{ title: 'The form could not be read', html: list }];
  const title = 'Values that do not fit the form';
  return [{ title, html: lines.length > LINES_OPEN ? folded(`${count(lines.length)} values`, list, options) : list }];
}
