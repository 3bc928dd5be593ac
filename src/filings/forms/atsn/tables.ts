/** Tables of Form ATS-N: alternative trading systems for NMS stocks describe how they work. */
import { boolean, cik, date, position, tablesOf, text } from '../map/descriptor.ts';

const table = tablesOf(['ATS-N', 'ATS-N/MA', 'ATS-N/UA', 'ATS-N/CA', 'ATS-N/OFA', 'ATS-N-W']);
const filer = 'headerData/filerInfo/filer';
const one = 'formData/partOne';

export const atsnReports = table('atsn_reports', {
  meaning: 'Descriptions of alternative trading systems, and their withdrawals, one row each',
  key: [],
  columns: [
    text('form_type', 'headerData/submissionType', 'ATS-N, an amendment, or ATS-N-W'),
    cik('filer_cik', `${filer}/filerCredentials/cik`, 'CIK of the operator'),
    text('withdrawn_accession_number', 'headerData/accessionNumber', 'number of the filing that is withdrawn', {
      empty: 'no withdrawal',
    }),
    text('ats_name', ['formData/cover/txNMSStockATSName', `${filer}/NMSStockATSName`], 'name of the system'),
    text('mpid', [`${one}/txtPart1Item5cNmsStockMPID`, `${filer}/MPID`], 'market participant identifier'),
    boolean(
      'operates_under_form_ats',
      'formData/cover/rbOperatesPursuantToFormATS',
      'operates under an earlier Form ATS',
    ),
    boolean('is_broker_dealer', `${one}/rbPart1Item1IsBd`, 'the operator is a registered broker-dealer', {
      empty: 'a withdrawal',
    }),
    text('operator_name', `${one}/txPart1Item2ATSName`, 'broker-dealer that operates the system'),
    text('file_number', `${one}/txPart1Item4aBdFileNumber`, '8-… as filed'),
    text('crd_number', `${one}/txPart1Item4aBdCrdNumber`, 'as filed'),
    text('association', `${one}/txPart1Item5aNsaFullName`, 'national securities association: FINRA'),
    date('member_since', `${one}/part1Item5bEffectiveMembershipDate`, 'start of that membership'),
    text('website', `${one}/txtPart1Item6uwebsite`, 'as typed'),
    text('site_street1', `${one}/part1Item7PrimarySite/street1`, 'primary site: first line of the street'),
    text('site_street2', `${one}/part1Item7PrimarySite/street2`, 'second line'),
    text('site_city', `${one}/part1Item7PrimarySite/city`, 'city'),
    text('site_state', `${one}/part1Item7PrimarySite/state`, 'as filed: US-NY'),
    text('site_zip', `${one}/part1Item7PrimarySite/zip`, 'postal code'),
    boolean('exhibit1_on_website', `${one}/cbPart1Item8Exhibit1atWebsite`, 'exhibit 1 is on the web site'),
    boolean('exhibit2_on_website', `${one}/cbPart1Item9Exhibit2atWebsite`, 'exhibit 2 is on the web site'),
  ],
});

export const atsnNames = table('atsn_names', {
  meaning: 'Names under which the system does business',
  key: [position],
  columns: [text('name', '@txPart1Item3ATSName', 'name')],
});

export const atsnAnswers = table('atsn_answers', {
  meaning: 'Answers of parts II and later, one row for each answer, in the order of the form',
  key: [position],
  wide: ['answer'],
  columns: [
    text('part', '', 'element of the part: partTwo'),
    text('item', '', 'item in that part, from the name of the question: 13a', { empty: 'the name has none' }),
    text('question', '', 'element or attribute with the answer, as the SEC names it'),
    text('answer', '', 'Y, N, or words, as filed'),
  ],
});
