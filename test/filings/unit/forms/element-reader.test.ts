import fc from 'fast-check';
import { SaxesParser } from 'saxes';
import { describe, expect, it } from 'vitest';
import { type Element, textOf } from '../../../../src/filings/forms/xml/element.ts';
import { ElementReader } from '../../../../src/filings/forms/xml/element-reader.ts';
import { TextPieces } from '../../../../src/filings/forms/xml/text-pieces.ts';
import { XmlFault } from '../../../../src/filings/forms/xml/xml-fault.ts';
import { runs } from '../../../support/property-runs.ts';

function root(text: string): Element {
  const reader = new ElementReader(text, () => false);
  expect(reader.next()).toBeNull();
  return reader.root!;
}

function verdict(text: string): boolean {
  try {
    for (const reader = new ElementReader(text, () => false); reader.next() !== null; );
    return true;
  } catch {
    return false;
  }
}

/** The result of saxes for the same text; it is strict too. */
function saxesVerdict(text: string): boolean {
  const parser = new SaxesParser({ xmlns: false });
  let fine = true;
  parser.on('error', () => {
    fine = false;
  });
  parser.write(text.replace(/^[\s\uFEFF]+/, '')).close();
  return fine;
}

function shape(element: Element): unknown {
  return [element.name, [...element.attributes], textOf(element), element.children.map(shape)];
}

/** The same by saxes. */
function saxesShape(text: string): unknown {
  interface Open {
    name: string;
    attributes: string[];
    text: string;
    children: Open[];
  }
  const top: Open = { name: '', attributes: [], text: '', children: [] };
  const stack = [top];
  const parser = new SaxesParser({ xmlns: false });
  const local = (name: string) => name.slice(name.indexOf(':') + 1);
  parser.on('opentag', (tag) => {
    const attributes = Object.entries(tag.attributes as Record<string, string>).flatMap(([name, value]) => [
      local(name),
      value,
    ]);
    const open = { name: local(tag.name), attributes, text: '', children: [] };
    stack.at(-1)!.children.push(open);
    stack.push(open);
  });
  parser.on('closetag', () => stack.pop());
  const add = (piece: string) => {
    stack.at(-1)!.text += piece;
  };
  parser.on('text', add);
  parser.on('cdata', add);
  parser.write(text).close();
  const plain = (open: Open): unknown => [
    open.name,
    open.attributes,
    open.text.trim().replace(/\r\n?/g, '\n') || null,
    open.children.map(plain),
  ];
  return plain(top.children[0]!);
}

