/** Tables of Form N-PX: how funds and managers voted. */
import { address, boolean, cik, date, decimal, integer, position, tablesOf, text } from '../map/descriptor.ts';

const table = tablesOf(['N-PX', 'N-PX/A']);
const matter = integer('matter', '', 'position of the matter');
const cover = 'formData/coverPage';

export const npxReports = table('npx_reports', {
  meaning: 'Reports of proxy votes, one row each',
  key: [],
  columns: [
    text('form_type', 'headerData/submissionType', 'N-PX or N-PX/A'),
    text('registrant_type', 'headerData/filerInfo/registrantType', 'RMIC: fund, IM: institutional manager'),
    cik('filer_cik', 'headerData/filerInfo/filer/issuerCredentials/cik', 'CIK of the filer'),
    text('company_type', 'headerData/filerInfo/investmentCompanyType', 'N-1A, N-2 …', { empty: 'a manager' }),
    date('period_of_report', 'headerData/filerInfo/periodOfReport', 'end of the twelve months'),
    text('year_or_quarter', `${cover}/yearOrQuarter`, 'YEAR or QUARTER'),
    integer('calendar_year', `${cover}/reportCalendarYear`, 'calendar year'),
    boolean('is_amendment', `${cover}/amendmentInfo/isAmendment`, 'the box', { empty: 'not said' }),
    integer('amendment_no', `${cover}/amendmentInfo/amendmentNo`, 'number of the amendment', { empty: 'no amendment' }),
    text('amendment_type', `${cover}/amendmentInfo/amendmentType`, 'restatement, or new votes', {
      empty: 'no amendment',
    }),
    text('report_type', `${cover}/reportInfo/reportType`, 'FUND VOTING REPORT, INSTITUTIONAL MANAGER VOTING REPORT …'),
    boolean('confidential_treatment', `${cover}/reportInfo/confidentialTreatment`, 'votes are left out on request'),
    text('file_number', `${cover}/fileNumber`, '811-… or 028-… as filed'),
    text('name', `${cover}/reportingPerson/name`, 'reporting person'),
    ...address(`${cover}/reportingPerson/address`),
    text('phone', `${cover}/reportingPerson/phoneNumber`, 'telephone'),
    boolean('has_explanation', `${cover}/explanatoryInformation/explanatoryChoice`, 'the box'),
    text('explanation', `${cover}/explanatoryInformation/explanatoryNotes`, 'explanatory notes', { empty: 'none' }),
    integer('other_managers_count', 'formData/summaryPage/otherIncludedManagersCount', 'as stated'),
    integer('series_count', 'formData/seriesPage/seriesCount', 'as stated', { empty: 'a manager' }),
    text('signer_name', 'formData/signaturePage/txPrintedSignature', 'who signs'),
    text('signer_title', 'formData/signaturePage/txTitle', 'title'),
    text('signature', 'formData/signaturePage/txSignature', 'as typed'),
    date('signature_date', 'formData/signaturePage/txAsOfDate', 'date'),
  ],
});

export const npxManagers = table('npx_managers', {
  meaning: 'Other managers whose votes the report holds',
  key: [position],
  columns: [
    integer('serial_number', 'serialNo', 'number that npx_matter_managers uses'),
    text('form13f_file_number', 'form13FFileNumber', 'as filed'),
    text('crd_number', 'crdNumber', 'as filed'),
    text('sec_file_number', 'secFileNumber', 'as filed'),
    text('lei', 'leiNumber', 'LEI'),
    text('name', 'name', 'name'),
  ],
});

export const npxSeries = table('npx_series', {
  meaning: 'Series of the fund whose votes the report holds',
  key: [position],
  columns: [
    text('series_id', 'idOfSeries', 'S000…'),
    text('name', 'nameOfSeries', 'name'),
    text('lei', 'leiOfSeries', 'LEI'),
  ],
});

export const npxMatters = table('npx_matters', {
  meaning: 'Matters that were to be voted on, one for each series and manager; a matter may have no vote',
  key: [integer('position', '', 'from 0 over all vote tables of the filing')],
  columns: [
    text('issuer_name', 'issuerName', 'as filed'),
    text('cusip', 'cusip', 'as filed'),
    text('isin', 'isin', 'as filed'),
    text('figi', 'figi', 'as filed'),
    date('meeting_date', 'meetingDate', 'day of the meeting'),
    text('description', 'voteDescription', 'the matter, in words'),
    text('other_description', 'otherVoteDescription', 'of category OTHER'),
    text('source', 'voteSource', 'ISSUER or SECURITY HOLDER'),
    decimal('shares_voted', 'sharesVoted', 'shares voted in all'),
    decimal('shares_on_loan', 'sharesOnLoan', 'shares on loan and not recalled'),
    text('series_id', 'voteSeries', 'series that voted', { empty: 'a manager, or a fund without series' }),
    text('other_info', 'voteOtherInfo', 'further words'),
    integer('votes', '', 'rows of this matter in npx_votes: 0 if none is stated'),
  ],
});

export const npxCategories = table('npx_categories', {
  meaning: 'Categories of matters; a matter may have several',
  key: [matter, position],
  columns: [
    text('category', 'categoryType', 'DIRECTOR ELECTIONS, SECTION 14A SAY-ON-PAY VOTES …'),
    text('other_description', 'categoryDescription', 'the other in words'),
  ],
});

export const npxVotes = table('npx_votes', {
  meaning: 'Votes of matters; a matter may be split',
  key: [matter, position],
  columns: [
    text('how_voted', 'howVoted', 'FOR, AGAINST, ABSTAIN, WITHHOLD …'),
    decimal('shares_voted', 'sharesVoted', 'shares voted so'),
    text(
      'management_recommendation',
      'managementRecommendation',
      'as filed: whether the vote agrees with management (FOR), not what management said',
    ),
  ],
});

export const npxMatterManagers = table('npx_matter_managers', {
  meaning: 'Managers that a matter names',
  key: [matter, position],
  columns: [text('manager', '.', 'serial number of npx_managers, as filed')],
});
