/** Recognises pages, documents and XML, so that they are counted by name. This room doesn't read their content. */
import type { FileHead, FileKind } from '../reading/file-kind.ts';

/** Titles of EDGAR's own pages, and of error pages that EDGAR, or a proxy before it, sends in place of a file. */
const PAGE_TITLE =
  /^(SEC\.gov \||EDGAR Filing Documents for|SEC EDGAR Submission|EDGAR Search Results|EDGAR \||\d{3}\b.*(error|forbidden|not found|unavailable|gateway|timeout|too many)|error\b|access denied|forbidden|not found|bad gateway|service unavailable)/i;

/** A page that EDGAR, or a proxy before it, sends in place of a file. */
export const pageKind: FileKind<'page'> = {
  name: 'page',
  recognise(head) {
    // The answer of EDGAR's storage for a file that doesn't exist, or that it doesn't send.
    if (head.isMarkup() && head.root === 'error' && /<Code>/.test(head.text)) return true;
    return isHtml(head) && PAGE_TITLE.test(/<title>\s*([^<]*)/i.exec(head.text)?.[1] ?? '');
  },
};

/** The cover page of a report in plain text names the authority. */
const COVER = /SECURITIES\s+AND\s+EXCHANGE\s+COMMISSION/i;

/** A single document of a filing, with or without the tags of a submission before it. */
export const documentKind: FileKind<'document'> = {
  name: 'document',
  recognise: (head) =>
    /^<DOCUMENT>\s*<TYPE>/.test(head.text) ||
    isHtml(head) ||
    (head.isMarkup() ? /\.html?$/i.test(head.name) : /\.txt$/i.test(head.name) && COVER.test(head.text)),
};

export const xmlKind: FileKind<'xml'> = {
  name: 'xml',
  recognise: (head) => head.text.startsWith('<?xml') || (head.isMarkup() && /\.(xml|xsd)$/i.test(head.name)),
};

function isHtml(head: FileHead): boolean {
  return head.isMarkup() && (head.root === 'html' || /^<!DOCTYPE\s+html/i.test(head.text));
}
