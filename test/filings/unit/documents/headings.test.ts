import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findSections, findStructure } from '../../../../src/filings/documents/index.ts';
import { filingText, labels } from '../../../support/documents/labelled.ts';
import { sharedFolder } from '../../../support/shared.ts';

const WORDS =
  'We make widgets of every size, and we sell them to people who need widgets in many places of the world. ';
const page = (...parts: string[]) =>
  `<html><body><p>Item 1. Business</p>${parts.join('')}<p>Item 2. Properties</p><p>None.</p></body></html>`;
const body = `<p>${WORDS}</p>`;

const bold = (title: string) => `<p><b>${title}</b></p>`;
/** Titles in bold; those with an asterisk have a paragraph of their own. */
const titled = (titles: string) =>
  page(...titles.split(', ').map((title) => bold(title.replace('*', '')) + (title.endsWith('*') ? body : '')));

/** Level and words of each heading in Item 1 of an annual report. */
function outline(text: string): string[] {
  return findStructure(text, findSections(text, '10-K'))
    .headings.filter(({ section }) => section === '1')
    .map(({ level, heading }) => `${level} ${heading}`);
}

describe('headings inside a section', () => {
  it('are ranked by size, capitals, bold and italics, in the order of their looks', () => {
    const text = page(
      '<p><b>Products</b></p>',
      '<p><b><i>Small widgets</i></b></p>',
      body,
      `<p><i>Colours.</i> ${WORDS}</p>`,
      '<p style="font-size:14pt;font-weight:bold">Markets of the world</p>',
      '<p><b>Europe</b></p>',
      body,
    );
    expect(outline(text)).toEqual([
      '1 Item 1. Business',
      '2 Products',
      '3 Small widgets',
      '4 Colours.',
      '2 Markets of the world',
      '3 Europe',
    ]);
  });

  it('say where each begins and ends, and which one is above', () => {
    const text = page(
      '<p><b>Products</b></p>',
      body,
      '<p><i>Small widgets</i></p>',
      body,
      '<p><b>Markets</b></p>',
      body,
    );
    const { headings } = findStructure(text, findSections(text, '10-K'));
    const [, products, small, markets] = headings;
    expect(text.slice(products!.start_index, products!.end_index)).toMatch(
      /^Products<[\s\S]*Small widgets[\s\S]*world\./,
    );
    expect(products).toMatchObject({ section: '1', level: 2, parent: 0 });
    expect(small).toMatchObject({ level: 3, parent: 1, end_index: markets!.start_index });
  });

  it('without a text of their own are above the next ones, though these look alike or stand out more', () => {
    const alike = titled(
      'Results, Overview*, Revenues*, Segments, Machines, Markets*, Revenues*, Services, Markets*, Other, Cash*',
    );
    expect(outline(alike).slice(1).join(', ')).toBe(
      '2 Results, 3 Overview, 3 Revenues, 2 Segments, 3 Machines, 4 Markets, 4 Revenues, 3 Services, 4 Markets, 2 Other, 3 Cash',
    );
    // What Item 303 asks for once is a part of nothing; titles that followed one another do so again.
    const ofItem = titled(
      'Parts, Costs*, Sales*, Results of Operations*, Planes, Trends, Outlook*, Sales*, Jets, Trends*, Sales*',
    );
    expect(outline(ofItem).slice(1).join(', ')).toBe(
      '2 Parts, 3 Costs, 3 Sales, 2 Results of Operations, 2 Planes, 3 Trends, 4 Outlook, 4 Sales, 2 Jets, 3 Trends, 3 Sales',
    );
    const underlined = page(
      `${bold('Overview')}${body}${bold('Liquidity')}<p><b><u>Cash</u></b></p>${body}`,
      `<p><b><u>Debt</u></b></p>${body}${bold('Other Matters')}${body}`,
    );
    expect(outline(underlined).slice(1)).toEqual(['2 Overview', '2 Liquidity', '3 Cash', '3 Debt', '2 Other Matters']);
  });

  it('are beside those with the number before theirs, and notes beside notes', () => {
    const middle = `<p align="center"><b>SALES</b></p>${body}`;
    const note = (number: number) => `<p><b><u>Note ${number} –</u></b> Taxes ${WORDS}</p>`;
    const numbered = page(
      bold('1. Parts'),
      body,
      middle,
      bold('2. Tools'),
      body,
      note(1),
      bold('Rates'),
      body,
      note(2),
    );
    expect(outline(numbered).slice(1)).toEqual([
      '2 1. Parts',
      '2 SALES',
      '2 2. Tools',
      '2 Note 1 –',
      '3 Rates',
      '2 Note 2 –',
    ]);
  });

  it('are words in bold before a sentence, words that begin in quotes, and stand under numbers and to the right of others', () => {
    const lead = (title: string) => `<p><b>${title} </b>${WORDS}</p>`;
    const inner = `<p style="margin-left: 36pt"><b>Large</b></p>${body}`;
    const text = page(
      bold('1. Widgets'),
      body,
      bold('Sizes'),
      inner,
      lead('Growing Trade'),
      bold('2. Debt'),
      lead('“Living Will” Rules'),
    );
    expect(outline(text).slice(1)).toEqual([
      '2 1. Widgets',
      '3 Sizes',
      '4 Large',
      '5 Growing Trade',
      '2 2. Debt',
      '3 “Living Will” Rules',
    ]);
    expect(outline(page(`<p><b>Example Company</b> is a maker. ${WORDS}</p>`))).toHaveLength(1);
  });

  it('have the look of their words, whatever a mark or a letter before them looks like, and of all their parts', () => {
    const text = page(
      `<p>(c) <i>Sales</i></p>${body}`,
      `<p>C<b>ritical Widgets</b></p>${body}`,
      `<p><u>Note 1</u><i><u> – Long-Term Debt</u></i></p>${body}`,
      '<p>• <b>Red</b></p><p>• <b>Blue</b></p><p>• <b>Green</b></p>',
      `<p><b>Income Taxes</b>.</p>${body}`,
      `<p>• <b>Small ones.</b> ${WORDS}</p>`,
      `<p><b>Widgets Sold</b> (1)</p>${body}<p><i><b>Large.</b> ${WORDS.repeat(2)}</i></p>${body}`,
    );
    expect(
      outline(text)
        .slice(1)
        .map((one) => one.slice(2)),
    ).toEqual(['(c) Sales', 'Critical Widgets', 'Note 1 – Long-Term Debt', 'Income Taxes.', 'Small ones.', 'Large.']);
  });

  it('stand under a letter if they stand between it and the next one, and (a), (b) and (c) are beside each other, as are statements and the report on them', () => {
    const text = page(
      `<p><i>(a) History</i></p>${body}<p><i>(b) What We Do</i></p>${body}`,
      `${bold('Tools')}${body}${bold('Parts')}${body}<p><b><i>Small</i></b></p>${body}`,
      `<p><i>(c) Competition</i></p>${body}<p><u>(d) Rules</u></p>${body}`,
    );
    expect(outline(text).slice(1)).toEqual([
      '2 (a) History',
      '2 (b) What We Do',
      '3 Tools',
      '3 Parts',
      '4 Small',
      '2 (c) Competition',
      '2 (d) Rules',
    ]);
    const middle = (title: string) => `<p align="center"><b>${title}</b></p>${body}`;
    const report = page(
      middle('REPORT OF INDEPENDENT AUDITORS'),
      `<p><b>Consolidated Balance Sheets</b></p>${body}`,
      `<p><b>Notes to Financial Statements</b></p>${body}`,
    );
    expect(
      outline(report)
        .slice(1)
        .map((one) => one[0]),
    ).toEqual(['2', '2', '2']);
  });

  it('of a typewritten page may follow a paragraph without a blank line, or be elements between empty ones', () => {
    const lines = (words: string) => words.replaceAll(/(.{1,60}) /g, '$1\n');
    const typed = `${lines(WORDS)}\n                         Trade Services\n\n${lines(WORDS)}`;
    const dates = `\n    January, 1994 -- President\n\n${lines(WORDS)}\n     *Prices are those of the Exchange\n\n${lines(WORDS)}`;
    const columns = `\n          Gross       Fair\n         Amount      Value\n\nBonds         12         13\n`;
    const report = `Item 1. Business\n\n${typed}${dates}${columns}\nItem 2. Properties\n\nNone.\n`;
    expect(outline(report).slice(1)).toEqual(['2 Trade Services']);
    const each = (words: string) =>
      lines(words)
        .trim()
        .split('\n')
        .map((line) => `<p>${line}</p>`)
        .join('');
    const empty = '<p><br></p>';
    const elements = page(
      empty,
      each(WORDS),
      empty,
      '<p>Trade Marks</p>',
      empty,
      each(WORDS.repeat(2)),
      empty,
      '<p>See NOTE 9 EVENTS.</p>',
      empty,
      each(WORDS),
    );
    expect(outline(elements).slice(1)).toEqual(['2 Trade Marks']);
  });

  it('have no reference of HTML left in their words', () => {
    expect(outline(page(`<p><i>Caf&eacute;s &#038; bars&#8230; &#8226; more.</i> ${WORDS}</p>`))).toContain(
      '2 Caf\u00e9s & bars\u2026 \u2022 more.',
    );
  });

  it('are not the rows of tables, captions, notes in small type, defined terms, emphasised sentences within a paragraph, or a body that is bold', () => {
    const rows = ['Net sales|12|13', 'Cost|4|5', 'Profit|8|8'].map(
      (row) =>
        `<tr>${row
          .split('|')
          .map((cell) => `<td><b>${cell}</b></td>`)
          .join('')}</tr>`,
    );
    const text = page(
      '<p><b>(in millions)</b></p>',
      `<table>${rows.join('')}</table>`,
      `<p><b>Example Company</b> is a maker. ${WORDS}</p>`,
      `<p>${WORDS} <b>This matters.</b> ${WORDS}</p>`,
      '<p><b>None.</b></p>',
      `<p style="font-size: 8pt"><i>Note: The numbers above are rounded.</i></p><p>${WORDS}</p>`,
    );
    expect(outline(text)).toEqual(['1 Item 1. Business']);
    expect(outline(page(...Array.from({ length: 5 }, () => `<p><b>${WORDS}</b></p>`)))).toEqual(['1 Item 1. Business']);
  });

  it('are not in lists and heads of columns, sentences over nothing, or at the level of a title in a table that is in the middle', () => {
    const table = (...rows: string[]) =>
      `<table align="center">${rows.map((row) => `<tr>${row}</tr>`).join('')}</table>`;
    const cell = (words: string) => `<td>${words}</td>`;
    const places = ['Chicago to Macon', 'Norfolk to Sandusky', 'Memphis to Chattanooga'];
    const text = page(
      bold('Routes'),
      table(...places.map((place) => `<td align="center">${place}</td>`)),
      body,
      bold('Costs'),
      table(
        '<td></td><td align="center" colspan="2"><b>One point</b></td>',
        ...['Up|1|2', 'Down|3|4', 'Both|5|6'].map((row) => row.split('|').map(cell).join('')),
      ),
      '<p><i>Rates of the year before are those that the company stated then.</i></p>',
      bold('Income Taxes'),
      body,
      table(cell(bold('Tax rates') + body)),
      bold('Employees'),
      body,
    );
    expect(outline(text).slice(1)).toEqual(['2 Routes', '2 Costs', '2 Income Taxes', '2 Tax rates', '2 Employees']);
  });

  it('may take two lines, and stand without any mark between paragraphs', () => {
    const text = page(
      '<p><b>Research, Development<br>and Engineering</b></p>',
      body,
      '<p>Delta Program</p>',
      `<p>${WORDS.repeat(2)}</p>`,
    );
    expect(outline(text)).toEqual(['1 Item 1. Business', '2 Research, Development and Engineering', '3 Delta Program']);
    const cut = page(
      bold('GAIN ON SALE OF PLANT &'),
      bold('EQUIPMENT, NET'),
      body,
      bold('CONTROLS'),
      bold('AND PROCEDURES'),
      body,
    );
    expect(outline(cut).slice(1)).toEqual(['2 GAIN ON SALE OF PLANT & EQUIPMENT, NET', '2 CONTROLS AND PROCEDURES']);
  });

  it('over a table that the text speaks of head that table alone, whatever they look like', () => {
    const rows = ['Shops|12|13', 'Plants|4|5', 'Farms|8|8'].map(
      (row) =>
        `<tr>${row
          .split('|')
          .map((cell) => `<td>${cell}</td>`)
          .join('')}</tr>`,
    );
    const table = `<table>${rows.join('')}</table>`;
    const caption = (title: string) => `<p align="center"><b>${title}</b></p>${table}`;
    const says = '<p>The following table shows our shops, plants and farms:</p>';
    const part = (title: string) => `<p><b><i>${title}</i></b></p>${body}`;
    const own = page(bold('Places'), part('Shops'), says, caption('ALL PLACES'), part('Plants'), bold('People'), body);
    expect(outline(own).slice(1)).toEqual(['2 Places', '3 Shops', '4 ALL PLACES', '3 Plants', '2 People']);
    // The second of two is spoken of with the first.
    const like = `${says}${bold('Europe')}${table}${bold('Asia')}${table}`;
    const same = page(bold('Results'), body, part('Sales'), like, part('Costs'), bold('Cash'), body);
    expect(outline(same).slice(1)).toEqual(['2 Results', '3 Sales', '4 Europe', '4 Asia', '3 Costs', '2 Cash']);
    const silent = page(bold('Places'), part('Shops'), caption('ALL PLACES'), part('Plants'));
    expect(outline(silent).slice(1)).toEqual(['2 Places', '3 Shops', '2 ALL PLACES', '3 Plants']);
    // With text of its own it is a title like any other.
    const parts = (title: string, one: string, other: string) =>
      `${says}${bold(title)}${table}<p>${WORDS.repeat(2)}</p>${part(one)}${part(other)}`;
    const whole = page(parts('Results', 'Sales', 'Costs'), parts('Liquidity', 'Cash', 'Debt'), bold('Estimates'), body);
    expect(outline(whole).slice(1).join(', ')).toBe(
      '2 Results, 3 Sales, 3 Costs, 2 Liquidity, 3 Cash, 3 Debt, 2 Estimates',
    );
  });

  it('of notes stand under the title of the notes, however small it is, and nothing else does', () => {
    const large = (title: string) => `<p style="font-size:16pt"><b>${title}</b></p>`;
    const notes = page(
      `<p align="center"><b>EXAMPLE, INC.</b></p>${bold('Notes to Financial Statements')}`,
      `${large('1. Policies')}${body}<p><i>Taxes</i></p>${body}${large('2. Debt')}${body}${bold('Quarters')}${body}`,
    );
    expect(outline(notes).slice(1).join(', ')).toBe(
      '2 EXAMPLE, INC., 3 Notes to Financial Statements, 4 1. Policies, 5 Taxes, 4 2. Debt, 3 Quarters',
    );
    const listed = page(
      bold('Notes to Financial Statements'),
      bold('Report of Auditors'),
      body,
      large('(b) Exhibits'),
      body,
    );
    expect(outline(listed).slice(1)).toEqual([
      '2 Notes to Financial Statements',
      '2 Report of Auditors',
      '2 (b) Exhibits',
    ]);
    const head = bold('The Example Company') + bold('Notes to the Financial Statements');
    const twice = page(head, bold('Segments'), body, head, bold('Note 1 - Debt'), body);
    expect(outline(twice).slice(1).join(', ')).toBe(
      [
        '2 The Example Company, 3 Notes to the Financial Statements, 4 Segments',
        '2 The Example Company, 3 Notes to the Financial Statements, 4 Note 1 - Debt',
      ].join(', '),
    );
  });

  it('over two lines are one if there is no room between the lines, and no name or date in them', () => {
    const line = (words: string, style: string) => `<p style="${style}"><b>${words}</b></p>`;
    const close = 'margin-top:0pt;margin-bottom:0pt';
    const apart = 'margin-top:12pt;margin-bottom:0pt';
    const pair = (first: string, second: string, above = apart, below = close) =>
      outline(page(line(first, above), line(second, below), body)).slice(1);
    expect(pair('SHARES AND RETURNS', 'FIVE YEARS COMPARED')).toEqual(['2 SHARES AND RETURNS FIVE YEARS COMPARED']);
    // A title and the first below it
    expect(pair('SHARES AND RETURNS', 'FIVE YEARS COMPARED', close)).toHaveLength(2);
    expect(pair('SHARES AND RETURNS', 'FIVE YEARS COMPARED', apart, apart)).toHaveLength(2);
    expect(pair('SHARES AND RETURNS', 'FIVE YEARS COMPARED', apart, '')).toHaveLength(2);
    expect(pair('Risks of Our Business', 'We May Lose a Supplier')).toHaveLength(2);
    expect(pair('EXAMPLE COMPANY', 'BALANCE SHEETS')).toHaveLength(2);
    expect(pair('SHARES AND RETURNS', '2. DIVIDENDS PAID')).toHaveLength(2);
  });

  it('that Item 101 asks for once are of the whole business, and no part of a segment', () => {
    expect(outline(titled('Machines, Lathes*, Competition*, Employees*')).slice(1).join(', ')).toBe(
      '2 Machines, 3 Lathes, 2 Competition, 2 Employees',
    );
    const each = titled('Machines, Lathes*, Competition*, Tools, Lathes*, Competition*');
    expect(outline(each).slice(1).join(', ')).toBe(
      '2 Machines, 3 Lathes, 3 Competition, 2 Tools, 3 Lathes, 3 Competition',
    );
    expect(outline(titled('Our Business, Lathes*, Competition*')).slice(1)[2]).toBe('3 Competition');
    // Among other parts of a group they are of that group.
    const inside = 'Radars, Ships*, Government Contracts*, Planes*, Engines, Jets*, Customers*, Wings*';
    expect(outline(titled(inside)).slice(1).join(', ')).toBe(
      '2 Radars, 3 Ships, 3 Government Contracts, 3 Planes, 2 Engines, 3 Jets, 3 Customers, 3 Wings',
    );
  });

  it('of a typewritten discussion of risks are under its title, and a letter may begin one', () => {
    const text = (title: string) => `${title}\n\n${WORDS.replaceAll(/(.{1,60}) /g, '$1\n')}\n`;
    const report = `Item 1. Business\n\n${[
      'Sales',
      'Factors That May Affect Future Results',
      'Our Plants',
      'Our People',
      'Liquidity and Capital Resources',
      '(b) Orders From Abroad:',
    ]
      .map(text)
      .join('\n')}\nItem 2. Properties\n\nNone.\n`;
    expect(outline(report).slice(1)).toEqual([
      '2 Sales',
      '2 Factors That May Affect Future Results',
      '3 Our Plants',
      '3 Our People',
      '2 Liquidity and Capital Resources',
      '2 (b) Orders From Abroad:',
    ]);
  });

  it('of typewritten pages are capitals, rules, titles, and titles directly above their paragraph', () => {
    const paragraph =
      'We make widgets of every size, and we sell them to people who need\nwidgets in many places of the world, as we have done for many years.\n';
    const text = [
      'FORM 10-K\n\n\nItem 1. Business\n',
      `PRODUCTS\n\n${paragraph}`,
      `Small Widgets\n-------------\n\n${paragraph}`,
      `Large Widgets. We make widgets of every size, and we sell them to\n--------------\nwidgets in many places of the world, as we have done for many years.\n`,
      `Competition and Markets\n${paragraph}`,
      `Raw materials and parts\n\n${paragraph}\n<TABLE>\nHertz and Others\n\n${paragraph.repeat(2)}</TABLE>\n`,
      'ASSETS\nCash.........      12      13\nOther........       4       5\n',
      'Item 2. Properties\n\nNone.\n',
    ].join('\n');
    expect(outline(text)).toEqual([
      '1 Item 1. Business',
      '2 PRODUCTS',
      '3 Small Widgets',
      '4 Large Widgets.',
      '4 Competition and Markets',
      '4 Raw materials and parts',
      '4 Hertz and Others',
    ]);
  });

  it('are an outline, whatever the looks', () => {
    const look = fc.constantFrom('b', 'i', 'u', 'b><i', 'h2', 'center><b', 'font size=5');
    fc.assert(
      fc.property(fc.array(fc.tuple(look, fc.constantFrom('Products', 'MARKETS', 'Our people'))), (marks) => {
        const text = page(...marks.map(([tag, title]) => `<p><${tag}>${title}</${tag.split(/[ >]/)[0]}></p>${body}`));
        const { headings } = findStructure(text, findSections(text, '10-K'));
        expectOutline(headings);
      }),
    );
  });
});

