/** Contexts and units, to which facts refer. They are the same in instances and in inline documents. */
import { addDays } from '../../../../core/index.ts';
import { isIsoDay } from '../../map/values.ts';
import { trimmed } from '../../xml/element.ts';
import { characterData, trimXml } from '../markup/character-data.ts';
import { DIMENSIONS, XBRLI, XSI } from '../markup/namespaces.ts';
import type { TagReader } from '../markup/tag-reader.ts';

export interface Dimension {
  /** `us-gaap:StatementBusinessSegmentsAxis`. */
  readonly axis: string;
  /** Name of an explicit member, text of a typed one; null if that is nil. */
  readonly member: string | null;
  readonly typed: boolean;
}

export interface Context {
  readonly id: string;
  /** CIK of the entity, without leading zeros; null if the identifier is missing or has only zeros. */
  readonly cik: string | null;
  /** YYYY-MM-DD; null for an instant, and for "forever". */
  readonly start: string | null;
  readonly end: string | null;
  /** The first text of a date that does not exist: the date is null. Null: all dates exist. */
  readonly misdated: string | null;
  /** By axis. */
  readonly dimensions: readonly Dimension[];
  /** The same as JSON, `{"axis":"member"}`. */
  readonly dimensionsJson: string;
}

/** Reads the context whose start tag the reader has just read, to its end tag. */
export function readContext(reader: TagReader, id: string): Context {
  let identifier: string | null = null;
  let start: string | null = null;
  let end: string | null = null;
  const dimensions: Dimension[] = [];
  const { depth, empty: hollow } = reader;
  while (!hollow && reader.next()) {
    if (!reader.opens) {
      if (reader.depth < depth) break;
      continue;
    }
    const { namespace, local } = reader.name;
    if (namespace === XBRLI) {
      if (local === 'identifier') identifier = contentOf(reader);
      else if (local === 'startDate') start = contentOf(reader);
      else if (local === 'endDate' || local === 'instant') end = contentOf(reader);
    } else if (namespace === DIMENSIONS && (local === 'explicitMember' || local === 'typedMember'))
      dimensions.push(readDimension(reader, local === 'typedMember'));
  }
  return contextOf(id, identifier, start, end, dimensions);
}

/** @param dimensions in any order */
function contextOf(
  id: string,
  identifier: string | null,
  start: string | null,
  end: string | null,
  dimensions: Dimension[],
): Context {
  if (dimensions.length > 1) dimensions.sort((a, b) => compareByCodePoint(a.axis, b.axis));
  return {
    id,
    cik: identifier === null ? null : withoutZeros(identifier),
    start: start === null ? null : dayOf(start),
    end: end === null ? null : lastDayOf(end),
    misdated: [start, end].find((text) => text !== null && text !== '' && dayOf(text) === null) ?? null,
    dimensions,
    dimensionsJson: jsonOf(dimensions),
  };
}

/** The same of checked texts: digits, two days, and dimensions whose names need no escapes in JSON. */
export function usualContextOf(
  id: string,
  digits: string,
  start: string | null,
  end: string,
  dimensions: Dimension[],
): Context {
  if (dimensions.length > 1) dimensions.sort((a, b) => compareByCodePoint(a.axis, b.axis));
  let json = '{';
  for (const { axis, member } of dimensions) json += `${json === '{' ? '' : ','}"${axis}":"${member}"`;
  const dimensionsJson = `${json}}`;
  if (!isIsoDay(end) || (start !== null && !isIsoDay(start))) return contextOf(id, digits, start, end, dimensions);
  return { id, cik: withoutZeros(digits), start, end, misdated: null, dimensions, dimensionsJson };
}

/** `USD`, `shares`, `USD/shares`: local names of the measures. */
export function readUnit(reader: TagReader): string | null {
  const above: string[] = [];
  const below: string[] = [];
  let measures = above;
  forEachBelow(reader, () => {
    const { namespace, local } = reader.name;
    if (namespace !== XBRLI) return;
    if (local === 'unitDenominator') measures = below;
    else if (local === 'unitNumerator') measures = above;
    else if (local === 'measure') {
      const measure = contentOf(reader);
      measures.push(measure.slice(measure.indexOf(':') + 1));
    }
  });
  if (above.length === 0) return null;
  return below.length === 0 ? above.join('*') : `${above.join('*')}/${below.join('*')}`;
}

