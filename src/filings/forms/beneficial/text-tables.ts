/** Tables of schedules 13D and 13G before December 2024, which are text or HTML: their cover page alone. */
import { boolean, position, tablesOf, text } from '../map/descriptor.ts';

const table = tablesOf(['SC 13D', 'SC 13D/A', 'SC 13G', 'SC 13G/A']);

export const beneficialTextCusips = table('beneficial_text_cusips', {
  meaning: 'CUSIPs on the cover page of schedules 13D and 13G before December 2024, found in their text',
  key: [position],
  columns: [
    text('document', '', 'file name of the document, or its place in the filing, from 1'),
    text('cusip', '', 'without blanks and hyphens'),
    boolean('cusip_valid', '', 'the check digit fits'),
    text('securities_class_title', '', 'class, as above its caption', { empty: 'not found, or several CUSIPs' }),
    text('issuer_name', '', 'name of the issuer, as above its caption', { empty: 'not found' }),
    text('stated_in', '', 'cover: beside the caption of the cover page; head: in the heads of the pages'),
  ],
});
