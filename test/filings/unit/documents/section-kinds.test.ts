import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { findSections } from '../../../../src/filings/documents/index.ts';
import { readLines } from '../../../../src/filings/documents/lines/lines.ts';
import { readKind } from '../../../../src/filings/documents/sections/section-kinds.ts';
import { filingText, labels } from '../../../support/documents/labelled.ts';
import { jsonRows, sharedFolder } from '../../../support/shared.ts';

const HEADING = "Item 7. Management's Discussion";
const read = (text: string, code = '7') => {
  const source = `${HEADING}\n\n${text}\n`;
  const family = code.startsWith('I') ? '10-Q' : '10-K';
  return readKind(readLines(source), { code, family, heading: HEADING, start: 0, end: source.length });
};
const of = (text: string) => read(text).by_reference;

/** In other words than those of the rules. */
const OTHER_WORDS =
  `7A mixed: We had $220 million of debt at floating rates. The table of swaps in Note 9 is incorporated herein by reference.
7A mixed: Each cent of price is $0.9 million of cost. The rest that this item requires is on page 41 of the Annual Report.
1 mixed: We make valves in Texas and sell them. Sales by segment are in Note 12 and are incorporated here by reference.
7A text: We have debt of $12 million at a floating rate, and one point would cost 2% of it. For more on it, see Note 5.
7A text: We do not hedge. A stronger yen would hurt us, since half of what we buy is made in Japan.
II-1A text: Unlike at the date of our Form 10-K, 72% of our revenue now comes from one customer.
7A text: As we report in Note 6, a rise of 1% in rates would cost us $2.1 million.
9 text: None of the disagreements with our auditor on reserves was settled before it resigned.
II-3 text: All events of default under our loan from the bank have been resolved.
11 text: Our officers are employed by the manager and receive no compensation from us.
1C text: The intrusion of May 2023 did not disrupt any of our operations.
II-4 text: Ann Lee was elected with 3,400,000 votes; we did not solicit proxies.
9B text: The data agreement with our supplier is filed as Exhibit 10.4.
II-1 text: On May 3, 2012 Apex answered the complaint that was described in our Form 10-K.
7A pointer_document: Please look at "Risk Management" under Item 7. That text is incorporated in this Item.
7A pointer_document: The analysis is on page F-2 and forms part of this Item.
7A pointer_document: Our discussion of market risk is folded into "Liquidity" in Item 7.
I-3 pointer_document: We treat this subject in Item 2, under "Interest Rate Risk".
7 pointer_exhibit: Pages 25 through 37 of the Annual Report, with the discussion, are incorporated in this Form 10-K.
6 pointer_exhibit: The table on page 18 of the Annual Report is incorporated in response to this Item.
8 pointer_exhibit: Pages 12 to 30 of Exhibit 13 answer this Item.
6 pointer_exhibit: "Five Years" in the Annual Report is made a part of this Form 10-K.
9A pointer_document: Management's annual report regarding internal control is set forth in Item 8.
II-1A pointer_filing: Readers should turn to Item 1A of the 10-K for 2011.
II-1A mixed: We add this to the factors described in our Form 10-K: the spread of a virus has closed our plant in Turin in March.
10 pointer_filing: Facts on officers named in Part I are given there. All else is in the proxy statement for the 2001 meeting.
7A not_applicable: No instrument that we own is sensitive to the market.
4 not_applicable: Holders were not asked to vote on anything in the fourth quarter of 1999.
6 not_applicable: We have chosen to give none.
2 text: We own no real estate. We rent 3,000 square feet in Boise.
2 text: The Company does not own its offices, which are leased from a director.
II-1A text: Our supplier in Ohio closed in May, and we have found no other.
9 text: In June 2003 we dismissed Smith LLP as our auditors. There were no disagreements with them.
2 text: We lease our offices from a director, as told in Item 13. They suit our needs.
7A text: Our loan floats with prime. A rise would cost us, but not much, as the loan of Note 5 is small.
II-1A text: Since our last annual report a rival has opened in our town, and we may lose guests to it.
9 text: The auditors of our annual report resigned in June. The new ones are Jones LLP.
I-4 text: Our chief executive officer concluded that our disclosure controls were not effective.
9B not_applicable: There is no information that was required to be disclosed on Form 8-K in the fourth quarter but was not.
5 text: Two funds bought shares. The form of subscription agreement is incorporated by reference to Exhibit 10.1 to our Form 8-K.
5 text: A registration statement for our units became effective. There is no public market for them.
9A mixed: Our controls were not effective, since we restated our results. We are hiring a controller. Management's report on internal control appears on page F-2.
II-3 text: The Company did not make the interest payment due June 1, 2009 on its senior notes and is not in compliance with its covenants.
II-3 text: We have no money to cure the default on our notes.
9B text: On December 28, 2006 the board amended the bylaws so that directors may be removed without cause. No other matters arose.
II-1 text: The case was removed to federal court in May.
II-1 text: The plaintiff in the suit that was described in our Form 10-K dropped its claims in May.
II-1 pointer_filing: There is no change in the suits that were described in our Form 10-K for the year ended in May 2001.
3 text: The court heard our motion in May and reserved judgment.
3 text: The landlord's claim against us was not settled and will be tried next year.
3 text: The court dismissed the suit without prejudice to new claims.
3 text: Other than the suit of Smith over the fire in our plant, there are no legal proceedings.
3 not_applicable: Other than routine litigation incidental to business, there are no legal proceedings.
3 not_applicable: The Partnership is not party to, nor is any of its property subject to, any material pending legal proceedings.
10 text: Our sole officer and director is not independent and has no other employment.
12 text: No person owns more than 5% of the units. The general partner owns none.
2 text: We neither own nor lease any property. We use the office of our manager.
2 not_applicable: The Company neither owns nor leases any real property.
14 text: Jones LLP billed no fees for tax.
1A text: No public market exists for our units. Holders may not be able to sell them.
7A text: We have not hedged our exposure to the Canadian dollar.
9 text: No disagreements were had, but the auditors resigned.
II-5 text: No changes were made to the plan that lets directors buy shares at a discount.
II-5 not_applicable: There were no material changes to the procedures by which holders may recommend nominees.
6 not_applicable: This item has been removed.
13 not_applicable: Omitted (reduced disclosure format).
16 not_applicable: We have none.
3 mixed: In May the State fined us $410,000. Other proceedings are set out in Note 12 of this report. That text is incorporated in this Item.
3 text: In May a dealer sued us for $2 million. The marks are described under "Trademarks" in Item 1.
3 text: On May 3 a seller of the kind described in Item 1 sued us for $2 million.
7A mixed: A point would cost us $0.6 million. The rates that we pay are described in Note 8, which we incorporate here by reference.
7A mixed: A point would cost us $0.6 million. For our exposure to currencies, see "Currencies" in Item 7.
7A text: A point would cost us $0.6 million. The terms of the loan are described in Note 7.
I-3 mixed: We bought forwards for $60 million. For our other market risks see Item 7A of our Form 10-K for 2021.
5 mixed: We bought 112,000 shares at $21.07. For the prices of our stock and its holders, see page 172.
5 text: We had 210 holders. Our loan limits dividends to $1 million. See "Liquidity" in Item 7.
5 mixed: There were 210 holders of record. Information on plans, which Item 201(d) of Regulation S-K asks for, is reported in Item 12.
1A pointer_filing: Reference is made to Item 1A of the Form 10-K for 2008 of Ridgeline Energy Corporation.
1A not_applicable: As a "smaller reporting company" as defined by Item 10 of Regulation S-K, we need not give it and are not required to.
1A pointer_document: See "Forward-Looking Statements and Risk Factors" in Item 7, which is incorporated here.
1B not_applicable: None as of the date of this report.
10 mixed: Our officers are Ann Tye, 51, president, and Sam Rue, 58, treasurer. For directors, see the proxy statement.
10 text: John Ames, 64, has been president since 1989. The Partnership files no proxy statement.
II-1 pointer_document: For legal proceedings, see "Part I, Item 1. Financial Statements. Note 14" of this report.
II-1 pointer_filing: There were no changes to our disclosure in Item 3 of our Form 10-K.
II-1A mixed: The following is added to those in Item 1A of our Form 10-K. A drought has raised the price of wheat by 38%.
II-5 text: On August 2 we raised the limit of our loan to $75 million. The contract is filed as Exhibit 10.2 to this report and incorporated by reference.
9A text: Our controls were effective. The opinion of Smith LLP, as stated in its report on the next page, agrees with management's report.
9B not_applicable: There were no items under this section.
2 not_applicable: Not applicable. The Trust has no property.
9B text: Our auditor has concluded that our previously issued financial statements should not be relied upon.
9B text: We are not in compliance with the covenants of our credit agreement and have not obtained a waiver.
9B text: A director told the board that she will not stand again. Her decision is not due to any disagreement with us.
9B text: Our board adopted amended bylaws that no longer allow stockholders to act by written consent.
4 text: The proposal to amend the charter was not approved by the holders of the common stock.
4 text: The holders of most of the common stock elected the directors by written consent, without a meeting.
9C text: Our auditor is located in a jurisdiction where the board is not able to inspect the work of its firm.
6 text: We had no revenue in either year. We have no cash and cannot continue unless our officers lend us money.
9B text: None. However, our lender declared a default under the credit agreement and accelerated the loan.
3 text: Not applicable. Our former president has threatened to sue the company for unpaid wages.
7A text: Not applicable. We are nonetheless exposed to rates on our bank loan, which bears a variable rate that we have not hedged.
1C text: None. Our manager oversees threats to our systems and reports them to our board, which meets each quarter.
II-1 text: On March 3, 2019, the Ohio court dismissed the suit by Giant Corp that was described in our Form 10-K for 2018, with no payment by us.
2 text: The Company does not own any properties and uses the offices of its management at no cost.
I-4 text: We concluded that our controls were not effective as of June 30 because of the weakness that is described in Item 9A of our Form 10-K for 2018.
9A pointer_document: Management's report on internal control, as stated in Item 8, is incorporated in this item by reference.
9A mixed: We concluded that our controls were effective. The report of the accounting firm and the report of management are set forth in Item 8.
9A mixed: We concluded that our controls were effective. Smith LLP audited our internal control; its report and management's report are included in Item 8 and are incorporated by reference.
8 pointer_exhibit: The financial statements are included as Exhibit 10.3 to this report.
8 pointer_exhibit: The audited financial statements of the Registrant are attached as Exhibit 1 to this report.
7A pointer_exhibit: The information required by this Item is incorporated herein by reference to Exhibit 20.
II-1 pointer_filing: There were no developments in March in the suit by Giant Corp that was described in our Form 10-K for 2018.
1A not_applicable: We are a blank check company and are not required to include risk factors in this Annual Report on Form 10-K.
6 not_applicable: A smaller reporting company need not include this information in this report.
8 pointer_document: The financial statements required by this Item are included in this Annual Report.
8 pointer_document: Our statements are attached at the back of this report.
1A text: Before you invest, consider carefully the risks that follow along with all else in this report, including the statements in Item 8. A flood at our one plant could stop our sales.
2 text: Our plant in Troy has 90,000 square feet (please see Note 9 for the mortgage on it).
3 mixed: Acme Corp. sued us in Ohio in May 2004 for $3 million (see Note 12).
7A text: A rise of 1% in rates would cost us $2 million a year (see "Liquidity" in Item 7).
8 pointer_document: The statements of Lund Inc. are listed in Item 15 (see pages F-1 to F-20).
9 not_applicable: No disclosure is required under this item.
II-1A text: Our lender may call the loan under an agreement that was filed as Exhibit 10.2 to our Form 10-K for 2008, and we might lose the boat.
9A mixed: Our officers found that our disclosure controls were effective at year end. See "Report of Management on Internal Control" on page 40.
9A text: Our officers found that our disclosure controls were effective at year end. See "Report of Independent Registered Public Accounting Firm" on page 40.
8 pointer_exhibit: Our statements and the auditor's report are filed as Exhibit 99.2 hereto and are incorporated by reference in this Item.
7 pointer_exhibit: It is in the Annual Report on pages 9 to 14.
3 pointer_filing: The suits are described in Item 1 of Part II of our Form 10-Q for the quarter ended June 30, 2003, and that text is incorporated by reference.
3 text: In May the court dismissed the claim of Polk Inc. that we described in our Form 10-Q for March 2003.`
    .split('\n')
    .map((line) => /^(\S+) (\S+): (.*)$/.exec(line)!.slice(1));

