import { PDFDocument } from '@cantoo/pdf-lib';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { uuencode } from '../../../../src/cli/sample/uuencode.ts';
import { readSubmission } from '../../../../src/filings/edgar/index.ts';
import { madeUpTxt } from '../../../support/edgar/synthetic-submissions.ts';
import { twoCohorts } from './given.ts';

it('a logo is a JPEG', async () => {
  const isLogo = ({ filename }: { filename: string | null }) => /logo.*\.jpg$/.test(filename ?? '');
  const file = twoCohorts().find(({ submission }) => submission.documents.some(isLogo));
  const jpeg = readSubmission(file!.bytes).documents.find(isLogo)!.read();
  const image = await (await PDFDocument.create()).embedJpg(Uint8Array.from(jpeg));
  expect([image.width, image.height]).toEqual([24, 16]);
});

it('uuencode keeps every byte', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 400 }), (bytes) => {
      const body = uuencode(Buffer.from(bytes), 'x.bin').toString('latin1');
      expect(body.startsWith('begin 644 x.bin\n') && body.endsWith('\n\nend\n')).toBe(true);
      expect(readSubmission(madeUpTxt({ documents: [{ body }] })).documents[0]!.read()).toEqual(Buffer.from(bytes));
    }),
  );
});
