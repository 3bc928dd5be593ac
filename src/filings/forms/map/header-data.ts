/**
 * What the header of a form in XML has beside the columns of tables: flags of the submission, addresses for notices, credentials that
 * EDGAR masks. They are named one by one, so that a new element is counted as unknown.
 */

const below = (folder: string, ...names: string[]) => names.map((name) => `${folder}/${name}`);

const CREDENTIALS = ['cik', 'ccc', 'filerCik', 'filerCcc'];

/** Paths below the root of `edgarSubmission`. */
export const HEADER_DATA: readonly string[] = below(
  'headerData/filerInfo',
  'liveTestFlag',
  'denovoRequest',
  'periodOfReport',
  'period',
  'registrantType',
  'contactEmail',
  'flags',
  'invstCompanyType',
  'investmentCompanyType',
  ...below('flags', 'confirmingCopyFlag', 'returnCopyFlag', 'overrideInternetFlag'),
  ...below(
    'contact',
    'name',
    'phone',
    'phoneNumber',
    'email',
    'contactName',
    'contactPhoneNumber',
    'contactEmailAddress',
  ),
  ...below('notifications', 'notificationEmailAddress', 'internetNotificationAddress'),
  ...below('filer', 'fileNumber', 'filerId', 'filerCcc', 'MPID', 'NMSStockATSName'),
  ...['credentials', 'filerCredentials', 'issuerCredentials'].flatMap((name) => below(`filer/${name}`, ...CREDENTIALS)),
  ...below('seriesClassInfo', 'seriesId', 'classId'),
);
