/** A header as a tree, the same for both dialects: groups (`FILER`, `BUSINESS-ADDRESS`) and fields with a value. */
import { headerText } from './headerText.ts';
import type { Line } from './lines.ts';
import type { Warning } from './submission.ts';

export interface HeaderNode {
  /** The key as the file has it: `CENTRAL INDEX KEY` (.txt) or `CIK` (.nc, and tags inside .txt). */
  name: string;
  value: string;
  /** Null for a field. */
  children: HeaderNode[] | null;
  /** Byte offset of the line. */
  offset: number;
}

/** What stands below a party's heading. `FORMER NAME` is a person's, `FORMER COMPANY` a company's. */
const SECTIONS = new Set(['FILING-VALUES', 'BUSINESS-ADDRESS', 'MAIL-ADDRESS', 'FORMER-COMPANY', 'FORMER-NAME']);

const ROLES = new Set([
  'FILER',
  'SUBJECT-COMPANY',
  'FILED-BY',
  'FILED-FOR',
  'ISSUER',
  'REPORTING-OWNER',
  'SERIAL-COMPANY',
  'DEPOSITOR',
  'SECURITIZER',
  'ISSUING-ENTITY',
]);

/** The group of series and classes: named like a party's data, yet no part of a party. */
export const SERIES_GROUP = 'SERIES-AND-CLASSES-CONTRACTS-DATA';

/** One spelling for both dialects: `SUBJECT COMPANY`, `ISSUING_ENTITY` become `SUBJECT-COMPANY`, `ISSUING-ENTITY`. */
export function plainName(name: string): string {
  return name
    .trim()
    .toUpperCase()
    .replace(/[\s_]+/g, '-');
}

/** `COMPANY DATA`, `OWNER DATA`, `FILING VALUES`, an address, a former name. */
export function isSection(plain: string): boolean {
  return SECTIONS.has(plain) || (plain.endsWith('-DATA') && plain !== SERIES_GROUP);
}

export function isKnownRole(plain: string): boolean {
  return ROLES.has(plain);
}

const TAG = /^\s*<(\/?)([A-Za-z][\w.-]*)>(.*)$/s;
const FIELD = /^\s*([^:<]+?)\s*:(?=\s|$)(.*)$/s;

/** Builds the tree of the header's lines; what can't be placed becomes a warning, nothing is dropped. */
export function headerTree(lines: Line[], warnings: Warning[]): HeaderNode[] {
  return new TreeBuilder(lines, warnings).build();
}

class TreeBuilder {
  readonly #lines: Line[];
  readonly #warnings: Warning[];
  readonly #closed = new Set<string>();
  readonly #root: HeaderNode = { name: '', value: '', children: [], offset: 0 };
  /** Open groups made by tags, outermost first. */
  readonly #groups: HeaderNode[] = [];
  /** Party and section opened by headings of the .txt dialect; they have no end of their own. */
  #party: HeaderNode | null = null;
  #section: HeaderNode | null = null;
  #last: HeaderNode | null = null;

  constructor(lines: Line[], warnings: Warning[]) {
    this.#lines = lines;
    this.#warnings = warnings;
    // A tag opens a group if its closing tag occurs anywhere: `<ORGANIZATION-NAME>` without value is a field, `<SERIES>` a group.
    for (const { text } of lines) {
      const tag = TAG.exec(text);
      if (tag?.[1]) this.#closed.add(tag[2]!);
    }
  }