describe('readKind', () => {
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
    expect(
      of(
        'Under the "Reform Act" we warn of plans. "Sales" on page 9 of the Annual Report is incorporated. See "Item 1. Business" on page 3.',
      ),
    ).toEqual({ exhibit: '13', pages: '9', heading: 'Sales' });
    expect(of('The financial statements are filed as Exhibit 28 to this report.')).toMatchObject({ exhibit: '28' });
  });

  it('knows an annual report without more words, and a reference that is made', () => {
    const annualReport = { exhibit: '13', pages: null, heading: null };
    expect(of('Incorporated by reference to the Annual Report.')).toEqual(annualReport);
    expect(of("Reference is made to the Registrant's 1996 Annual Report to Stockholders.")).toEqual(annualReport);
    expect(of('Incorporated by reference to the annual report on Form 10-K for 1996.')).toBeNull();
  });

  it('takes the next paragraph with a star as the footnote of a heading with one', () => {
    const text = 'The company sold valves and pumps to builders of ships in Ohio, and sold more of them than before.';
    const proxy = '*The information required by this item is incorporated by reference from our proxy statement.';
    const items = `Item 1. Business*|${text}|* Some words are defined in the glossary.|Item 2. Properties|${text}
|Item 10. Directors, Executive Officers and Corporate Governance*|${text}|Item 11. Executive Compensation*|${proxy}`;
    const report = items.replace(/\s*([^|]+)\|?/g, '<p>$1</p>').replace(/<p>(Item.*?)<\/p>/g, '<p><b>$1</b></p>');
    const found = findSections(`<html><body><p>FORM 10-K</p>${report}</body></html>`, '10-K');
    expect(found.map(({ section, kind }) => `${section} ${kind}`)).toEqual([
      '1 text',
      '2 text',
      '10 mixed',
      '11 pointer_filing',
    ]);
  });

  it.each([
    ['None.', '3', 'not_applicable'],
    ['[Reserved]\n\n18', '6', 'not_applicable'],
    ['Not applicable.\n\n26.\n\nMachine Inc.', '4', 'not_applicable'],
    [
      'None.\n\nNo annual report to security holders has been sent; it will be furnished in an exhibit to a later report.',
      '9B',
      'not_applicable',
    ],
    [
      'Our stock is traded in New York, and 4,000 holders of record own it. The preceding performance graph shall not be deemed incorporated by reference into any filing, except as we incorporate it by reference to a page of this report.',
      '5',
      'text',
    ],
    [
      'The information under "Compensation" in our proxy statement, other than the report of the committee, which shall not be deemed filed, is incorporated herein by reference.',
      '11',
      'pointer_filing',
    ],
    ['We are a smaller reporting company and are not required to provide this information.', '7A', 'not_applicable'],
    ['There are no pending legal proceedings to which the Company is a party.', '3', 'not_applicable'],
    ['There have been no material changes to our risk factors.', 'II-1A', 'not_applicable'],
    [
      'There have been no material changes to the risk factors disclosed in our Annual Report on Form 10-K.',
      'II-1A',
      'pointer_filing',
    ],
    ['See Item 8 of this report and page F-1.', '7', 'pointer_document'],
    ['Appears on pages 23 through 84.', '7', 'pointer_document'],
    ['We are subject to various lawsuits. See Note 12 to the financial statements.', '3', 'pointer_document'],
    ['In March the Delta Paper Company sued us for $3 million. See Note 12.', '3', 'mixed'],
    [
      'Incorporated by reference to the annual report on Form 10-K for 1996, filed with the Commission.',
      '8',
      'pointer_filing',
    ],
    [
      'The information is in the proxy statement and is incorporated by reference. We have 14 directors who meet monthly.',
      '10',
      'mixed',
    ],
    [
      'None.\n\nAmounts in millions of dollars except per share amounts.\n\n66 The Delta Paper Company',
      '9',
      'not_applicable',
    ],
    [
      'None.\n\nMatters discussed under "Legal Proceedings" in Item 3 are forward-looking statements. The Company disclaims any duty to update them.',
      '1B',
      'not_applicable',
    ],
    [
      'The following statements are incorporated by reference to the Annual Report to Share Owners:\n\nBalance Sheets -- December 31, 1997 and 1996.\n\nNotes to Financial Statements.',
      '8',
      'pointer_exhibit',
    ],
    [
      'Our statements are listed under Item 14. "Exhibits and Reports on Form 8-K" and are set forth on pages FS-1 through FS-23.',
      '8',
      'pointer_document',
    ],
    [
      'Our officers found in May that the controls are effective as of the end of the year. The report of management and the attestation report of our accounting firm are set forth in Item 8 of this report.',
      '9A',
      'mixed',
    ],
    ['Our officers found the controls effective. (b) The report of management is in Item 8.', '9A', 'mixed'],
    ['The risks in our annual report for 2016 on Form 10-K have not changed.', 'II-1A', 'pointer_filing'],
    [
      'Our mill in Maine has 40 machines. For additional information on rents, refer to page 45 of our Annual Report to Stockholders, which is incorporated by reference.',
      '2',
      'text',
    ],
    ['Our coming Schedule 14A filing names the fees of our auditors.', '14', 'pointer_filing'],
    ['Omitted under General Instruction G(3), as the directors stand in the 2004 Proxy.', '10', 'pointer_filing'],
    ['Our parent owns all 1,000 shares that we have issued.', '12', 'text'],
    ['No officer or director adopted a Rule 10b5-1 trading arrangement.', '9B', 'text'],
    ['We file an annual report on Form 10-K with the Commission.', '1', 'text'],
  ])('%s (Item %s): %s', (text, code, kind) => {
    const found = read(text, code);
    expect(found.kind).toBe(kind);
    expect(found.by_reference !== null).toBe(kind === 'mixed' || kind.startsWith('pointer'));
  });

  it.each(OTHER_WORDS)('Item %s, %s: %s', (code, kind, text) => {
    expect(read(text!, code).kind).toBe(kind);
  });

  it('takes a text with a remark on where more stands for a text', () => {
    const own = 'Sales rose in all countries, for prices were higher and more machines were sold. '.repeat(20);
    expect(read(`${own}For more information, see Note 9.`).kind).toBe('text');
    expect(
      read(`${own}The table is set forth in the Annual Report to Shareholders, incorporated by reference.`).kind,
    ).toBe('mixed');
    expect(read(`${own.repeat(10)}It is incorporated by reference to the Annual Report to Shareholders.`).kind).toBe(
      'text',
    );
  });

  it('takes full statements for a text, if a note of them is incorporated', () => {
    const rows = '<tr><td>Sales</td><td>1,737</td><td>2,179</td></tr>';
    const note = '<p>The information set forth in Item 1 of Part II hereof is hereby incorporated by reference.</p>';
    expect(read(`<table>${rows.repeat(5)}</table>${note}`, 'I-1').kind).toBe('mixed');
    expect(read(`<table>${rows.repeat(60)}</table>${note}`, 'I-1').kind).toBe('text');
  });

  it('takes time in proportion to the text, whatever its marks are', () => {
    for (const text of [
      '.'.repeat(300_000),
      '. '.repeat(150_000),
      ',"'.repeat(150_000),
      'no '.repeat(4000),
      'information '.repeat(900),
      'not subject '.repeat(1000),
      `1 ${' (see'.repeat(2400)}`,
      'read '.repeat(2400),
    ]) {
      const startedAt = performance.now();
      read(`Information ${text}a`, '10');
      expect(performance.now() - startedAt).toBeLessThan(2000);
    }
  });

  it('reads the words behind a heading that ends with a full stop apart from it', () => {
    const source = `${HEADING}. Sable River has suits as all in its trade have. See Note 11, which is incorporated in this Item by reference.`;
    const section = { code: '3', family: '10-K', heading: HEADING, start: 0, end: source.length } as const;
    expect(readKind(readLines(source), section).kind).toBe('pointer_document');
  });

  it('reads a typewritten paragraph as sentences, and rows with page numbers as an index', () => {
    const index = ['Balance Sheets .... F-2', 'Statements of Income .... F-3', 'Notes .... F-5'].join('\n\n');
    expect(read(index, '8').kind).toBe('pointer_document');
    expect(
      read('The information called for is incor-\nporated by reference to\npage 9 of the Proxy\nStatement.', '11').kind,
    ).toBe('pointer_filing');
  });

  it.skipIf(!sharedFolder)('finds the references of labelled filings that have their Part II or III elsewhere', () => {
    const expected: Record<string, string> = {
      'medicis-1999-10k.htm.gz':
        '5=13 6=13 7=13 7A=13 8=13 10=proxy statement 11=proxy statement 12=proxy statement 13=proxy statement',
      'textron-2001-10k405.txt.gz':
        '5=13 6=13 7=13 7A=13 8=13 10=proxy statement 11=proxy statement 12=proxy statement 13=proxy statement',
      'bearstearns-2005-10k.htm.gz':
        '5=13 6=13 7=13 7A=13 8=13 9A=13 10=proxy statement 11=proxy statement 12=proxy statement 13=proxy statement 14=proxy statement',
      'spatializer-2014-10k.htm.gz': '8=null',
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

  it.skipIf(!sharedFolder)('agrees with the labelled kinds', () => {
    const rows = jsonRows<{ file: string; section: string; kind: string }>(
      join(sharedFolder!, 'section-kinds/labels.jsonl'),
    );
    const kinds = new Map(
      [...new Set(rows.map(({ file }) => file))].flatMap((file) => {
        const { form_type } = labels.find((each) => each.file === file)!;
        const found = findSections(filingText(`labelled/${file}`), form_type);
        return found.map(({ section, kind }): [string, string] => [`${file} ${section}`, kind]);
      }),
    );
    const right = rows.filter(({ file, section, kind }) => kinds.get(`${file} ${section}`) === kind);
    expect(right.length / rows.length).toBeGreaterThanOrEqual(0.99);
  });
});
