import { describe, expect, it } from 'vitest';
import { mapped, rowsOf, said } from '../../../support/forms/mapped.ts';
import { filingOf } from '../../../support/forms/real-files.ts';
import { sharedFolder } from '../../../support/shared.ts';

describe('ATS-N', () => {
  it('gives a row for each answer, also of nested groups and of unknown parts', () => {
    const rows = mapped(
      '<edgarSubmission><headerData><submissionType>ATS-N</submissionType></headerData><formData><cover><txNMSStockATSName>A</txNMSStockATSName></cover><partOne><atsNames><atsName txPart1Item3ATSName="B"/></atsNames><new>C</new></partOne><partTwo><group rbPart2Item1aIs="Y"><taPart2Item1aWhy>text</taPart2Item1aWhy><inner rbPart2Item1bIs="N"/></group></partTwo><partFour><plain>D</plain></partFour></formData></edgarSubmission>',
    );
    expect(said(rows.atsn_reports![0])).toEqual({ form_type: 'ATS-N', ats_name: 'A' });
    expect(rows.atsn_names).toMatchObject([{ position: 0, name: 'B' }]);
    expect(
      rows.atsn_answers!.map(({ position, part, item, question, answer }) => [position, part, item, question, answer]),
    ).toEqual([
      [0, 'partTwo', '1a', 'rbPart2Item1aIs', 'Y'],
      [1, 'partTwo', '1a', 'taPart2Item1aWhy', 'text'],
      [2, 'partTwo', '1b', 'rbPart2Item1bIs', 'N'],
      [3, 'partFour', null, 'plain', 'D'],
    ]);
    expect(rows.form_unknown_elements!.map(({ path }) => path)).toEqual(['edgarSubmission/formData/partOne/new']);
    expect(rows.form_problems).toBeUndefined();
  });

  it.skipIf(sharedFolder === null)('takes every answer of the real one, and names what a withdrawal withdraws', () => {
    const filing = filingOf('edgar/full-submissions/0001675365-19-000012.txt');
    const { atsn_reports, atsn_names, atsn_answers, ...rest } = rowsOf(filing);
    expect([atsn_reports, atsn_names, rest]).toMatchObject([
      [{ ats_name: 'Instinct X', mpid: 'MLIX', member_since: '2018-01-23' }],
      [{}],
      {},
    ]);
    const parts = /<partTwo>.*<\/partThree>/s.exec(filing.documents[0]!.text())![0];
    const filed = parts.match(/ rbPart\w+="|<\w+>(?=[^<\s])/g)!.length;
    expect(atsn_answers).toHaveLength(filed);
    expect(atsn_answers!.filter(({ item }) => item === null)).toEqual([]);
    const withdrawal = rowsOf(filingOf('edgar/full-submissions/0000019617-24-000664.txt'));
    expect(Object.keys(withdrawal)).toEqual(['atsn_reports']);
    expect(withdrawal.atsn_reports).toMatchObject([
      { filer_cik: '782124', ats_name: 'JPB-X', withdrawn_accession_number: '0000019617-24-000662' },
    ]);
  });
});
