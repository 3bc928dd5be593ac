import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { commandLine } from '../../support/command-line.ts';
import { temporaryFolder } from '../../support/lake/temporary-folder.ts';

const folder = temporaryFolder();
const run = (...args: string[]) => commandLine(['text', ...args], { cwd: folder });

const REPORT = '<html><body><p>FORM 10-K</p><p>Item 1. Business</p><p>We sell things.</p></body></html>';
const document = (sequence: number, type: string, filename: string, text: string) =>
  `<DOCUMENT>\n<TYPE>${type}\n<SEQUENCE>${sequence}\n<FILENAME>${filename}\n<TEXT>\n${text}\n</TEXT>\n</DOCUMENT>\n`;
const SUBMISSION = `<SEC-DOCUMENT>0000000000-24-000001.txt : 20240501
<SEC-HEADER>0000000000-24-000001.hdr.sgml : 20240501
ACCESSION NUMBER:		0000000000-24-000001
CONFORMED SUBMISSION TYPE:	10-K
PUBLIC DOCUMENT COUNT:		2
FILED AS OF DATE:		20240501
</SEC-HEADER>
${document(1, '10-K', 'a.htm', REPORT)}${document(2, 'EX-99', 'b.htm', '<html><p>News</p></html>')}</SEC-DOCUMENT>
`;

describe('filinglake text', () => {
  it('prints the text of a document, plain or as Markdown, with the sections as headings', async () => {
    writeFileSync(join(folder, 'a.htm'), REPORT);
    expect((await run('a.htm')).stdout).toBe('FORM 10-K\n\nItem 1. Business\n\nWe sell things.\n');
    expect((await run('a.htm', '--format', 'markdown')).stdout).toMatch(/\n# Item 1\. Business\n\nWe sell things\.\n$/);
  });

  it('prints the main document of a submission, or the one that is named', async () => {
    writeFileSync(join(folder, 's.txt'), SUBMISSION);
    expect((await run('s.txt')).stdout).toContain('We sell things.');
    expect((await run('s.txt', '--document', '2')).stdout).toBe('News\n');
    const { stdout } = await run('s.txt', '--document', '2', '--json');
    expect(JSON.parse(stdout)).toEqual({
      file: 's.txt',
      filename: 'b.htm',
      type: 'EX-99',
      content_type: 'text/html',
      format: 'plain',
      text: 'News',
    });
    const missing = await run('s.txt', '--document', '3');
    expect([missing.status, missing.stderr]).toEqual([1, expect.stringContaining('It has 1, 2.')]);
  });

  it('names the values of a form in XML, and refuses what has no text', async () => {
    writeFileSync(join(folder, 'f.xml'), '<?xml version="1.0"?><form><shares><value>15</value></shares></form>');
    expect((await run('f.xml')).stdout).toBe('form\nshares: 15\n');
    writeFileSync(join(folder, 'p.pdf'), '%PDF-1.4');
    expect((await run('p.pdf')).stderr).toContain('application/pdf');
  });
});
