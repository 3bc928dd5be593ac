/** Exhibit 21 in the layouts of its time: made-up companies, real ways of writing. */
import { describe, expect, it } from 'vitest';
import { readList } from '../../../../src/filings/forms/subsidiaries/read-list.ts';

/** `name | jurisdiction | share | parent`; what is null at the end is left out. */
function list(source: string): string[] {
  return readList(source).rows.map(({ name, jurisdiction, share_percent: percent, parent }) =>
    [name, jurisdiction, percent, parent]
      .map((value) => value ?? '')
      .join(' | ')
      .replace(/[ |]+$/, ''),
  );
}

const cell = (text: string, style = '') => `<td style="padding:2px;${style}"><font size="2">${text}</font></td>`;
const tr = (...cells: string[]) =>
  `<tr>${cells.map((text) => (text.startsWith('<td') ? text : cell(text))).join('')}</tr>\n`;
const page = (...parts: string[]) =>
  `<html><head><title>EX-21</title></head><body><p align="right">Exhibit 21.1</p><p align="center"><b>SUBSIDIARIES OF ORBEL CORPORATION</b></p>${parts.join('')}</body></html>`;
const table = (...rows: string[]) => `<table width="100%">${rows.join('')}</table>`;

describe('a table of a web page', () => {
  it('has its heads, its heads again after a page, page numbers and marks', () => {
    const head = tr(
      '<b>Name of Subsidiary</b>',
      '',
      '<b>State or Other Jurisdiction of<br>Incorporation or Organization</b>',
    );
    expect(
      list(
        page(
          table(
            head,
            tr('Orbel Finance, Inc.<sup>(1)</sup>', '', 'Delaware'),
            tr('Tessaly Holdings&nbsp;B.V. *', '', 'The&nbsp;Netherlands'),
          ),
          '<p align="center">2</p><hr style="page-break-after:always">',
          table(
            head,
            tr('Kestr&eacute;l S.A.R.L.', '', 'Luxembourg'),
            tr('Orbel (Hong Kong) Ltd.', '', 'Hong Kong&#160;SAR'),
          ),
          '<p>(1) 49% of the shares are held by a third party, and all of the voting rights are held by the Company.</p>',
          '<p>* Omitted subsidiaries, considered in the aggregate as a single subsidiary, would not constitute a significant subsidiary.</p>',
        ),
      ),
    ).toEqual([
      'Orbel Finance, Inc. | Delaware',
      'Tessaly Holdings B.V. | The Netherlands',
      'Kestrél S.A.R.L. | Luxembourg',
      'Orbel (Hong Kong) Ltd. | Hong Kong SAR',
    ]);
  });

  it('without heads is read by what stands in its columns', () => {
    expect(
      list(
        page(
          table(
            tr('Delaware', 'Marn One LLC'),
            tr('England &amp; Wales', 'Marn Two Limited'),
            tr('Labuan', 'Marn Three Limited'),
          ),
        ),
      ),
    ).toEqual(['Marn One LLC | Delaware', 'Marn Two Limited | England & Wales', 'Marn Three Limited | Labuan']);
  });

  it('has shares, with or without signs, and words of a jurisdiction that no list knows', () => {
    expect(
      list(
        page(
          table(
            tr('Company', 'Country of incorporation', 'Percentage owned'),
            tr('Vosk Trading GmbH', 'Germany', '100'),
            tr('Vosk Shanghai Co., Ltd.', 'PRC', '99.5 %'),
            tr('Vosk Freezone FZE', 'Ajman Free Zone', '51', '%'),
            tr('Vosk Nominees', 'Jersey', '&mdash;'),
          ),
        ),
      ),
    ).toEqual([
      'Vosk Trading GmbH | Germany | 100',
      'Vosk Shanghai Co., Ltd. | PRC | 99.5',
      'Vosk Freezone FZE | Ajman Free Zone | 51',
      'Vosk Nominees | Jersey',
    ]);
  });

  it('has parents by indent: by padding, blanks, or cells that are empty', () => {
    const tree = [
      'Top Lyr, Inc. | Delaware',
      'Mid Lyr LLC | Texas |  | Top Lyr, Inc.',
      'Low Lyr Ltd. | Bermuda |  | Mid Lyr LLC',
      'Side Lyr Corp. | Ohio',
    ];
    const rows = [
      ['Top Lyr, Inc.', 'Delaware'],
      ['Mid Lyr LLC', 'Texas'],
      ['Low Lyr Ltd.', 'Bermuda'],
      ['Side Lyr Corp.', 'Ohio'],
    ] as const;
    const level = [0, 1, 2, 0];
    const head = tr('Name', 'Jurisdiction');
    expect(
      list(
        page(
          table(
            head,
            ...rows.map(([name, place], k) => tr(cell(name, `padding-left:${level[k]! * 12}pt`), cell(place))),
          ),
        ),
      ),
    ).toEqual(tree);
    expect(
      list(page(table(head, ...rows.map(([name, place], k) => tr('&nbsp;'.repeat(level[k]! * 3) + name, place))))),
    ).toEqual(tree);
    expect(
      list(
        page(
          table(
            ...rows.map(
              ([name, place], k) =>
                `<tr>${'<td></td>'.repeat(level[k]!)}<td colspan="${3 - level[k]!}">${name}</td><td>${place}</td></tr>`,
            ),
          ),
        ),
      ),
    ).toEqual(tree);
    // A hanging indent moves the first line back.
    const hanging = (text: string, left: number) =>
      `<td><p style="margin-left:${left + 10}pt;text-indent:-10pt">${text}</p></td>`;
    expect(
      list(
        page(table(...rows.map(([name, place], k) => `<tr>${hanging(name, level[k]! * 10)}<td>${place}</td></tr>`))),
      ),
    ).toEqual(tree);
  });

  it('has sections by jurisdiction', () => {
    expect(
      list(
        page(
          table(
            tr('<b>Delaware</b>', ''),
            tr('Arvo Pipe Co.', ''),
            tr('Arvo Rail, L.P.', ''),
            tr('<b>Canada</b>', ''),
            tr('Arvo Nord ULC', ''),
          ),
        ),
      ),
    ).toEqual(['Arvo Pipe Co. | Delaware', 'Arvo Rail, L.P. | Delaware', 'Arvo Nord ULC | Canada']);
  });

  it('has two lists side by side', () => {
    expect(
      list(
        page(
          table(
            tr('Name', 'Jurisdiction', 'Name', 'Jurisdiction'),
            tr('Alm Inc.', 'Nevada', 'Dorn Ltd.', 'Ireland'),
            tr('Beck LLC', 'Utah', 'Ekl AB', 'Sweden'),
            tr('Cay Corp.', 'Guam', '', ''),
          ),
        ),
      ),
    ).toEqual(['Alm Inc. | Nevada', 'Beck LLC | Utah', 'Cay Corp. | Guam', 'Dorn Ltd. | Ireland', 'Ekl AB | Sweden']);
  });

  it('may be one row whose cells are lists', () => {
    expect(
      list(
        page(
          '<table><tr><td>Ulm Inc.<br>Ven LLC<br>Wex Ltd.<br>Xan Pty Ltd</td><td>Iowa<br>Iowa<br>Scotland<br>New South Wales, Australia</td></tr></table>',
        ),
      ),
    ).toEqual(['Ulm Inc. | Iowa', 'Ven LLC | Iowa', 'Wex Ltd. | Scotland', 'Xan Pty Ltd | New South Wales, Australia']);
  });

  it('has names of other kinds: doing business as, former names, numbers before them', () => {
    const { rows: subsidiaries } = readList(
      page(
        table(
          tr('No.', 'Legal Name', 'Jurisdiction of Formation', 'Doing Business As'),
          tr('1.', 'Quell Stores, LLC (formerly Quell Retail, LLC)', 'Delaware', 'Quell Outlet'),
          tr('2.', 'Rand Sys d/b/a Randy', 'Texas', 'N/A'),
          tr('3.', '3 Rivers Bank', 'Pennsylvania', ''),
        ),
      ),
    );
    expect(subsidiaries.map(({ name, jurisdiction, other_names: others }) => [name, jurisdiction, others])).toEqual([
      ['Quell Stores, LLC', 'Delaware', 'formerly Quell Retail, LLC'],
      ['Rand Sys', 'Texas', 'd/b/a Randy'],
      ['3 Rivers Bank', 'Pennsylvania', null],
    ]);
  });

  it('has parents in a column, or in headings', () => {
    expect(
      list(
        page(
          table(
            tr('Subsidiary', 'State of Incorporation', 'Parent'),
            tr('Sorn Corp.', 'Maine', 'Registrant'),
            tr('Tarn Corp.', 'Ohio', 'Sorn Corp.'),
          ),
        ),
      ),
    ).toEqual(['Sorn Corp. | Maine', 'Tarn Corp. | Ohio |  | Sorn Corp.']);
    expect(
      list(
        page(table(tr('Sorn Corp.', 'Maine')), '<p>Subsidiaries of Sorn Corp.:</p>', table(tr('Tarn Corp.', 'Ohio'))),
      ),
    ).toEqual(['Sorn Corp. | Maine', 'Tarn Corp. | Ohio |  | Sorn Corp.']);
  });
});

