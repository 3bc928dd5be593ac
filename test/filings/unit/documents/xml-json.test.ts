import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect } from 'vitest';
import {
  decodeText,
  MAX_XML_DEPTH,
  type OrderedElement,
  XmlError,
  xmlToJson,
} from '../../../../src/filings/documents/index.ts';
import { sharedFolder } from '../../../support/shared.ts';
import { quickIt as it, quickDescribe, slowIt } from '../../../support/tier-cases.ts';

const simple = (xml: string) => JSON.parse(JSON.stringify(xmlToJson(xml, 'simple'))) as unknown;
const ordered = (xml: string) => JSON.parse(JSON.stringify(xmlToJson(xml, 'ordered'))) as unknown;

quickDescribe('xmlToJson, simple', () => {
  it('makes text of an element with neither attributes nor children', () => {
    expect(simple('<a><b>007</b><c/><d> x </d></a>')).toEqual({ a: { b: '007', c: '', d: ' x ' } });
  });

  it('names attributes, namespace declarations and text', () => {
    expect(simple('<n:a xmlns:n="urn:n" id="1"><b unit="USD">12</b></n:a>')).toEqual({
      'n:a': { '@xmlns:n': 'urn:n', '@id': '1', b: { '@unit': 'USD', '#text': '12' } },
    });
  });

  it('gathers repeated children in arrays, in order of first appearance', () => {
    const value = simple('<a><x>1</x><y>2</y><x>3</x><x><z>4</z></x></a>');
    expect(value).toEqual({ a: { x: ['1', '3', { z: '4' }], y: '2' } });
    expect(Object.keys((value as { a: object }).a)).toEqual(['x', 'y']);
  });

  it('keeps text between children in pieces and drops white space there', () => {
    expect(simple('<a>one <b/> two </a>')).toEqual({ a: { '#text': ['one ', ' two '], b: '' } });
    expect(simple('<a>one<b/></a>')).toEqual({ a: { '#text': 'one', b: '' } });
    expect(simple('<a>\n  <b>1</b>\n</a>')).toEqual({ a: { b: '1' } });
  });

  it('joins a text around a comment or an instruction beside child elements too', () => {
    expect(xmlToJson('<a>b<!-- c -->d<e/>f<?g h?>i</a>', 'simple')).toEqual({ a: { '#text': ['bd', 'fi'], e: '' } });
    expect(xmlToJson('<a x="1"><b/> t<!-- c -->u </a>', 'simple')).toEqual({
      a: { '@x': '1', '#text': ' tu ', b: '' },
    });
  });

  it('joins a text that a comment or CDATA cuts in two', () => {
    expect(simple('<a>one<!-- c -->two<![CDATA[<3>]]></a>')).toEqual({ a: 'onetwo<3>' });
  });

  it('is not led astray by names of the language', () => {
    expect(simple('<a><constructor>1</constructor><__proto__ x="2"/></a>')).toEqual(
      JSON.parse('{"a": {"constructor": "1", "__proto__": {"@x": "2"}}}'),
    );
  });
});

quickDescribe('xmlToJson, ordered', () => {
  it('keeps everything in place', () => {
    expect(ordered('<?xml version="1.0"?><a b="1"> t<!--c--><?p q?><d/></a>')).toEqual({
      name: 'a',
      attributes: { b: '1' },
      children: [' t', { comment: 'c' }, { instruction: 'p q' }, { name: 'd', attributes: {}, children: [] }],
    });
  });

  it('gives back the text that was written', () => {
    const tree = fc.letrec<{ node: Node }>((tie) => ({
      node: fc.record({
        name: fc.constantFrom('a', 'b', 'ns:c', 'd-1'),
        attributes: fc.dictionary(fc.constantFrom('x', 'y'), fc.string({ unit: 'grapheme-ascii' })),
        children: fc.array(
          fc.oneof({ maxDepth: 4 }, fc.string({ unit: 'grapheme-ascii', minLength: 1 }), tie('node')),
          {
            maxLength: 4,
          },
        ),
      }),
    })).node;
    fc.assert(
      fc.property(tree, (node) => {
        expect(ordered(write(node))).toEqual(joined(node));
      }),
    );
  });
});

interface Node {
  name: string;
  attributes: Record<string, string>;
  children: (string | Node)[];
}

