/** The prose in a source file: its comments, its messages, and the titles of its tests. */

/** A comment, or a text in quotes. */
export interface Prose {
  kind: 'comment' | 'message' | 'title';
  /** Line of its first character, from 1 */
  line: number;
  text: string;
}

/** A text with fewer words is a value, not a message. */
const MESSAGE_WORDS_MIN = 3;
/** After one of these, a slash starts a regular expression. */
const BEFORE_REGEX = /(?:^|[=(,:[!&|?{};+\-*%~^<>]|=>|\b(?:return|typeof|case|in|of|throw|await|yield|void|new))\s*$/;
/** Code before the title of a test: `it(`, `describe.each(…)(`. */
const BEFORE_TITLE = /(?:\b(?:describe|it|test)(?:\.\w+)*|\))\(\s*$/;
/** Directives, and the marks of SQL, HTML, shell scripts and other code in texts. */
const DIRECTIVE = /^(?:biome-ignore|@ts-|#__PURE__|<reference)/;
const CODE =
  /\b(?:SELECT|COPY|INSERT|CREATE|EXISTS|DELETE|PRAGMA|VARCHAR|FILTER|JOIN)\b|<\/?[a-z]+[ >/]|\|\||=>|[;{]\n|\w\(\w|^\s*[{[]|[{}] /;

/** The comments and texts of a TypeScript source, in order. Joins lines of `//` that follow each other. */
export function proseOf(source: string): Prose[] {
  const found: Prose[] = [];
  let place = 0;
  let code = '';
  /** Depth of braces at which each open template continues. */
  const templates: number[] = [];
  let depth = 0;
  let afterLineComment = false;

  const comment = (text: string, start: number, isLine: boolean) => {
    const last = found.at(-1);
    if (isLine && afterLineComment && last) last.text += `\n${text}`;
    else if (!DIRECTIVE.test(text.trim())) found.push({ kind: 'comment', line: lineAt(source, start), text });
  };
  const quoted = (text: string, start: number) => {
    const plain = text.replace(/\\n/g, '\n').replace(/\\(.)/gs, '$1');
    if (BEFORE_TITLE.test(code) && /^['"`]$/.test(source[start]!) && isTest(code))
      found.push({ kind: 'title', line: lineAt(source, start), text: plain });
    else if (wordsOf(plain).length >= MESSAGE_WORDS_MIN && / /.test(plain) && !CODE.test(plain))
      found.push({ kind: 'message', line: lineAt(source, start), text: plain });
    code = `${code.slice(-200)}''`;
  };
  const template = (from: number) => {
    let text = '';
    let at = from;
    while (at < source.length && source[at] !== '`' && !source.startsWith('${', at)) {
      if (source[at] === '\\') text += source[at++];
      text += source[at++];
    }
    quoted(text, from - 1);
    if (source[at] === '`') place = at + 1;
    else {
      templates.push(depth++);
      place = at + 2;
      code += '{';
    }
  };

  while (place < source.length) {
    const [char, next] = [source[place]!, source[place + 1]];
    if (char === '/' && next === '/') {
      const end = endOf(source, '\n', place);
      comment(source.slice(place + 2, end).trim(), place, true);
      afterLineComment = true;
      place = end;
    } else if (char === '/' && next === '*') {
      const end = endOf(source, '*/', place);
      comment(
        source
          .slice(place + 2, end)
          .replace(/^\*+|^\s*\* ?/gm, '')
          .trim(),
        place,
        false,
      );
      afterLineComment = false;
      place = end + 2;
    } else if (char === "'" || char === '"') {
      let end = place + 1;
      while (source[end] !== char && source[end] !== '\n') end += source[end] === '\\' ? 2 : 1;
      quoted(source.slice(place + 1, end), place);
      place = end + 1;
    } else if (char === '`') template(place + 1);
    else if (char === '}' && templates.at(-1) === depth - 1) {
      depth = templates.pop()!;
      template(place + 1);
    } else if (char === '/' && BEFORE_REGEX.test(code)) {
      place = endOfRegex(source, place);
      code += '/';
    } else {
      if (char === '{') depth++;
      if (char === '}') depth--;
      if (!/\s/.test(char)) afterLineComment = false;
      code = `${code.slice(-200)}${char}`;
      place++;
    }
  }
  return found;
}

/** The sentences of a text. Inline code is one word. A line that starts with `@`, a list's mark or an aligned column starts a sentence. */
export function sentencesOf(text: string): string[] {
  return text
    .replace(/`[^`\n]*`/g, 'Code')
    .replace(/\$\{[^}]*\}/g, 'Code')
    .split(/\n\s*\n|\n(?=\s*(?:@|[-*·] |\d+\. |[\w*]+ {2,}))/)
    .flatMap((part) => part.replace(/\s+/g, ' ').split(/(?<=[.!?])\s+/))
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence !== '');
}

/** Words of a text: what has a letter or a digit. */
export function wordsOf(text: string): string[] {
  return text.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word));
}

function isTest(code: string): boolean {
  return /\b(?:describe|it|test)\b/.test(code);
}

function lineAt(source: string, place: number): number {
  return source.slice(0, place).split('\n').length;
}

function endOf(source: string, mark: string, from: number): number {
  const end = source.indexOf(mark, from);
  return end === -1 ? source.length : end;
}

function endOfRegex(source: string, start: number): number {
  let inClass = false;
  for (let at = start + 1; at < source.length; at++) {
    if (source[at] === '\\') at++;
    else if (source[at] === '[') inClass = true;
    else if (source[at] === ']') inClass = false;
    else if (source[at] === '/' && !inClass) return at + 1;
    else if (source[at] === '\n') return start + 1;
  }
  return start + 1;
}