describe('paragraphs', () => {
  it.each([
    ['Ardis Ltd. (Delaware)', 'Ardis Ltd. | Delaware'],
    ['Ardis, Inc., a Delaware corporation', 'Ardis, Inc. | Delaware'],
    ['Ardis Holdings LLC, a Delaware limited liability company (100%)', 'Ardis Holdings LLC | Delaware | 100'],
    ['Ardis GmbH &#150; Germany', 'Ardis GmbH | Germany'],
    ['Ardis Pty Ltd - Australia', 'Ardis Pty Ltd | Australia'],
    ['Ardis S.A., Luxembourg', 'Ardis S.A. | Luxembourg'],
    ['Ardis (UK) Limited (England and Wales)(2)', 'Ardis (UK) Limited | England and Wales'],
    ['Ardis Insurance Company (incorporated in Bermuda)', 'Ardis Insurance Company | Bermuda'],
    ['Ardis Partners (New York; 50.1%)', 'Ardis Partners | New York | 50.1'],
    ['&#149; Ardis Corp.&nbsp;&nbsp;&nbsp;&nbsp;&nbsp;&nbsp;Nevada', 'Ardis Corp. | Nevada'],
    ['(a) Ardis Corp. ........ Nevada', 'Ardis Corp. | Nevada'],
    ['Ardis Corporation, organized under the laws of the State of Ohio', 'Ardis Corporation | Ohio'],
  ])('%s', (text, row) => {
    expect(
      list(
        page(
          `<p>The following is a list of our subsidiaries as of December 31, 2019:</p><p>${text}</p><p>Brell Inc. (Utah)</p>`,
        ),
      ),
    ).toEqual([row, 'Brell Inc. | Utah']);
    expect(list(page(`${text}<br>Brell Inc. (Utah)<br>`))).toEqual([row, 'Brell Inc. | Utah']);
  });

  it('may be names alone, and headings of groups', () => {
    expect(
      list(
        page(
          '<p>Domestic subsidiaries:</p><p>Fenn Corp.</p><p>Gorse Company</p><p>Foreign subsidiaries:</p><p>Hale Oy</p><p>Page 1 of 1</p>',
        ),
      ),
    ).toEqual(['Fenn Corp.', 'Gorse Company', 'Hale Oy']);
  });

  it('may say that there is none, or where a list is', () => {
    expect(list(page('<p>None.</p>'))).toEqual([]);
    expect(list(page('<p>The Company has no subsidiaries.</p>'))).toEqual([]);
    expect(list(page('<p>Incorporated by reference to the report of last year.</p>'))).toEqual([]);
  });

  it('may be one sentence', () => {
    expect(list(page('<p>The Company has one subsidiary, Lorne Bank, a Missouri corporation.</p>'))).toEqual([
      'Lorne Bank | Missouri',
    ]);
  });
});

