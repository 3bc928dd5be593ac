/** Exhibit 21: the subsidiaries that a document lists, from web pages and typewritten text of all times. */
import { Columns, DITTO, type Segment } from './columns.ts';
import { pageRows } from './page-rows.ts';
import { codeOf, isPlace, placeIn } from './places.ts';
import { type PrintedRow, textRows } from './text-rows.ts';
import * as words from './words.ts';

/**
 * `lane`: of lists side by side. `placeFrom`: where the column of its jurisdiction begins. `section`: the jurisdiction of a heading
 * above. `list`: headings begin a new one. `behindTitle`: behind the document's title, or the heads of columns.
 */
type Candidate = Readonly<words.Entry & Record<'at' | 'indent' | 'lane' | 'list', number>> & {
  readonly row: PrintedRow;
  readonly parent: string | null;
  readonly placeFrom: number | null;
  readonly section: string | null;
  readonly behindTitle: boolean;
};

const PAGE = /<(?:html|body|td|p|div|br|font|span)\b/i;

/** `rows` of the table, without what only the filing tells (`at`: UTF-16 position of the name), and `unread` lines that may be names. */
export function readList(source: string) {
  const typewritten = source.matchAll(/<pre\b[^<>]*>(?:[^<]|<(?!\/?pre\b))*/gi);
  const isTyped = !PAGE.test(source) || typewritten.reduce((sum, [pre]) => sum + pre.length, 0) > source.length / 2;
  const rows = isTyped ? textRows(source) : pageRows(source);
  const reader = new Reader(rows);
  for (const row of rows) if (row.cells.length > 0) reader.read(row);
  const lists = Map.groupBy(reader.found, ({ row, list }) => `${row.block} ${list}`);
  // The left list before the right one.
  const found = [...lists.values()].flatMap((own) => own.toSorted((a, b) => a.lane - b.lane));
  const lines = joined(found);
  const kept = chosen(lines);
  const unread = lines.filter((line) => !kept.includes(line)).map(({ name }) => name);
  return { rows: withParents(kept), unread };
}

const FILER = /^(?:the |our )?(?:registrants?|company|parent|issuer|filer|n\/?a|none)\.?$/i;
const REGISTRANT = /^(?:the )?(?:registrant|parent|parent company|issuer)s?\s*:?$/i;
const GROUP =
  /^(?:\(?[a-z0-9]{1,2}[.)]\s+)?(?:(?:domestic|foreign|u\.?s\.?|non-u\.?s\.?|international|direct|indirect|active|inactive|other|(?:wholly|majority|partially)[- ]owned|less than|more than|first|second|third|fourth|fifth|tier|consolidated|unconsolidated|insurance|equity|\d+%)\b[^.,]*)?\b(?:subsidiaries|companies|corporations|entities|affiliates|partnerships|joint ventures|trusts|domestic|foreign|international|tier|group)(?: owned)?(?:\s*\(.*\))?$/i;

class Reader {
  readonly found: Candidate[] = [];
  readonly #columns: Columns;
  #section: string | null = null;
  #parent: string | null = null;
  /** Of a row above, if jurisdictions stand before names */
  #carried: string | null = null;
  #list = 0;
  #behindTitle = false;
  /** The line above, if it is of a sentence: it may continue. */
  #prose: string | null = null;
  #isTitleOpen = false;
  #isRegistrant = false;
  constructor(rows: readonly PrintedRow[]) {
    this.#columns = new Columns(rows);
  }