function escaped(text: string): string {
  return text.replace(/[&<>"]/g, (c) => `&#${c.charCodeAt(0)};`);
}

function write(node: Node): string {
  const attributes = Object.entries(node.attributes).map(([k, v]) => ` ${k}="${escaped(v)}"`);
  const children = node.children.map((child) => (typeof child === 'string' ? escaped(child) : write(child)));
  return `<${node.name}${attributes.join('')}>${children.join('')}</${node.name}>`;
}

/** Neighbouring texts can't be distinguished in XML. */
function joined(node: Node): unknown {
  const children: unknown[] = [];
  for (const child of node.children) {
    if (typeof child === 'string' && typeof children.at(-1) === 'string') children[children.length - 1] += child;
    else children.push(typeof child === 'string' ? child : joined(child));
  }
  return { name: node.name, attributes: { ...node.attributes }, children };
}

describe('xmlToJson, refusals', () => {
  const refusal = (xml: string): XmlError => {
    try {
      xmlToJson(xml, 'simple');
    } catch (error) {
      if (error instanceof XmlError) return error;
      throw error;
    }
    throw new Error('nothing was refused');
  };

  it('states line and column of a fault', () => {
    const error = refusal('<a>\n  <b></c>\n</a>');
    expect(error.code).toBe('xml-malformed');
    expect(error.line).toBe(2);
    expect(error.column).toBeGreaterThan(5);
    expect(refusal('').code).toBe('xml-malformed');
    expect(refusal('<a>&nbsp;</a>').code).toBe('xml-malformed');
    expect(refusal('<a>').code).toBe('xml-malformed');
    expect(refusal('<a/><b/>').code).toBe('xml-malformed');
  });

  it('counts the lines before an XML declaration that does not come first', () => {
    expect(simple('\n\n<?xml version="1.0"?><a/>')).toEqual({ a: '' });
    expect(refusal('\n\n<?xml version="1.0"?><a>\n</b>').line).toBe(4);
  });

  it('reads no entity declared in the document', () => {
    const bomb = '<!DOCTYPE a [<!ENTITY x "y"><!ENTITY z "&x;&x;">]><a>&z;</a>';
    expect(refusal(bomb).code).toBe('xml-entities-declared');
    expect(refusal('<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><a>&x;</a>').code).toBe(
      'xml-entities-declared',
    );
    expect(simple('<!DOCTYPE a><a>1</a>')).toEqual({ a: '1' });
  });

  it('stops at a depth of 256', () => {
    const nested = (depth: number) => '<a>'.repeat(depth) + '</a>'.repeat(depth);
    expect(() => xmlToJson(nested(MAX_XML_DEPTH), 'simple')).not.toThrow();
    expect(refusal(nested(MAX_XML_DEPTH + 1)).code).toBe('xml-too-deep');
  });

  slowIt('stops before the JSON passes 64 MiB', () => {
    const text = `<a>${`<b>${'x'.repeat(1 << 20)}</b>`.repeat(65)}</a>`;
    expect(refusal(text).code).toBe('xml-too-large');
  });
});

quickDescribe.skipIf(!sharedFolder)('xmlToJson of real XML', () => {
  const folder = join(sharedFolder ?? '', 'edgar/xml');
  const files = sharedFolder
    ? readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => /\.(?:xml|xsd)(?:\.gz)?$/.test(name))
    : [];

  it.each(files)('reads %s and keeps all its text', (name) => {
    const bytes = readFileSync(join(folder, name));
    const { text } = decodeText(name.endsWith('.gz') ? gunzipSync(bytes) : bytes);
    const tree = xmlToJson(text, 'ordered') as OrderedElement;
    let texts = 0;
    const walk = (element: OrderedElement): void => {
      for (const child of element.children) {
        if (typeof child === 'string') texts += child.length;
        else if ('name' in child) walk(child);
      }
    };
    walk(tree);
    const between = text
      .replace(/<!--[\s\S]*?-->|<\?[\s\S]*?\?>|<[^>]*>/g, '')
      .replace(/&[^;]*;/g, '?')
      .trim();
    expect(texts).toBeGreaterThan(between.length * 0.9);
    expect(Object.keys(xmlToJson(text, 'simple') as object)).toEqual([tree.name]);
  });
});