  build(): HeaderNode[] {
    const queue = this.#lines.filter((line) => line.text.trim() !== '');
    for (let i = 0; i < queue.length; i++) {
      const line = queue[i]!;
      const rest = this.#joinBrokenValue(line);
      if (rest !== null) queue[i--] = rest;
      else this.#line(line, queue[i + 1]);
    }
    for (const group of this.#groups) this.#warn(`<${group.name}> of the header is not closed`, group.offset);
    return this.#root.children!;
  }

  /** In half-tagged headers of 2000 a SIC is broken before its `]`, and the next field stands behind it on the same line. */
  #joinBrokenValue(line: Line): Line | null {
    if (!line.text.startsWith(']') || !this.#last?.value.includes('[')) return null;
    this.#last.value += ']';
    return { text: line.text.slice(1), offset: line.offset + 1 };
  }

  #line(line: Line, next: Line | undefined): void {
    const tag = TAG.exec(line.text);
    if (tag) {
      if (tag[1]) this.#close(tag[2]!, line.offset);
      else if (this.#closed.has(tag[2]!)) this.#open(tag[2]!, line.offset);
      else this.#field(tag[2]!, tag[3]!, line.offset);
      return;
    }
    const field = FIELD.exec(line.text);
    if (field) this.#fieldOrHeading(field[1]!, field[2]!, line.offset, next);
    else if (line.text.trim() !== '') this.#continuation(line);
  }

  #fieldOrHeading(name: string, value: string, offset: number, next: Line | undefined): void {
    const plain = plainName(name);
    if (value.trim() !== '') this.#field(name, value, offset);
    else if (isSection(plain)) this.#openSection(name, offset);
    else if (opensParty(plain, next)) this.#openParty(name, offset);
    else this.#field(name, '', offset);
  }

  #openParty(name: string, offset: number): void {
    this.#closeGroups(0);
    this.#party = { name, value: '', children: [], offset };
    this.#section = null;
    this.#root.children!.push(this.#party);
  }

  #openSection(name: string, offset: number): void {
    if (this.#party === null && this.#groups.length === 0) {
      this.#warn(`'${name}' of the header belongs to no party`, offset);
      this.#openParty('UNKNOWN', offset);
    }
    this.#section = { name, value: '', children: [], offset };
    (this.#party ?? this.#groups.at(-1)!).children!.push(this.#section);
  }

  #open(name: string, offset: number): void {
    const same = this.#groups.findIndex((group) => group.name === name);
    if (same >= 0) this.#closeGroups(same);
    const group: HeaderNode = { name, value: '', children: [], offset };
    [this.#party, this.#section] = [null, null];
    (this.#groups.at(-1) ?? this.#root).children!.push(group);
    this.#groups.push(group);
  }

  #close(name: string, offset: number): void {
    const at = this.#groups.findLastIndex((group) => group.name === name);
    const plain = plainName(name);
    if (at >= 0) {
      this.#closeGroups(at + 1);
      this.#groups.pop();
      [this.#party, this.#section] = [null, null];
    } else if (this.#party && plainName(this.#party.name) === plain) [this.#party, this.#section] = [null, null];
    else if (this.#section && plainName(this.#section.name) === plain) this.#section = null;
    else this.#warn(`</${name}> of the header closes nothing`, offset);
  }

  /** Ends the groups from this depth on, which lack their closing tags. */
  #closeGroups(depth: number): void {
    for (const group of this.#groups.splice(depth)) {
      this.#warn(`<${group.name}> of the header is not closed`, group.offset);
    }
  }

  #field(name: string, value: string, offset: number): void {
    this.#last = { name, value: headerText(value), children: null, offset };
    (this.#section ?? this.#party ?? this.#groups.at(-1) ?? this.#root).children!.push(this.#last);
  }

  #continuation(line: Line): void {
    this.#warn(`a line of the header is neither key nor tag: '${headerText(line.text).slice(0, 40)}'`, line.offset);
    if (this.#last) this.#last.value = `${this.#last.value} ${headerText(line.text)}`.trim();
    else this.#field('', line.text, line.offset);
  }

  #warn(message: string, offset: number): void {
    this.#warnings.push({ message, offset });
  }
}

/** A heading without value opens a party when a party's data follow; else it is a flag (`CONFIRMING COPY:`) or an empty field. */
function opensParty(plain: string, next: Line | undefined): boolean {
  const following = next && FIELD.exec(next.text);
  if (!following || following[2]!.trim() !== '') return false;
  const section = plainName(following[1]!);
  return isSection(section) && (section.endsWith('-DATA') || isKnownRole(plain));
}