  read(row: PrintedRow): void {
    const alone = row.cells.length === 1 ? words.withoutMarks(row.cells[0]!.text) : null;
    if (this.#isSentence(row) || (alone !== null && this.#isHeading(row, alone))) return;
    const isTitled = (text: string) => row.cells.length > 1 && words.isTitle(text);
    const isHead = row.cells.every(({ text }) => (words.isHeader(text) || isTitled(text)) && !isPlace(text));
    if (isHead) this.#behindTitle = true;
    else if (!row.cells.every(({ text }) => words.isFurniture(text)))
      for (const [lane, segment] of this.#columns.segments(row).entries()) this.#add(row, segment, lane);
  }

  #isSentence(row: PrintedRow): boolean {
    const whole = row.cells.map(({ text }) => text).join(' ');
    const hasPlace = row.cells.some(({ text }, k) => k > 0 && placeIn(text) !== null);
    const goesOn = row.typed && this.#prose !== null && !row.apart && row.cells.length < 3;
    const isNote = /^(?:\([a-z\d]{1,2}\)|[*\u2020\u2021]+)\s+(?:\S+\s+){6}/i.test(whole) || words.isProse(whole);
    const isBegun = isNote && words.entryOf(whole, false).jurisdiction === null;
    const isOne = !hasPlace && (isBegun || (goesOn && (!/[.:]$/.test(this.#prose!) || !words.hasSuffix(whole))));
    this.#prose = isOne ? whole : null;
    return isOne;
  }

  #isHeading(row: PrintedRow, text: string): boolean {
    const isOfTitle = this.#isTitleOpen && !row.apart && this.found.length === 0;
    this.#isTitleOpen = false;
    if (REGISTRANT.test(text)) this.#isRegistrant = true;
    if (REGISTRANT.test(text) || words.isFurniture(text) || isOfTitle) return true;
    const plain = text.replace(words.CONTINUED, '').replace(/\s*[:.\u2013\u2014-]+$/, '');
    const isTitle = words.isTitle(text);
    // `Orbel Farms, Texas` is a company, not a town.
    const isAlone = !/^\(.*\)$/.test(plain) && plain.split(', ').every((part) => placeIn(part) !== null);
    const place = isAlone ? placeIn(plain) : null;
    const isGroup = /:$/.test(text) || (plain.length <= 70 && GROUP.test(plain));
    if (!isTitle && this.#continuesPlace(row, text)) return true;
    if (!isTitle && place === null && !isGroup) return false;
    if (words.CONTINUED.test(text) && (isTitle || place === this.#section)) return true;
    const isNamed = isTitle ? this.found.length > 0 : isGroup && words.hasSuffix(plain);
    this.#list++;
    this.#parent = !isNamed ? null : isTitle ? words.parentIn(text) : words.entryOf(plain, false).name;
    const inBracket = /\(([^()]+)\)$/.exec(plain)?.[1];
    this.#section =
      place ?? placeIn(inBracket ?? plain.replace(/ (?:subsidiaries|companies|corporations|entities)$/i, ''));
    this.#carried = null;
    this.#behindTitle ||= isTitle || place !== null;
    this.#isTitleOpen = isTitle && /\b(?:of|and)$/i.test(plain);
    return true;
  }

  /** `Emirates` below `United Arab`, or a second place below the first. */
  #continuesPlace({ block, typed, apart, cells }: PrintedRow, text: string): boolean {
    const above = this.found.at(-1);
    if (above === undefined || above.row.block !== block || (typed && apart)) return false;
    const bracket = placeIn(/^\((.+)\)$/.exec(text)?.[1] ?? '');
    const far = above.placeFrom === null ? Number.NaN : Math.abs(cells[0]!.from - above.placeFrom);
    const longer = `${above.jurisdiction} ${text}`;
    const both = isPlace(longer) || !isPlace(text) ? longer : `${above.jurisdiction}, ${text}`;
    const jurisdiction =
      bracket !== null && above.jurisdiction === null ? bracket : far <= (typed ? 4 : 0) ? both : null;
    if (jurisdiction !== null) this.found[this.found.length - 1] = { ...above, jurisdiction };
    return jurisdiction !== null;
  }

  #add(row: PrintedRow, { name, places, share, others }: Segment, lane: number): void {
    const stated = places.map(({ text }) => words.withoutMarks(text)).join(', ');
    const printed = DITTO.test(stated) ? (this.found.at(-1)?.jurisdiction ?? '') : stated;
    const placed = placeIn(printed) ?? (printed || null);
    const isBefore = placed !== null && (name === undefined ? row.cells.length > 1 : places[0]!.at < name.at);
    if (isBefore) this.#carried = placed;
    if (name === undefined || (placed === null && words.isTitle(words.withoutMarks(name.text)))) return;
    const entry = words.entryOf(name.text, placed !== null);
    const column = others.find(({ text }) => this.found.some((one) => one.name === text))?.text;
    const isRegistrant =
      this.#isRegistrant || /\((?:the )?["\u201c]?(?:registrant|parent)["\u201d]?\)/i.test(name.text);
    this.#isRegistrant = false;
    if (
      isRegistrant ||
      !/\p{L}.*[\p{L}\p{N}]/u.test(entry.name) ||
      (words.isHeader(entry.name) && (placed ?? entry.jurisdiction) === null)
    )
      return;
    this.found.push({
      name: entry.name,
      at: name.at,
      jurisdiction: placed ?? entry.jurisdiction ?? this.#carried,
      share: share?.text ?? entry.share,
      others: entry.others,
      parent: column ?? (FILER.test(this.#parent ?? '') ? null : this.#parent),
      indent: name.indent + (row.typed || lane > 0 ? 0 : name.from * 20),
      lane,
      row,
      placeFrom: places[0]?.from ?? null,
      section: this.#section,
      list: this.#list,
      behindTitle: this.#behindTitle,
    });
  }
}

/** Names and places that typewritten lines break. */
function joined(found: readonly Candidate[]): readonly Candidate[] {
  const placed = found.filter(({ jurisdiction }) => jurisdiction !== null).length;
  if (placed < found.length / 2) return found;
  const kept: Candidate[] = [];
  let begun: Candidate | null = null;
  for (const [k, given] of found.entries()) {
    const own: Candidate =
      begun === null ? given : { ...given, name: `${begun.name} ${given.name}`, at: begun.at, indent: begun.indent };
    begun = null;
    const above = kept.at(-1);
    const below = found[k + 1];
    const place = `${above?.jurisdiction} ${own.jurisdiction}`;
    const isBelow = own.row.typed && above !== undefined && !own.row.apart && above.placeFrom !== null;
    if (isBelow && own.jurisdiction !== null && !isPlace(own.jurisdiction) && isPlace(place))
      kept[kept.length - 1] = { ...above, name: `${above.name} ${own.name}`, jurisdiction: place };
    else if (own.row.typed && own.jurisdiction === null && own.section === null && own.lane === 0) {
      const [isFull, ends] = [above !== undefined && words.hasSuffix(above.name), words.hasSuffix(own.name)];
      const isBegun =
        below?.row.apart === false &&
        (below.jurisdiction === null ? !ends && below.indent > own.indent : below.indent >= own.indent);
      if (isBelow && own.indent > above.indent && (!isBegun || (!isFull && ends)) && (!isFull || !ends))
        kept[kept.length - 1] = { ...above, name: `${above.name} ${own.name}` };
      else if (isBegun && (below.indent > own.indent || !ends)) begun = own;
      else kept.push(own);
    } else kept.push(own);
  }
  return kept;
}

/** The candidates that are subsidiaries. Lines without a jurisdiction are, in a list of names, or by the form of their words. */
function chosen(found: readonly Candidate[]): readonly Candidate[] {
  const isPlaced = ({ jurisdiction, section, share }: Candidate) => (jurisdiction ?? section ?? share) !== null;
  const first = found.findIndex(isPlaced);
  const last = found.findLastIndex(isPlaced);
  const blocks = new Set(found.filter((one) => isPlaced(one) && one.row.cells.length > 1).map(({ row }) => row.block));
  if (first >= 0 && found.filter(isPlaced).length >= found.length * 0.3)
    return found.filter(
      (one, k) =>
        isPlaced(one) ||
        (k > first &&
          words.hasSuffix(one.name) &&
          (k < last || blocks.has(one.row.block) || (one.row.typed && !one.row.apart))),
    );
  const titled = found.filter(({ behindTitle }) => behindTitle);
  const names = titled.length > 0 ? titled : found;
  const suffixed = names.filter(({ name }) => words.hasSuffix(name));
  return suffixed.length < names.length * 0.3 ? suffixed : names;
}

/** With the place of each parent among the subsidiaries, by indent if no words state one. */
function withParents(found: readonly Candidate[]) {
  const keyOf = (name: string) => name.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '');
  const byName = new Map<string, number>();
  let open: { indent: number; at: number }[] = [];
  let list = '';
  return found.map(({ name, at, share, others, ...own }, k) => {
    if (list !== `${own.list} ${own.lane}`) open = [];
    list = `${own.list} ${own.lane}`;
    // Indents that differ by less are the same.
    const same = own.row.typed ? 1.5 : 3.5;
    open = open.filter(({ indent }) => indent <= own.indent - same);
    const above = open.at(-1)?.at ?? null;
    open.push({ indent: own.indent, at: k });
    const stated = own.parent === null ? null : words.withoutMarks(words.withoutListMark(own.parent));
    const parentAt = stated === null ? above : (byName.get(keyOf(stated)) ?? null);
    const jurisdiction = own.jurisdiction ?? own.section;
    if (!byName.has(keyOf(name))) byName.set(keyOf(name), k);
    return {
      name,
      at,
      jurisdiction,
      jurisdiction_code: jurisdiction === null ? null : (codeOf(jurisdiction) ?? null),
      share: share === null ? null : words.withoutMarks(share),
      share_percent: share === null ? null : words.percentOf(share, false),
      other_names: others,
      parent: stated ?? (above === null ? null : found[above]!.name),
      parentAt,
      level: open.length - 1,
    };
  });
}
