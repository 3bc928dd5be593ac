import { describe, expect, it } from 'vitest';
import { findSections } from '../../../src/documents/index.ts';
import { readReference } from '../../../src/documents/sections/references.ts';
import { readLines } from '../../../src/documents/text/lines.ts';
import { filingText, labels } from '../../support/documents/labelled.ts';
import { sharedFolder } from '../../support/shared.ts';

const of = (text: string) => {
  const source = `Item 7. Management's Discussion\n\n${text}\n`;
  return readReference(readLines(source), 0, source.length);
};

describe('readReference', () => {
  it('states which exhibit, pages and captions a section refers to', () => {
    expect(
      of(
        'The information required by this Item is incorporated by reference to pages 14 through 21 of the 1999 Annual Report to Shareholders under the caption "Financial Review".',
      ),
    ).toEqual({ exhibit: '13', pages: '14-21', heading: 'Financial Review' });
    expect(of('Reported on pages 32-43 and 45 of the Annual Report to Share Owners.')).toEqual({
      exhibit: '13',
      pages: '32-43, 45',
      heading: null,
    });
    expect(of('See Exhibit 13.1, "Financial Highlights" and "Selected Data," which are incorporated herein.')).toEqual({
      exhibit: '13.1',
      pages: null,
      heading: 'Financial Highlights; Selected Data',
    });
    expect(
      of('Set forth under "Election of Directors" in our definitive proxy statement (the "Proxy Statement").'),
    ).toEqual({ exhibit: 'proxy statement', pages: null, heading: 'Election of Directors' });
  });

  it('knows an annual report without more words, and a reference that is made', () => {
    const annualReport = { exhibit: '13', pages: null, heading: null };
    expect(of('Incorporated by reference to the Annual Report.')).toEqual(annualReport);
    expect(of("Reference is made to the Registrant's 1996 Annual Report to Stockholders.")).toEqual(annualReport);
    expect(of('Incorporated by reference to the annual report on Form 10-K for 1996.')).toBeNull();
  });

  it('is empty for sections with their own text', () => {
    expect(of('None.')).toBeNull();
    expect(of('See Item 8 of this report and page F-1.')).toBeNull();
    expect(of('We file an annual report on Form 10-K with the Commission.')).toBeNull();
    const own = 'Sales rose in all countries, for prices were higher and more machines were sold. '.repeat(20);
    expect(of(`${own}More is in the Annual Report to Shareholders, which is incorporated by reference.`)).toBeNull();
  });

  it.skipIf(!sharedFolder)('finds the references of labelled filings that have their Part II or III elsewhere', () => {
    const expected: Record<string, string> = {
      'medicis-1999-10k.htm.gz': '5=13 6=13 7=13 7A=13 8=13 13=proxy statement',
      'textron-2001-10k405.txt.gz':
        '5=13 6=13 7=13 7A=13 8=13 10=proxy statement 11=proxy statement 12=proxy statement 13=proxy statement',
      'bearstearns-2005-10k.htm.gz':
        '6=13 7=13 7A=13 8=13 10=proxy statement 11=proxy statement 12=proxy statement 13=proxy statement 14=proxy statement',
      'spatializer-2014-10k.htm.gz': '',
      'tgfin-2009-10k.htm.gz': '',
    };
    for (const [file, sections] of Object.entries(expected)) {
      const label = labels.find((each) => each.file === file)!;
      const found = findSections(filingText(`labelled/${file}`), label.form_type);
      const referring = found.filter((section) => section.by_reference !== null);
      expect(referring.map((section) => `${section.section}=${section.by_reference!.exhibit}`).join(' '), file).toBe(
        sections,
      );
    }
  });
});
