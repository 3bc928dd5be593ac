/** Schedules 13D and 13G in text or HTML. */
import type { Filing, FilingDocument } from '../map/filing.ts';
import type { FilingMapper } from '../map/form.ts';
import { MAPPING_VERSION } from '../map/problems.ts';
import { readTextCover } from './text-cover.ts';
import { beneficialTextCusips } from './text-tables.ts';

export const beneficialText: FilingMapper = {
  name: 'beneficial',
  tables: [beneficialTextCusips],
  claims: [],
  *map(filing, found, problems) {
    if (found.size > 0 || !isTextSchedule(filing.formType)) return;
    const schedules = schedulesOf(filing);
    for (const [document, label] of schedules) {
      const cover = readTextCover(document.text());
      if (cover === null) continue;
      for (const [position, { cusip, isValid }] of cover.cusips.entries())
        yield {
          table: beneficialTextCusips.name,
          row: {
            accession_number: filing.accessionNumber,
            position,
            document: label,
            cusip,
            cusip_valid: isValid,
            securities_class_title: cover.classTitle,
            issuer_name: cover.issuerName,
            stated_in: cover.statedIn,
            mapping_version: MAPPING_VERSION,
          },
        };
      return;
    }
    for (const [document, label] of schedules.slice(0, 1))
      problems.add(label, 'no_rows', document.text().slice(0, 200));
  },
};

/** Whether a form is a schedule 13D or 13G before its XML, which may be text or a web page. */
export function isTextSchedule(formType: string | null): boolean {
  return formType !== null && /^SC 13[DG](?:\/A)?$/i.test(formType);
}

/** Whether a document may be the schedule itself, not an exhibit. */
export function mayBeSchedule({ name, type }: Pick<FilingDocument, 'name' | 'type'>): boolean {
  return (type === null || isTextSchedule(type)) && (name === null || /(?:^[^.]*|\.(?:txt|html?))$/i.test(name));
}

function schedulesOf({ documents }: Filing): [document: FilingDocument, label: string][] {
  return documents.flatMap((document, k): [FilingDocument, string][] =>
    mayBeSchedule(document) ? [[document, document.name ?? String(k + 1)]] : [],
  );
}
