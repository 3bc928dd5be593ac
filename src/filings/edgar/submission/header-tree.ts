/** A header as a tree, the same for both dialects: groups (`FILER`, `BUSINESS-ADDRESS`) and fields with a value. */
import type { Line } from '../reading/lines.ts';
import { isKnownRole, isPartyData, isSection, plainName } from './header-names.ts';
import { headerText } from './header-text.ts';
import type { Warning } from './submission.ts';
import { SubmissionError } from './submission-error.ts';

export interface HeaderNode {
  /** As the file has it: `CENTRAL INDEX KEY` (.txt) or `CIK` (.nc, and tags inside .txt). */
  name: string;
  /** The name in one spelling: `CENTRAL-INDEX-KEY`. */
  key: string;
  value: string;
  /** Null for a field. */
  children: HeaderNode[] | null;
  /** Byte offset of the line. */
  offset: number;
}

/** A tree of the header's lines. Lines without a place become warnings. @throws SubmissionError if it is too deep */
export function headerTree(lines: Line[], warnings: Warning[]): HeaderNode[] {
  const written = lines.filter((line) => line.text.trim() !== '');
  return new TreeBuilder(written, warnings).build();
}

/** Real headers have groups four deep (series and classes). */
const DEPTH_MAX = 16;

const TAG = /^\s*<(\/?)([A-Za-z][\w.-]*)>(.*)$/s;

/** `KEY: value` or `KEY:`; null for any other line. */
function fieldOf(text: string): { name: string; value: string } | null {
  const colon = text.indexOf(':');
  const name = text.slice(0, Math.max(colon, 0)).trim();
  if (name === '' || name.includes('<') || /\S/.test(text[colon + 1] ?? ' ')) return null;
  return { name, value: text.slice(colon + 1).trim() };
}

class TreeBuilder {
  /** Lines with something on them. */
  readonly #lines: Line[];
  readonly #warnings: Warning[];
  readonly #closed = new Set<string>();
  readonly #root: HeaderNode[] = [];
  /** Open groups made by tags, outermost first. */
  readonly #groups: HeaderNode[] = [];
  /** Party and section opened by headings of the .txt dialect, which have no end tags. */
  #party: HeaderNode | null = null;
  #section: HeaderNode | null = null;
  /** Whether the section's heading is indented, so that a field at the margin can't belong to the party. */
  #isIndented = false;
  #last: HeaderNode | null = null;
  /** Whether the last value has a `[` without its `]`. */
  #isBracketOpen = false;

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
    for (const [i, line] of this.#lines.entries()) this.#read(this.#joinBrokenValue(line), this.#lines[i + 1]);
    this.#closeGroups(0);
    return this.#root;
  }

  /** In half-tagged headers of 2000 a line ends before the `]` of a SIC, and the next field follows on the same line. */
  #joinBrokenValue(line: Line): Line {
    if (!line.text.startsWith(']') || !this.#isBracketOpen) return line;
    this.#last!.value += ']';
    this.#isBracketOpen = false;
    return { text: line.text.slice(1), offset: line.offset + 1 };
  }

  #read(line: Line, next: Line | undefined): void {
    const tag = TAG.exec(line.text);
    if (tag) {
      const [, slash, name, value] = tag as unknown as [string, string, string, string];
      if (slash) this.#close(name, line.offset);
      else if (this.#closed.has(name)) this.#open(name, line.offset);
      else this.#addField(name, value, line.offset);
      return;
    }
    const field = fieldOf(line.text);
    if (field) this.#readField(field, line, next);
    else if (line.text.trim() !== '') this.#readContinuation(line);
  }

  #readField({ name, value }: { name: string; value: string }, line: Line, next: Line | undefined): void {
    const key = plainName(name);
    if (value === '' && isSection(key)) this.#openSection(name, line);
    else if (value === '' && opensParty(key, next)) this.#openParty(name, line.offset);
    else {
      // `PUBLIC REFERENCE ACCESSION NUMBER` follows the last party, at the margin, and belongs to the submission.
      if (this.#party && this.#isIndented && !/^\s/.test(line.text)) this.#endParty();
      this.#addField(name, value, line.offset);
    }
  }

  #openParty(name: string, offset: number): void {
    this.#closeGroups(0);
    this.#party = group(name, offset);
    this.#section = null;
    this.#root.push(this.#party);
  }

  #openSection(name: string, { text, offset }: Line): void {
    if (this.#party === null && this.#groups.length === 0) {
      this.#warn(`'${name}' of the header belongs to no party`, offset);
      this.#openParty('UNKNOWN', offset);
    }
    this.#section = group(name, offset);
    this.#isIndented = /^\s/.test(text);
    (this.#party ?? this.#groups.at(-1)!).children!.push(this.#section);
  }

  #open(name: string, offset: number): void {
    const same = this.#groups.findIndex((open) => open.name === name);
    if (same >= 0) this.#closeGroups(same);
    if (this.#groups.length === DEPTH_MAX) {
      throw new SubmissionError('submission-broken', `groups of the header are more than ${DEPTH_MAX} deep`, offset);
    }
    const opened = group(name, offset);
    this.#endParty();
    (this.#groups.at(-1)?.children ?? this.#root).push(opened);
    this.#groups.push(opened);
  }

  #close(name: string, offset: number): void {
    const at = this.#groups.findLastIndex((open) => open.name === name);
    const key = plainName(name);
    if (at >= 0) {
      this.#closeGroups(at + 1);
      this.#groups.pop();
      this.#endParty();
    } else if (this.#party?.key === key) this.#endParty();
    else if (this.#section?.key === key) this.#section = null;
    else this.#warn(`</${name}> of the header closes nothing`, offset);
  }

  #endParty(): void {
    this.#party = null;
    this.#section = null;
  }

  /** Ends the groups from this depth on, which lack their closing tags. */
  #closeGroups(depth: number): void {
    for (const { name, offset } of this.#groups.splice(depth))
      this.#warn(`<${name}> of the header is not closed`, offset);
  }

  #addField(name: string, value: string, offset: number): void {
    this.#last = { name, key: plainName(name), value: headerText(value), children: null, offset };
    this.#isBracketOpen = value.lastIndexOf('[') > value.lastIndexOf(']');
    const container = this.#section ?? this.#party ?? this.#groups.at(-1);
    (container?.children ?? this.#root).push(this.#last);
  }

  /** A line without key or tag continues the value before it. */
  #readContinuation(line: Line): void {
    const text = headerText(line.text);
    this.#warn(`a line of the header is neither key nor tag: '${text.slice(0, 40)}'`, line.offset);
    if (this.#last) this.#last.value += ` ${text}`;
    else this.#addField('', text, line.offset);
  }

  #warn(message: string, offset: number): void {
    this.#warnings.push({ message, offset });
  }
}

function group(name: string, offset: number): HeaderNode {
  return { name, key: plainName(name), value: '', children: [], offset };
}

/** A heading without value opens a party when a party's data follow; else it is a flag (`CONFIRMING COPY:`) or an empty field. */
function opensParty(key: string, next: Line | undefined): boolean {
  const following = next && fieldOf(next.text);
  if (following?.value !== '') return false;
  const section = plainName(following.name);
  return isPartyData(section) || (isSection(section) && isKnownRole(key));
}
