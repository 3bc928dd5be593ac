import { describe, expect, it } from 'vitest';
import { readableText } from '../../../../src/filings/documents/index.ts';
import { labels } from '../../../support/documents/labelled.ts';
import { cutsIn, gluedWords, lettersOf, sectionsOf } from '../../../support/documents/paragraphs.ts';
import { readPlaces } from '../../../support/documents/places.ts';
import { sharedFolder } from '../../../support/shared.ts';

const PROSE =
  'The company makes machines, sells them in many countries, and keeps them in repair for those who bought them. ';

const PARAGRAPH = `<p>${PROSE.repeat(4)}</p>`;

/** Eight pages with their numbers. Between the third and the fourth stand the texts. */
const paged = (above: string, below: string) => {
  const page = (k: number) => `${k === 3 ? below : PARAGRAPH}${k === 2 ? above : PARAGRAPH}`;
  return Array.from({ length: 8 }, (_, k) => `${page(k)}<p align="center">${k + 1}</p><hr>`).join('');
};
const joined = (above: string, below: string) => {
  const text = readableText(paged(above, below), 'text/html');
  expect(text).not.toMatch(/^\d$/m);
  return text.split('\n');
};

describe('paragraphs of HTML', () => {
  const MOST = 'Most of the people who buy the machines are';
  const OPEN = `${PROSE}${MOST}`;

  it.each([
    ['in small letters', MOST, ' farmers of the country.'],
    ['with a name', 'Most are bought by the', ' United States of America.'],
    ['behind initials', 'It has plants in the U.S.', ' and in France.'],
    ['behind a hyphen that belongs to the word', 'It lends at fixed-', 'rates only.'],
    ['in the middle of a list item', MOST, ' farmers;', '\u2022 '],
    ['with a name in a list item', 'Most are bought by the', ' United States.', '\u2022 '],
  ])('are whole over the end of a page: %s', (_, end, below, mark = '') => {
    const above = `${mark}${PROSE}${end}`;
    expect(joined(`<p>${above}</p>`, `<p>${below}</p>`)).toContain(above + below);
  });

  it.each([
    ['a sentence that is over', `<p>${PROSE}</p>`, '<p>iPhone sales rose.</p>'],
    ['a heading', `<p>${OPEN}</p>`, '<p><b>Machines and Tools of Every Size.</b></p>'],
    ['a title in the same type', `<p>${PROSE}It has plants in France</p>`, '<p>Machines and Tools</p>'],
    ['an item of a list', `<p>${OPEN}</p>`, '<p>\u2022 farmers.</p>'],
    ['an item by its tag', `<p>${OPEN}</p>`, '<ul><li>farmers.</li></ul>'],
    ['items of a list', '<p>the loss of all who buy our machines,</p>', '<p>the loss of our plants, and</p>'],
    [
      'a sentence below an item without a full stop',
      `<p>\u2022 ${PROSE.trim().slice(0, -1)} and other items</p>`,
      '<p>In addition, these definitions apply:</p>',
    ],
    ['a table', `<p>${OPEN}</p>`, '<table><tr><td>men</td><td>12</td></tr><tr><td>all</td><td>3</td></tr></table>'],
    ['a heading above', '<p><b>Machines that we sold and that people</b></p>', '<p>use in many places.</p>'],
  ])('stay apart before %s', (_, above, below) => {
    const lines = joined(above, below);
    const last = above.replace(/<[^>]*>/g, '').trim();
    expect(lines).toContain(last);
  });

  it('continue over a line break within a sentence, and not in an address', () => {
    expect(
      readableText(`<p>${OPEN}<br>farmers of the country.</p><p>One Main Street<br>Springfield</p>`, 'text/html'),
    ).toBe(`${OPEN} farmers of the country.\n\nOne Main Street\nSpringfield`);
  });

  it('are whole if each of their lines is an element', () => {
    const lines = [
      'The company makes machines and tools of every size and sells them in',
      'many countries of the world to those of the people who work with',
      'their hands, and to the others who live in the cities of Northern',
      'Europe. It has made them for 100 years, since the first of December',
      '1923.',
    ];
    const html = `${lines.map((line) => `<p>${line}</p>`).join('')}<p>${PROSE}</p>`;
    expect(readableText(html, 'text/html')).toBe(`${lines.join(' ')}\n\n${PROSE.trim()}`);
  });

  it('have the marks of lists in tables before them, and no tab', () => {
    const item = (text: string) => `<table><tr><td>\u2022</td><td>${text}</td></tr></table>`;
    expect(readableText(`${item('One')}${item('Two')}<p>Three</p>`, 'text/html')).toBe(
      '\u2022 One\n\u2022 Two\n\nThree',
    );
  });

  it('lead back to the source at each character', () => {
    const html = paged(`<p>${PROSE}Most <b>are</b> bought by the</p>`, '<p>United &amp; more.</p>');
    const read = readPlaces(html, 'text/html');
    for (let i = 0; i < read.text.length; i++)
      if (/\w/.test(read.text[i]!)) expect(html[read.sourceIndex(i)]).toBe(read.text[i]);
  });
});