/** Calls for each start tag below the element that the reader has just opened. A call may read to the end tag of its element. */
export function forEachBelow(reader: TagReader, each: () => void): void {
  if (reader.empty) return;
  const { depth } = reader;
  while (reader.next()) {
    if (reader.opens) each();
    if (!reader.opens && reader.depth < depth) return;
  }
}

/** Character data of the element that the reader has just opened, trimmed. Reads on to its end tag. */
export function contentOf(reader: TagReader): string {
  return trimXml(characterData(rawContentOf(reader)));
}

/** The same as it is written, with markup. */
export function rawContentOf(reader: TagReader): string {
  if (reader.empty) return '';
  const { depth, end } = reader;
  while (reader.next()) if (!reader.opens && reader.depth < depth) return reader.text.slice(end, reader.start);
  return '';
}

function readDimension(reader: TagReader, typed: boolean): Dimension {
  const attributes = reader.attributes();
  const { scope } = reader;
  let axis = '';
  for (let i = 0; i < attributes.length; i += 2) if (attributes[i] === 'dimension') axis = attributes[i + 1]!;
  axis = scope.resolve(trimXml(axis)).name;
  if (!typed) return { axis, member: scope.resolve(contentOf(reader)).name, typed };
  if (reader.empty) return { axis, member: null, typed };
  const { depth } = reader;
  let member: string | null = null;
  while (reader.next()) {
    if (!reader.opens && reader.depth < depth) break;
    if (!reader.opens) continue;
    const nil = isNil(reader, reader.attributes());
    const text = trimmed(contentOf(reader)).replace(/\s+/g, ' ');
    member ??= nil ? null : text;
  }
  return { axis, member, typed };
}

/** `xsi:nil`, with any prefix. @param attributes of the reader's current tag */
export function isNil(reader: TagReader, attributes: readonly string[]): boolean {
  for (let i = 0; i < attributes.length; i += 2) {
    const name = attributes[i]!;
    if (!name.endsWith(':nil') || reader.scope.namespace(name.slice(0, -4)) !== XSI) continue;
    const value = attributes[i + 1]!.trim();
    return value === 'true' || value === '1';
  }
  return false;
}

function jsonOf(dimensions: readonly Dimension[]): string {
  if (dimensions.length === 0) return '{}';
  return `{${dimensions.map(({ axis, member }) => `${JSON.stringify(axis)}:${JSON.stringify(member)}`).join(',')}}`;
}

function compareByCodePoint(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function withoutZeros(identifier: string): string | null {
  let zeros = 0;
  while (identifier.charCodeAt(zeros) === 0x30) zeros++;
  return identifier.slice(zeros) || null;
}

/** An end at midnight is the end of the day before, as XBRL 2.1 has it (4.7.2); a day alone is meant whole. */
function lastDayOf(text: string): string | null {
  const day = dayOf(text);
  if (day === null || !/T00:00(?::00(?:\.0*)?)?(?:$|[Z+-])/.test(text)) return day;
  return addDays(day, -1);
}

/** A time of day is removed. An invalid day is null. */
function dayOf(text: string): string | null {
  const day = /^\d{4}-\d\d-\d\d(?=$|[TZ+-])/.exec(text)?.[0] ?? null;
  return day !== null && isIsoDay(day) ? day : null;
}

/** Definitions by id. */
export class Definitions<T> extends Map<string, T> {
  /** Ids that are defined twice, with different content: neither counts. */
  readonly ambiguous = new Set<string>();
  readonly #same: (a: T, b: T) => boolean;

  constructor(same: (a: T, b: T) => boolean) {
    super();
    this.#same = same;
  }

  override set(id: string, one: T): this {
    if (this.has(id) && !this.#same(this.get(id)!, one)) this.ambiguous.add(id);
    return super.set(id, one);
  }
}

export function sameContext(a: Context, b: Context): boolean {
  return a.cik === b.cik && a.start === b.start && a.end === b.end && a.dimensionsJson === b.dimensionsJson;
}

export const newDefinitions = () => ({
  contexts: new Definitions<Context>(sameContext),
  units: new Definitions<string | null>((a, b) => a === b),
});
