/** Lines that a wing may have. */
export interface Limit {
  readonly source: number;
  readonly tests: number;
  /** Why a number was raised: what the new lines replace. */
  readonly because?: string;
}

export const LIMITS: Readonly<Record<string, Limit>> = {
  core: {
    source: 2_100,
    tests: 280,
    because:
      'one HTML template, one way of days, counts, bytes and CSV cells for people: two to five in other wings went',
  },
  filings: {
    source: 31_479,
    tests: 18_033,
    because:
      'whole paragraphs: one walk over the blocks replaces two; items of 20-Fs; statements of every kind of filer and of companies that file together, which were wrong or null. Quarters of money alone. Paragraphs compared, which agents had. Risks and groups counted by eye, which no test had. When sections of 20-Fs are requested. CUSIPs on covers of 13D and 13G in text, and lists of subsidiaries, which no table had. Statements as printed, of ten years that have no tags, and their place beside tagged ones; parts, other companies and other currencies are none. Companies of joint reports apart, which all went to the first, also if their names differ in the kind alone; numbers that tags cut. Names of several lines in typewritten 13F tables, which were cut, with 22 layouts. Series of new funds and of mergers, and warnings of those without a number. Headings whose range ran on: lists, notes, titles over two lines; or that were not found: words behind a mark or a first letter, lines that are elements, and series of letters; statements apart from the report on them. Captions that held what follows their table, notes beside their title, titles cut in two, and segments that ran on to the end of the item; one rule of typewritten risks in place of two. Kinds in words that no rule has, and denials by the words of each item, in place of any "no"; items of Form 20-F before 2000. Days of narrow columns, and one calendar of a report: values had the day of another year, of something else that ended, or a length of another column; statements that a converter set into one row of a table. Kinds: a place in passing, a part that the item asks for, and stars of headings, which were wrong. Substance that a no, or an answer before it, made nothing. Tests of contents within a report, of heads of pages, of text that runs on behind a title, and of headings joined or held where they should not be. Places in brackets, and reports as their own place: texts, and items that need no answer, were pointers. Facts beside the annual report, or beside a word that only seems to deny them',
  },
  lake: {
    source: 19_582,
    tests: 10_240,
    because:
      'turns of writers replace claims. Fourth quarters of who states quarters only, texts as a corpus. Panels without comparatives, whose values are planned once. Statements by fiscal year replace queries of a reader. One macro compares sentences, and their signs and points, in place of two expressions. Names in texts and comments of a query make no views. Who is who over time: names, tickers and CUSIPs with their filings, which no table joined. Companies by name in the report, in place of a count. Symbols in one form, classes only where a filing states them; spans that end with a Form 15 or a notice of a successor. Links to CRSP and Compustat: a join by hand doubles periods, and chooses in silence. Printed values fill what no tag states, and a lake without them plans none. Files of links that are unclear are refused, and an id that another company has is none, asked for or not. Series and classes of funds in headers, which no table had; a stock on two exchanges as one row. Each class of a fund has its own span of a ticker, which was lost to another class. Long texts apart from a query',
  },
  service: {
    source: 28_207,
    tests: 18_625,
    because:
      'structured forms from their rows: one renderer for pages and PDFs replaces a tree of XML elements and a list of links. Items of 8-Ks, owners, axes. Statements of quarters and changed sections replace bare frames. Sections of 20-Fs, which got 404. All rows of a table of a form replace a list that was cut. Managers of a company by its CUSIP; tables of 8-Ks as tables, not as words run together. Keys of one turn of the event loop are looked up once. A symbol that two lists of tickers give to two companies has one. Keys without limits wait for no lock. Symbols and CUSIPs of a company with the filing of each, also if it owns others',
  },
  export: {
    source: 24_301,
    tests: 25_856,
    because:
      'the engine is loaded by need, in place of by every command about runs; a signal before Temporal answers. Sections of 20-Fs, which no lake had. A window asks the lake only for what it may hold. An export of printed statements. Broken series concern only who wants them. Coverage of some among thousands, which no test had. A worker loads and starts its thread while Temporal starts, in place of after it',
  },
  agents: {
    source: 3_840,
    tests: 3_240,
    because:
      'rows that plain DuckDB reads again; changed paragraphs. Items of 20-Fs. What a run that waits has not fetched',
  },
  library: {
    source: 570,
    tests: 1_905,
    because:
      'the sentence of reports without statements in Python too; a filing and a company as objects. An engine that aborts after its rows',
  },
  cli: {
    source: 11_900,
    tests: 4_135,
    because:
      'queries of files without a lake; a list of items, in place of a wall of names in an error; questions of a panel read it once made. Panels with PERMNO and GVKEY, and with printed values. Files of links whose columns or names are unclear',
  },
};