describe('paragraphs of typewritten pages', () => {
  const of = (text: string) => readableText(text, 'text/plain');
  const page = `    The company makes machines, sells them in many coun-
tries of the world, and keeps them in repair for long-
term owners.  Many countries buy   its machines.
    A new paragraph begins with its indented line, and it ends in
the next one.

(a)  The first item, which is longer than one line of a page and is
     continued here;
(b)  the second.

One Main Street
Springfield

                       1997        1996
Sales                  $ 12        $ 11
Costs                     3           2
`;

  it('are one line each, with tables as filed', () => {
    expect(of(page).split('\n\n')).toEqual([
      'The company makes machines, sells them in many countries of the world, and keeps them in repair for long-term owners. Many countries buy its machines.',
      'A new paragraph begins with its indented line, and it ends in the next one.',
      '(a) The first item, which is longer than one line of a page and is continued here;',
      '(b) the second.',
      'One Main Street\nSpringfield',
      '                       1997        1996\nSales                  $ 12        $ 11\nCosts                     3           2',
    ]);
  });

  it('keep their lines if lines are asked for', () => {
    expect(readableText(page, 'text/plain', 'lines')).toBe(page.trimEnd());
  });

  it('are read though blanks fill their lines up to the margin', () => {
    const lines = [
      'The  company  makes   machines,  sells  them  in  many  places',
      'of the   world,  and   keeps   them in   repair   for   owners',
      'of them.',
    ];
    expect(of(lines.join('\n'))).toBe(lines.join(' ').replace(/ +/g, ' '));
  });

  it('do not become a table for a gap behind their titles, for a mark within a sentence, or for a line that is not quite full', () => {
    const lines = [
      '    Section 1.2:     Other Offices.  Offices may at any time be fixed by',
      'the Board of Directors at such places as it deems appropriate for it,',
      '(ii) within the State.  It may also be that they have to be far away.',
      'Notwithstanding this, the Board may meet in any of them.',
    ];
    expect(of(lines.join('\n'))).toBe(lines.join(' ').trim().replace(/ +/g, ' '));
    expect(of('Assets of the company in all of the States and cities      1996\n  and others     1995')).toContain(
      '      1996\n',
    );
  });

  it('lose a rule under their first words, and no word', () => {
    const [above, below] = [
      'Fuel Economy.  The company makes machines that need less of it than',
      'other machines do.',
    ];
    expect(of(`${above}\n------------\n${below}\n`)).toBe(`${above.replace('  ', ' ')} ${below}`);
  });

  it('are whole below the figures of a table, where a number belongs to a word, and where a title has two rules', () => {
    const note = [
      '*  The shares of the market that are shown here are those of the whole',
      '   of North America, without Mexico.',
    ];
    const table = `<TABLE>\nTrucks         12.5      13.9\nCars           40.1      41.0\n----------\n${note.join('\n')}\n</TABLE>\n`;
    expect(of(table)).toMatch(/41\.0[\s\S]*\n\n\* The shares .* of the whole of North America, without Mexico\.$/);
    expect(of('The company will adopt the standard of the board that is known as No.\n133 next year.')).not.toContain(
      '\n',
    );
    expect(of(`Discussion and Results\n${'-'.repeat(22)}\nof Operations\n${'-'.repeat(13)}`)).toBe(
      'Discussion and Results of Operations',
    );
  });

  it('are whole though rules underline names in them, and end with a rule under all of a line', () => {
    const lines = 'The company makes machines which need less fuel than those of A. Smith\n%\nand others do.';
    expect(of(lines.replace('%', `${' '.repeat(60)}---------`))).not.toMatch(/\n|--/);
    expect(of(lines.replace('%', '-'.repeat(70)))).toMatch(/Smith\n\nand/);
  });

  it.each([
    ['a word that ends no sentence', 'of a member of the', 'Board of the company, or of\nany other.', true],
    ['a word above a rule', 'of a member of the', `${'-'.repeat(60)}\n\nBoard of the company, or of\nany other.`, true],
    ['a full line', 'of a new member who was never before on the Executive', 'Board of the company.', true],
    ['an end without a full stop', 'of a member', 'Board of the company.', false],
    ['a title', 'of a member of the', 'Executive Board', false],
    ['an item', 'of a member of the', 'Item 7. Executive Board of the company.', false],
    ['another margin', 'of a member of the', '     Board of the company.', false],
  ])('run over the end of a page behind %s', (_, end, below, whole) => {
    const text = of(`The company makes machines in many countries, and the election\n${end}\n<PAGE>\n${below}\n`);
    expect(text.split('\n\n').length).toBe(whole ? 1 : 2);
  });
});

describe.skipIf(sharedFolder === null)('paragraphs of labelled sections', () => {
  it.each(labels.filter((_, k) => k % 9 === 4).map(({ file }) => file))(
    '%s: no word is lost, doubled or glued',
    (file) => {
      for (const { text, lines } of sectionsOf(file)) {
        expect(lettersOf(text)).toBe(lettersOf(lines));
        expect(gluedWords(text, lines)).toEqual([]);
      }
    },
  );

  it('are cut at less than one place in ten sections', () => {
    const files = labels.map(({ file }) => file).filter((file, k) => k % 9 === 4 && file.includes('.htm'));
    const sections = files.flatMap(sectionsOf);
    const cuts = sections.flatMap(({ text }) => cutsIn(text));
    expect(sections.length).toBeGreaterThan(50);
    expect(cuts.length, cuts.join('\n')).toBeLessThanOrEqual(sections.length / 10);
  });
});
