/**
 * Records of a page, found in its bytes: each position holds the record that JSON.parse returns, and ambiguous records are
 * reported.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { recordTexts } from '../../../../src/export/client/index.ts';

const text = fc.string({ unit: 'binary' });
const record = fc.record({
  id: text,
  size: fc.oneof(fc.nat(), fc.constant(null)),
  documents: fc.array(fc.record({ name: fc.oneof(text, fc.constant('[{"":1}]')), n: fc.nat() }), { maxLength: 3 }),
});

function bodyOf(records: readonly unknown[], indent = 0): Buffer {
  return Buffer.from(JSON.stringify({ count: 1, filings: records, truncated: false }, null, indent));
}

/** The position data of the single record with this text. */
function membersOf(json: string): number | null {
  const texts = recordTexts(Buffer.from(`{"count":1,"filings":[${json}]}`));
  expect(texts?.count).toBe(1);
  return texts!.members(0);
}

describe('texts of records', () => {
  it('are at the records', () => {
    fc.assert(
      fc.property(fc.array(record, { maxLength: 5 }), fc.nat(2), (records, indent) => {
        const texts = recordTexts(bodyOf(records, indent))!;
        expect(texts.count).toBe(records.length);
        for (const [i, one] of records.entries()) {
          const found = JSON.parse(texts.body.toString('utf8', texts.start(i), texts.end(i))) as typeof one;
          expect(found).toEqual(JSON.parse(JSON.stringify(one)));
        }
      }),
    );
  });

  it('tell how many members they name, those of objects in them too', () => {
    fc.assert(
      fc.property(fc.array(record, { maxLength: 5 }), (records) => {
        const texts = recordTexts(bodyOf(records))!;
        for (const [i, { documents }] of records.entries()) {
          const told = texts.members(i);
          // Half a surrogate pair is written as an escape.
          if (told !== null) expect(told).toBe(3 + 2 * documents.length);
          else expect(JSON.stringify(records[i])).toContain('\\ud');
        }
      }),
    );
  });

  it('count a member twice that is named twice', () => {
    expect(membersOf('{"a":1,"b":[{"c":2}]}')).toBe(3);
    expect(membersOf('{"a":1,"b":[{"c":2,"c":3}],"a":4}')).toBe(5);
  });

  it.for([
    ['half a surrogate pair', '{"a":"\\ud800"}'],
    ['a pair written as escapes', '{"a":"\\uD83D\\uDE00"}'],
    ['an escape in a name', '{"\\u0061":1}'],
    ['a number with a point', '{"a":1.0}'],
    ['a number with an exponent', '{"a":1e3}'],
    ['a negative number', '{"a":-1}'],
    ['truth', '{"a":true}'],
    ['a line end', '{"a":1,\n"b":2}'],
    ['a carriage return', '{"a":1,\r"b":2}'],
  ])('are not plain if there is %s', ([, json]) => {
    expect(membersOf(json!)).toBeNull();
  });

  it.for([
    ['spaces and tabs', '{ "a" :\t1 , "b": null }'],
    ['escapes and brackets in a text', '{"a":"\\"}]{[:,\\\\","b":"\\u00e9\\n-1.0e5"}'],
    ['characters beyond the first plane', '{"a":"😀","b":[]}'],
  ])('are plain with %s', ([, json]) => {
    expect(membersOf(json!)).toBe(2);
  });

  it('are missing for a body that is not UTF-8, has no list, two lists, or ends too early', () => {
    const whole = Buffer.from('{"filings":[{"a":"é"}]}');
    expect(recordTexts(whole)?.count).toBe(1);
    expect(recordTexts(Buffer.from(whole.toString('latin1').replace('Ã', ''), 'latin1'))).toBeNull();
    expect(recordTexts(Buffer.from('{"count":0}'))).toBeNull();
    expect(recordTexts(Buffer.from('{"filings":[],"filings":[{"a":1}]}'))).toBeNull();
    for (let end = whole.indexOf('['); end < whole.indexOf(']'); end++)
      expect(recordTexts(whole.subarray(0, end))).toBeNull();
  });
});