describe('the reader of elements', () => {
  it('takes local names, leaves out namespace declarations, resolves references and CDATA', () => {
    const found = root('<n:a xmlns:n="u" xsi:nil="1" n:id="1 &amp; 2"> x &lt;&#65;<![CDATA[<&]]><!-- y --> z </n:a>');
    expect(shape(found)).toEqual(['a', ['id', '1 & 2'], 'x <A<& z', []]);
  });

  it('skips white space and a byte order mark before the declaration', () => {
    expect(root('\uFEFF \n<?xml version="1.0"?><a/>').name).toBe('a');
  });

  it('hands records over in order, with their place, and keeps the rest', () => {
    const reader = new ElementReader('<a><h>1</h><r>1</r><r><r>2</r></r><t/></a>', ({ name }) => name === 'r');
    const records = [];
    for (let record = reader.next(); record !== null; record = reader.next())
      records.push([record.path, shape(record)]);
    expect(records).toEqual([
      ['a/r', ['r', [], '1', []]],
      ['a/r[2]', ['r', [], null, [['r', [], '2', []]]]],
    ]);
    expect(shape(reader.root!)).toEqual([
      'a',
      [],
      null,
      [
        ['h', [], '1', []],
        ['t', [], null, []],
      ],
    ]);
  });

  it.each([
    '',
    'text',
    '<a>',
    '<a></b>',
    '<a><b></a></b>',
    '</a>',
    '<a/><b/>',
    '<a/>x',
    '<a b=1/>',
    '<a b="1" b="2"/>',
    '<a b="<"/>',
    '<a>&nbsp;</a>',
    '<a>&#0;</a>',
    '<a>&</a>',
    '<a>]]></a>',
    '<a><!-- -- --></a>',
    '<a><![CDATA[</a>',
    '<1a/>',
    '<a b/>',
    '<a',
    '<a b="',
    '<a ',
    '< a/>',
    '<a/ >',
    '<a>\u0001</a>',
    '<a b="1"c="2"/>',
    '<a><?xml version="1.0"?></a>',
    '<!DOCTYPE a [<!ENTITY x "y">]><a>&x;</a>',
    '<a>\uD800</a>',
    '<a></a',
    '<a></a x>',
    '<a:b></b>',
    '<a><?x </a>',
  ])('refuses %j', (text) => {
    expect(verdict(text)).toBe(false);
  });

  it('refuses depth over 256', () => {
    expect(verdict('<a>'.repeat(256) + '</a>'.repeat(256))).toBe(true);
    expect(verdict('<a>'.repeat(257) + '</a>'.repeat(257))).toBe(false);
  });

  it('names the line of a fault', () => {
    const reader = new ElementReader('<a>\n<b>\n</c></a>', () => false);
    expect(() => reader.next()).toThrow(/line 3/);
  });

  const piece = fc.constantFrom(
    '<a>',
    '</a>',
    '<b x="1">',
    '</b>',
    '<c/>',
    'text',
    ' ',
    '\n',
    '&amp;',
    '&#65;',
    '&',
    '<',
    '>',
    '"',
    "'",
    ']]>',
    '<![CDATA[',
    '<!--',
    '-->',
    '<?p q?>',
    '<?xml version="1.0"?>',
    "<n:d y='2'>",
    '</n:d>',
    '=',
    '/',
    '\u00e9',
    '\t',
    '\r\n',
  );

  it('agrees with saxes about any mixture of pieces', () => {
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
        const text = `<r>${pieces.join('')}</r>`;
        const fine = saxesVerdict(text);
        expect(verdict(text)).toBe(fine);
        if (fine) expect(shape(root(text))).toEqual(saxesShape(text));
      }),
      { numRuns: runs(3000) },
    );
  });

  /** Records with their paths, the root, and the fault if there is one. */
  function result(source: string | TextPieces): unknown {
    const reader = new ElementReader(source, ({ name }) => name === 'b');
    const records: unknown[] = [];
    try {
      for (let record = reader.next(); record !== null; record = reader.next())
        records.push([record.path, shape(record)]);
      return { records, root: shape(reader.root!) };
    } catch (error) {
      if (!(error instanceof XmlFault)) throw error;
      return { fault: true };
    }
  }

  it('reads the same from pieces of any size, wherever they are cut', () => {
    fc.assert(
      fc.property(
        fc.array(piece, { maxLength: 14 }),
        fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1 }),
        fc.nat(12),
        (parts, sizes, ahead) => {
          const text = `\uFEFF <?xml version="1.0"?>\r\n<r>${parts.join('')}<long-name a = 'x'\r >\u{1F600}</long-name ></r>\n`;
          const cut: string[] = [];
          for (let at = 0, k = 0; at < text.length; k++) {
            const size = sizes[k % sizes.length]!;
            cut.push(text.slice(at, at + size));
            at += size;
          }
          expect(result(new TextPieces(cut, ahead))).toEqual(result(text));
        },
      ),
      { numRuns: runs(3000) },
    );
  });

  it('names the line of a fault in pieces, and refuses what ends too soon', () => {
    const lines = Array.from({ length: 50 }, (_, k) => `<b>${k}</b>\n`);
    const fault = (pieces: string[]) => {
      const reader = new ElementReader(new TextPieces(pieces, 10), ({ name }) => name === 'b');
      while (reader.next() !== null);
    };
    expect(() => fault(['<a>', ...lines, '</c>'])).toThrow(/line 51/);
    expect(() => fault(['<a>', ...lines, '\x01</a>'])).toThrow(/forbids \(line 51\)/);
    expect(() => fault(['<a>', ...lines])).toThrow(/ends within <a>/);
    expect(() => fault([])).toThrow(/no element/);
  });
});