function expectOutline(headings: ReturnType<typeof findStructure>['headings']): void {
  for (const [k, one] of headings.entries()) {
    const before = headings[k - 1];
    expect(one.end_index).toBeGreaterThan(one.start_index);
    if (before) expect(one.start_index).toBeGreaterThan(before.start_index);
    const above = one.parent === null ? null : headings[one.parent]!;
    expect(above === null ? 1 : above.level).toBeLessThan(above === null ? 2 : one.level);
    if (above) expect(one.end_index).toBeLessThanOrEqual(above.end_index);
  }
}

describe('single risks', () => {
  const item = (...parts: string[]) =>
    `<html><body><p>Item 1. Business</p>${body}<p>Item 1A. Risk Factors</p>${parts.join('')}<p>Item 2. Properties</p><p>None.</p></body></html>`;
  const risk = (title: string) => `<p><b><i>${title}</i></b></p>${body}`;
  const risksOf = (text: string) =>
    findStructure(text, findSections(text, '10-K')).risk_factors.map(({ heading }) => heading);

  it('are the headings with a text of their own, not those of groups', () => {
    const text = item(
      body,
      '<p><b>Risks Related to Our Business</b></p>',
      risk('We may lose customers.'),
      risk('Widgets may break.'),
      '<p><b>General Risks</b></p>',
      body,
      risk('Our shares may fall.'),
    );
    expect(risksOf(text)).toEqual(['We may lose customers.', 'Widgets may break.', 'Our shares may fall.']);
  });

  it('keep the headings inside them, and are not the lines of a summary', () => {
    const text = item(
      `<p><b>Strategic Risks</b></p>${body}<p><b>Financial Risks</b></p>${body}`,
      '<p><b>Strategic Risks</b></p>',
      risk('We depend on one customer.'),
      `<p><i>Airlines.</i> ${WORDS}</p>`,
      '<p><b>Financial Risks</b></p>',
      risk('We have debts.'),
    );
    const { risk_factors } = findStructure(text, findSections(text, '10-K'));
    expect(risk_factors.map(({ heading }) => heading)).toEqual(['We depend on one customer.', 'We have debts.']);
    expect(text.slice(risk_factors[0]!.start_index, risk_factors[0]!.end_index)).toContain('Airlines.');
  });

  it('have their group above them though it looks like them, and the note on forecasts is none', () => {
    const bold = (title: string, rest = body) => `<p><b>${title}</b></p>${rest}`;
    const text = item(
      bold('Cautionary Note Regarding Forward-Looking Statements'),
      bold('Our Customers and Plants', ''),
      bold('We may lose customers.'),
      bold('Widgets may break.'),
      bold('Our Shares', ''),
      bold('Our forward-looking statements may prove wrong.'),
    );
    const { headings, risk_factors } = findStructure(text, findSections(text, '10-K'));
    const above = new Map(headings.map(({ start_index, parent }) => [start_index, headings[parent ?? 0]!.heading]));
    expect(risk_factors.map(({ heading, start_index }) => [above.get(start_index), heading])).toEqual([
      ['Our Customers and Plants', 'We may lose customers.'],
      ['Our Customers and Plants', 'Widgets may break.'],
      ['Our Shares', 'Our forward-looking statements may prove wrong.'],
    ]);
  });

  it('are headings that a page cuts in two, stand twice, speak of groups, or run into a paragraph with few words', () => {
    const end = '<p><a href="#toc">Table of Contents</a></p>';
    const cut = `<p><b><i>Our plant depends on</i></b></p>${end}<p><b><i>its only road.</i></b></p>${body}`;
    const text = item(
      '<p><b>Our Plants</b></p>',
      cut + risk('Risks related to floods could stop our plant.') + risk('We may lose all of our best customers.'),
      '<p><b>Our Shares</b></p>',
      risk('We may lose all of our best customers.'),
    );
    const [owe, lose] = [
      'We owe banks more than we have earned in the ten years before.',
      'We may lose all of our best customers.',
    ];
    expect(risksOf(text)).toEqual([
      'Our plant depends on its only road.',
      'Risks related to floods could stop our plant.',
      lose,
      lose,
    ]);
    const runIn = (title: string) =>
      `<b><i>${title}</i></b> It may come at once, or in the whole course of the coming year, or later.</p>`;
    const paragraphs = `<p>${runIn(lose)}<p>${runIn(lose)}<p style="text-indent:36pt">${runIn(owe)}`;
    expect(risksOf(item(`<p>${WORDS.repeat(2)}</p>`, paragraphs))).toEqual([lose, lose, owe]);
  });

  it('are neither titles that say what factors may do, nor the shorter entries of a summary', () => {
    const lines = ['We may lose customers.', 'Widgets may break.', 'Our shares may fall.'];
    const short = `<p>${WORDS.slice(0, 100)}.</p>`;
    const text = item(
      '<p><b>Summary of Risk Factors</b></p>',
      ...lines.map((title) => `<p><b><i>${title}</i></b></p>${short}`),
      `<p><b><i>Risk Factors That May Affect Future Results</i></b></p>${body}`,
      ...lines.map((title) => risk(title) + body.repeat(2)),
    );
    expect(risksOf(text)).toEqual(lines);
  });

  it('none if the item refers elsewhere', () => {
    expect(risksOf(item('<p>There were no material changes from our last report.</p>'))).toEqual([]);
  });
});

