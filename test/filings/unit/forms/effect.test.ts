import { existsSync, globSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { mapped, rowsOf, said } from '../../../support/forms/mapped.ts';
import { filingOf } from '../../../support/forms/real-files.ts';
import { sharedFolder } from '../../../support/shared.ts';

describe('EFFECT', () => {
  const filer = (cik: string) =>
    `<filer><cik>${cik}</cik><entityName>A</entityName><fileNumber>333-1</fileNumber></filer>`;

  it('gives the day and the registration, and a row for each filer', () => {
    const rows = mapped(
      `<edgarSubmission><submissionType>EFFECT</submissionType><act>33</act><effectiveData><finalEffectivenessDispDate>2022-01-11</finalEffectivenessDispDate><form>S-1</form>${filer('0000000007')}${filer('8')}</effectiveData></edgarSubmission>`,
    );
    expect(said(rows.effect_notices![0])).toEqual({
      act: '33',
      effective_date: '2022-01-11',
      registration_form: 'S-1',
    });
    expect(rows.effect_filers).toMatchObject([
      { position: 0, filer_cik: '7', file_number: '333-1' },
      { position: 1, filer_cik: '8' },
    ]);
    expect(rows.form_unknown_elements).toBeUndefined();
  });

  const folder = sharedFolder === null ? null : join(sharedFolder, 'edgar/xml/other');
  it.skipIf(folder === null || !existsSync(folder))('takes everything from the real ones', () => {
    const files = globSync('effect*.xml', { cwd: folder! });
    expect(files).toHaveLength(2);
    for (const file of files) {
      const { effect_notices, effect_filers, ...rest } = rowsOf(filingOf(`edgar/xml/other/${file}`));
      expect([effect_notices?.length, effect_filers?.length, rest]).toEqual([1, 1, {}]);
    }
  });
});
