/** The form of a single document, from its cover page. */
import { decodeReferences } from '../../api/index.ts';
import { scanMarkup } from '../lines/markup.ts';
import { looksLikeHtml } from '../lines/media-type.ts';
import { Visibility } from '../lines/visibility.ts';

const COVER_LETTERS = 6000;
/** Typewritten covers space their letters: F O R M  1 0 - K. */
const REPORT =
  '1 ?0 ?-? ?k ?(?:sb40|sb|t405|405|t)?(?![a-z]{2})|1 ?0 ?-? ?q ?(?:sb|t)?(?![a-z]{2})|8 ?-? ?k(?:12b|12g3|15d5)?';
/** Names of other forms have a digit (S-1, 20-F, 12b-25), or are one of these. */
const OTHER = String.raw`2 ?0 ?-? ?f\b|(?:n|abs|ats|mm)-[a-z]{1,5}\b|(?:sd|cb)\b|(?=[a-z]{0,3}-?\d)[a-z\d]{1,5}(?:-[a-z\d]{1,5}){0,2}\b`;
const SCHEDULE = String.raw`1[34] ?[a-g]\b(?:-\d+)?|to-[citr]\b`;
const NAMED = new RegExp(
  String.raw`\bf ?o ?r ?m ?(?:(${REPORT})( ?\/ ?a\b| \(?amendment)?|(${OTHER})(?: ?\/ ?a\b)?)|\bschedule ?(${SCHEDULE})|\brule (424) ?\(? ?(b) ?\)? ?\(? ?(\d)`,
  'gi',
);
/** Words of a running sentence before a form's name: `on Form 10-K`, `our Form 20-F`, `(Form S-8 No. 33-1)`. */
const IN_SENTENCE = /(?:[a-z,;][’']?|[(“"‘'])\s*$/;
/** A letter about a report names the form in its subject: `Re: Apple Inc. Form 10-K`. */
const SUBJECT = /\b(?:Re|RE) ?:.*$/;
const AMENDS = /\bamendment no\W{0,3}\w{0,5},? ?(?:to|on) $/i;
const FILED_UNDER = /\bfiled (?:pursuant to|under) $/i;
/** The line of a periodic report's cover. A cover may name its form in a sentence only: `Annual Report on Form 10-K`. */
const PERIODIC_REPORT = /\breport (?:pursuant to|under) section 13\b/i;
const STATED = /^\s*<(?:type|submissionType|documentType)>\s*([^\s<][^<\n]*)/im;

/**
 * The form type on a document's first page (`10-K`, `10-Q`, `8-K` and their variants; `20-F`, `S-1`, `SCHEDULE 14A`, `424B5` ...),
 * or in its `<TYPE>` line if it has one. Null if neither states it.
 */
export function guessFormType(text: string): string | null {
  const stated = STATED.exec(text.slice(0, 2000));
  if (stated) return stated[1]!.trim().toUpperCase();
  const cover = coverText(text).replace(SUBJECT, '');
  let mentioned: string | null = null;
  for (const match of cover.matchAll(NAMED)) {
    const before = cover.slice(Math.max(0, match.index - 60), match.index);
    const [, report, amended, other, schedule, prospectus] = match;
    if (prospectus !== undefined) {
      if (FILED_UNDER.test(before)) return `424B${match[7]}`;
    } else if (match[0].startsWith('f') || isInSentence(before)) {
      if (report !== undefined) mentioned ??= reportName(report, amended);
    } else {
      if (report === undefined) return schedule ? `SCHEDULE ${plain(schedule)}` : plain(other!);
      return reportName(report, amended);
    }
  }
  return PERIODIC_REPORT.test(cover) ? mentioned : null;
}

function isInSentence(before: string): boolean {
  return IN_SENTENCE.test(before) && !AMENDS.test(before);
}

function plain(name: string): string {
  return name.toUpperCase().replace(/ /g, '');
}

function reportName(name: string, amended: string | undefined): string {
  const form = plain(name).replace(/^(10|8)-?/, '$1-');
  return amended === undefined ? form : `${form}/A`;
}

function coverText(text: string): string {
  const visibility = new Visibility();
  const pieces: string[] = [];
  let letters = 0;
  // Hidden facts before the cover of an inline XBRL page may fill megabytes.
  const start = Math.max(0, text.indexOf('</ix:header>'));
  const end = Math.min(text.length, start + 1_000_000);
  scanMarkup(text, start, end, !looksLikeHtml(text), {
    open: (name, from, to, selfClosing) => visibility.open(name, text.slice(from, to), selfClosing),
    close: (name) => visibility.close(name),
    text(from, to) {
      if (visibility.hidden || letters > COVER_LETTERS) return;
      pieces.push(text.slice(from, Math.min(to, from + COVER_LETTERS)));
      letters += to - from;
    },
  });
  return decodeReferences(pieces.join(' ')).replace(/\s+/g, ' ');
}