const RISKY =
  'Our results may suffer if customers fail to pay, and competition could harm us; actual results may differ from forecasts. ';

describe('discussions of risks before December 2005', () => {
  const discussion = (title: string) => `<p><b>${title}</b></p>${`<p>${RISKY.repeat(12)}</p>`}`;
  const found = (text: string, filingDate = '2003-03-01') =>
    findStructure(text, findSections(text, '10-K'), { filingDate }).risk_factors;

  it('are found by title and words, wherever they stand, with the risks in them', () => {
    const text = page(
      '<p><b>Products</b></p>',
      body,
      `<p><b>Factors That May Affect Future Results</b></p><p>${RISKY.repeat(2)}</p>`,
      ...['We depend on others', 'Rules may change'].map((title) => `<p><i>${title}</i></p><p>${RISKY.repeat(6)}</p>`),
      '<p><b>Employees</b></p>',
      body,
    );
    const [one, ...others] = found(text);
    expect(others).toEqual([]);
    expect(one).toMatchObject({ section: '1', heading: 'Factors That May Affect Future Results' });
    expect(one!.risks!.map(({ heading }) => heading)).toEqual(['We depend on others', 'Rules may change']);
    expect(text.slice(one!.end_index)).toMatch(/^Employees/);
    expect(found(text, '2006-03-01')).toEqual([]);
  });

  it('are not a pointer, a market risk, or a title whose text has no risks', () => {
    const pointer = '<p><b>Risk Factors</b></p><p>Our risks are described in Exhibit 99. They may change.</p>';
    expect(found(page(pointer, '<p><b>Employees</b></p>', body))).toEqual([]);
    expect(found(page(discussion('Interest Rate Risk')))).toEqual([]);
    expect(found(page(`<p><b>Risk Factors</b></p><p>${WORDS.repeat(12)}</p>`))).toEqual([]);
    expect(found(page(discussion('Certain Business Risks')))).toHaveLength(1);
  });
});

describe.skipIf(sharedFolder === null)('headings of the labelled filings', () => {
  const some = labels.filter((_, k) => k % 4 === 0).map(({ file }) => file);

  it.each(some)('%s: an outline in which each heading begins with its words', (file) => {
    const text = filingText(`labelled/${file}`);
    const label = labels.find((one) => one.file === file)!;
    const { headings, risk_factors } = findStructure(text, findSections(text, label.form_type));
    expectOutline(headings);
    for (const one of [...headings, ...risk_factors]) {
      const first = one.heading.match(/[A-Za-z0-9]+/)?.[0] ?? '';
      // `C<b>ritical`
      expect(text.slice(one.start_index, one.start_index + 400).replace(/<[^>]*>/g, '')).toContain(first);
    }
  });
});
