/** XML to JSON in two styles. Strict: nothing external is read, no entity is declared, depth and size are bounded. */
import { SaxesParser } from 'saxes';
import { FilinglakeError } from '../../../core/index.ts';

export const MAX_XML_DEPTH = 256;
const MAX_JSON_BYTES = 64 * 1024 * 1024;

type XmlErrorCode = 'xml-malformed' | 'xml-entities-declared' | 'xml-too-deep' | 'xml-too-large';

/** XML that can't be converted: position and reason. `line` counts from 1, `column` from 0, in UTF-16 units. */
export class XmlError extends FilinglakeError {
  override name = 'XmlError';
  readonly line: number;
  readonly column: number;

  constructor(code: XmlErrorCode, message: string, line: number, column: number) {
    super(code, `${message} (line ${line}, column ${column})`, {
      remedy: 'Request the document with output_format=raw.',
    });
    this.line = line;
    this.column = column;
  }
}

interface Comment {
  comment: string;
}
interface Instruction {
  instruction: string;
}
export interface OrderedElement {
  name: string;
  attributes: Record<string, string>;
  children: (string | OrderedElement | Comment | Instruction)[];
}

type SimpleValue = string | SimpleObject;
interface SimpleObject {
  [name: string]: SimpleValue | SimpleValue[];
}

/**
 * Converts an XML document. `simple`: an element with neither attributes nor child elements becomes its text. Any other becomes
 * an object with `@name` attributes, `#text` and its children, repeated ones as arrays. `ordered`: `{name, attributes, children}`
 * with text, comments and instructions in place.
 * @throws XmlError malformed XML, a doctype that declares entities, depth over 256, more than 64 MiB of JSON
 */
export function xmlToJson(xml: string, style: 'simple' | 'ordered'): unknown {
  const root = readOrdered(xml);
  return style === 'ordered' ? root : { [root.name]: simplify(root) };
}

function readOrdered(xml: string): OrderedElement {
  const text = xml.replace(/^[\uFEFF\s]+/, '');
  const skipped = xml.slice(0, xml.length - text.length);
  const linesSkipped = skipped.split(/\r\n|\r|\n/).length - 1;
  const parser = new SaxesParser({ xmlns: false, position: true });
  const fail = (code: XmlErrorCode, message: string): never => {
    throw new XmlError(code, message, parser.line + linesSkipped, parser.column);
  };
  const stack: OrderedElement[] = [];
  let root: OrderedElement | null = null;
  let jsonBytes = 0;
  const grow = (more: number) => {
    jsonBytes += more;
    if (jsonBytes > MAX_JSON_BYTES) fail('xml-too-large', 'the JSON would pass 64 MiB');
  };
  const addText = (piece: string) => {
    const children = stack.at(-1)?.children;
    if (!children || piece === '') return;
    grow(jsonLength(piece));
    const last = children.length - 1;
    if (typeof children[last] === 'string') children[last] += piece;
    else children.push(piece);
  };
  parser.on('error', (error) => {
    fail('xml-malformed', `not well-formed XML: ${error.message.replace(/^\d+:\d+: /, '')}`);
  });
  parser.on('doctype', (doctype) => {
    if (/<!ENTITY/i.test(doctype))
      fail('xml-entities-declared', 'the document type declares entities, which are not read');
  });
  parser.on('opentag', (tag) => {
    if (stack.length >= MAX_XML_DEPTH) fail('xml-too-deep', `elements are nested deeper than ${MAX_XML_DEPTH}`);
    const element: OrderedElement = { name: tag.name, attributes: record(), children: [] };
    grow(tag.name.length + 6);
    for (const [name, value] of Object.entries(tag.attributes)) {
      element.attributes[name] = value as string;
      grow(name.length + jsonLength(value as string) + 5);
    }
    const parent = stack.at(-1);
    if (parent) parent.children.push(element);
    else root = element;
    stack.push(element);
  });
  parser.on('closetag', () => {
    stack.pop();
  });
  parser.on('text', addText);
  parser.on('cdata', addText);
  parser.on('comment', (comment) => {
    grow(jsonLength(comment) + 14);
    stack.at(-1)?.children.push({ comment });
  });
  parser.on('processinginstruction', ({ target, body }) => {
    grow(target.length + jsonLength(body) + 18);
    stack.at(-1)?.children.push({ instruction: body ? `${target} ${body}` : target });
  });
  parser.write(text);
  parser.close();
  if (!root) return fail('xml-malformed', 'not well-formed XML: there is no element');
  return root;
}

/** An object without prototype: an element may be named `__proto__` or `constructor`. */
function record<T>(): Record<string, T> {
  return Object.create(null) as Record<string, T>;
}

function simplify(element: OrderedElement): SimpleValue {
  const attributes = Object.entries(element.attributes);
  const pieces: string[] = [];
  const object = record<SimpleValue | SimpleValue[]>();
  let hasChildren = false;
  // Comments and instructions don't cut a text in two, child elements do.
  let goesOn = false;
  for (const [name, value] of attributes) object[`@${name}`] = value;
  const repeated = new Set<string>();
  for (const child of element.children) {
    if (typeof child === 'string') {
      if (goesOn) pieces[pieces.length - 1] += child;
      else pieces.push(child);
      goesOn = true;
    } else if ('name' in child) {
      hasChildren = true;
      goesOn = false;
      const value = simplify(child);
      const before = object[child.name];
      if (before === undefined) object[child.name] = value;
      else if (repeated.has(child.name)) (before as SimpleValue[]).push(value);
      else {
        object[child.name] = [before as SimpleValue, value];
        repeated.add(child.name);
      }
    }
  }
  const text = hasChildren ? pieces.filter((piece) => /\S/.test(piece)) : [pieces.join('')];
  if (!hasChildren && attributes.length === 0) return text[0]!;
  const content = text.filter((piece) => piece !== '');
  if (content.length > 0) object['#text'] = content.length === 1 ? content[0]! : content;
  return object as SimpleObject;
}

/** Bytes of a string in JSON, accurate enough for a limit: UTF-8 bytes, escapes and quotes. */
function jsonLength(text: string): number {
  let bytes = 2;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code < 0x20) bytes += code === 0x0a || code === 0x0d || code === 0x09 ? 2 : 6;
    else if (code === 0x22 || code === 0x5c) bytes += 2;
    else bytes += code < 0x80 ? 1 : code < 0x800 ? 2 : 3;
  }
  return bytes;
}