describe('a typewritten page', () => {
  it('has dots, wrapped names and places, marks, percents and indents', () => {
    const text = `
<PAGE>
                                                                    EXHIBIT 21
                     SUBSIDIARIES OF ORBEL CORPORATION
                          AS OF DECEMBER 31, 1997
<TABLE>
<CAPTION>
                                                     JURISDICTION      PERCENT
NAME                                                OF INCORPORATION    OWNED
- ----                                              ----------------   -------
<S>                                                 <C>                <C>
Orbel Mining Co...................................  Delaware             100
  Orbel Copper and Precious Metals of the Southern
    Hemisphere S.A................................  Chile                 99.9(A)
  Orbel Gulf W.L.L................................  United Arab           49
                                                    Emirates
Orbel Tungsten Gesellschaft fuer Bergbau mit        Germany              100
  beschraenkter Haftung
</TABLE>
                                       17
<PAGE>
Orbel Zinc Ltd*...................................  Ontario, Canada      100

*   The names of other subsidiaries of Orbel Corporation are omitted because,
    considered in the aggregate, they would not constitute a significant
    subsidiary of Orbel Zinc Ltd.
(A) Remaining percentage owned by another company of Orbel Mining Co.
`;
    expect(list(text)).toEqual([
      'Orbel Mining Co. | Delaware | 100',
      'Orbel Copper and Precious Metals of the Southern Hemisphere S.A. | Chile | 99.9 | Orbel Mining Co.',
      'Orbel Gulf W.L.L. | United Arab Emirates | 49 | Orbel Mining Co.',
      'Orbel Tungsten Gesellschaft fuer Bergbau mit beschraenkter Haftung | Germany | 100',
      'Orbel Zinc Ltd | Ontario, Canada | 100',
    ]);
    const subsidiaries = readList(text).rows;
    for (const { name, at } of subsidiaries) expect(text.slice(at, at + 8)).toBe(name.slice(0, 8));
  });

  it('has names and former names that both break, with the place in the second line', () => {
    expect(
      list(`                                       State of             Name Under Which
                 Company             Incorporation        Company Does Business
         -----------------------     -------------        ---------------------
         Orbel Income Life                               Orbel Income Life
          Insurance Company            Indiana            Insurance Company
         Dorn Globe And Fire                             Dorn Globe
          Insurance Company            Delaware           And Fire
         Alm Bank                      Ohio               Alm Bank
`).map((line) => line.split(' | ').slice(0, 2)),
    ).toEqual([
      ['Orbel Income Life Insurance Company', 'Indiana'],
      ['Dorn Globe And Fire Insurance Company', 'Delaware'],
      ['Alm Bank', 'Ohio'],
    ]);
  });

  it('has a bracket over two lines, and a last name without a place', () => {
    expect(
      list(`Orbel Capital Corporation (Delaware)
Orbel Trading and Marketing, LLC (Delaware) (approximately 60% owned by
  Dorn Energy)
Alm Transmission, LP (Delaware)
Beck Energy, Inc.
`),
    ).toEqual([
      'Orbel Capital Corporation | Delaware',
      'Orbel Trading and Marketing, LLC | Delaware | 60',
      'Alm Transmission, LP | Delaware',
      'Beck Energy, Inc.',
    ]);
  });

  it('has a bracket that nothing closes, and the next line is another company', () => {
    expect(list('Orbel Sherman Inc. (Delaware\nDorn Shrew Inc. (Delaware)\nAlm Co. (Ohio)\n')).toEqual([
      'Orbel Sherman Inc. | Delaware',
      'Dorn Shrew Inc. | Delaware',
      'Alm Co. | Ohio',
    ]);
  });

  it.each([
    ['left', ['<td rowspan="3">Delaware</td>', 'Alm Inc.'], ['Beck Inc.'], ['Cay Inc.'], ['Utah', 'Dorn Inc.']],
    ['right', ['Alm Inc.', '<td rowspan="3">Delaware</td>'], ['Beck Inc.'], ['Cay Inc.'], ['Dorn Inc.', 'Utah']],
  ])('has a jurisdiction of several rows at the %s', (_, ...rows) => {
    expect(list(page(table(...rows.map((cells) => tr(...cells)))))).toEqual([
      'Alm Inc. | Delaware',
      'Beck Inc. | Delaware',
      'Cay Inc. | Delaware',
      'Dorn Inc. | Utah',
    ]);
  });

  it('has names of words that head columns, and names with a place that are not headings', () => {
    expect(list(page(table(tr('Capital Corporation', 'Ohio'), tr('Title Company', 'Iowa'))))).toEqual([
      'Capital Corporation | Ohio',
      'Title Company | Iowa',
    ]);
    const { rows, unread } = readList('Alm Inc., Ohio\nOrbel Farms, Texas\nDorn Farms, Utah\nEkl LLC\n');
    expect(rows.find(({ name }) => name === 'Ekl LLC')?.jurisdiction ?? null).toBeNull();
    expect([...rows.map(({ name }) => name), ...unread].join()).toMatch(/Orbel Farms.*Dorn Farms/);
  });

  it('tells of lines that may be names and are in no row', () => {
    const { rows, unread } = readList(`Orbel Capital (Delaware)
Alm Transmission (Delaware)

Dorn Partners Ltd.
`);
    expect(rows.map(({ name }) => name)).toEqual(['Orbel Capital', 'Alm Transmission']);
    expect(unread).toEqual(['Dorn Partners Ltd.']);
  });

  it('has brackets behind names, and sections of places', () => {
    expect(
      list(`EXHIBIT 21

The following is a list of all subsidiaries of the registrant.  The state of
incorporation is indicated in parentheses following each name.

Abney & Sons, Inc. (Texas)
A. Brun (France)
Applied Ore (South Wales) (United Kingdom)
Very Long Name of a Company That Does Not Fit Upon One
   Line, Inc. (Delaware)
<PAGE>
                              2
Cane Waste BV (Netherlands)
`),
    ).toEqual([
      'Abney & Sons, Inc. | Texas',
      'A. Brun | France',
      'Applied Ore (South Wales) | United Kingdom',
      'Very Long Name of a Company That Does Not Fit Upon One Line, Inc. | Delaware',
      'Cane Waste BV | Netherlands',
    ]);
    expect(
      list('SUBSIDIARIES\n\nDelaware\n--------\n  Pell Corp.\n  Quint Inc.\n\nNew York\n--------\n  Rosk Corp.\n'),
    ).toEqual(['Pell Corp. | Delaware', 'Quint Inc. | Delaware', 'Rosk Corp. | New York']);
  });

  it('has names on three lines', () => {
    expect(
      list(
        'Name            State\n\nTorv Bank       Iowa\nTorv Leasing and\n  Equipment of the\n  North         Ohio\n',
      ),
    ).toEqual(['Torv Bank | Iowa', 'Torv Leasing and Equipment of the North | Ohio']);
  });

  it('may stand in a web page', () => {
    expect(
      list(
        '<html><body><pre>\nExhibit 21\n\nName               State\nAcre &amp; Sons Inc.   Ohio\n  Bay Co.          Iowa\n</pre></body></html>',
      ),
    ).toEqual(['Acre & Sons Inc. | Ohio', 'Bay Co. | Iowa |  | Acre & Sons Inc.']);
  });
});

describe('the code of a jurisdiction', () => {
  const codeOf = (place: string) =>
    readList(page(table(tr('Name', 'Jurisdiction'), tr('Zorn Inc.', place)))).rows[0]?.jurisdiction_code;
  it.each([
    ['Delaware', 'DE'],
    ['(a Cayman Islands company)', 'E9'],
    ['DE', 'DE'],
    ['Del.', 'DE'],
    ['Delaware, U.S.A.', 'DE'],
    ['State of Georgia', 'GA'],
    ['P.R.C.', 'F4'],
    ["People's Republic of China", 'F4'],
    ['Shanghai, China', 'F4'],
    ['Quebec, Canada', 'A8'],
    ['British Virgin Islands', 'D8'],
    ['BVI', 'D8'],
    ['ENGLAND AND WALES', 'X0'],
    ['The Netherlands', 'P7'],
    ['Korea (South)', 'M5'],
    ['Delaware limited liability company', 'DE'],
    ['Delaware/Texas', null],
    ['Ruritania', null],
  ])('%s is %s', (place, code) => {
    expect(codeOf(place)).toBe(code);
  });
});
