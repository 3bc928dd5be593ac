import type { RecordKind } from '../file-kind.ts';
import { readSubmissionsJson, type SubmissionsJson } from './submissions-json.ts';

const NAME = /^CIK\d{10}(-submissions-\d{3})?\.json$/;

export const submissionsJsonKind: RecordKind<'submissions_json', SubmissionsJson> = {
  name: 'submissions_json',
  recognise(head) {
    // SEC's company facts are called CIK##########.json too.
    if (!head.isJson() || (head.hasJsonKey('facts') && head.hasJsonKey('entityName'))) return false;
    if (head.hasJsonKey('accessionNumber')) return true;
    return (
      (head.hasJsonKey('cik') && (head.hasJsonKey('filings') || head.hasJsonKey('entityType'))) || NAME.test(head.name)
    );
  },
  read: readSubmissionsJson,
};
