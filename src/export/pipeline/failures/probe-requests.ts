/** Requests that the operation has answered, newest first, from the lake. Repeated, they show if it still works. */
import { sectionFamily } from '../../../filings/api/index.ts';
import type { Lake } from '../../../lake/index.ts';
import { outputFormatOf, type Step } from '../../selectors/index.ts';
import { documentOf } from '../coverage/coverage.ts';
import type { Operation } from './circuit-breaker.ts';

/** A step that was done once. Coverage doesn't record the export, nor the service. */
export interface AnsweredStep {
  accession_number: string;
  step: Step;
}

/** Taken from several filings: the service may have removed one since. */
const FILINGS_MAX = 3;

const STEPS: Record<Operation, string> = {
  filing_info: "step = 'info'",
  filing_sections: "step = 'sections'",
  document: "(step LIKE 'document:%' OR step = 'forms')",
};

export async function probeRequests(lake: Pick<Lake, 'query'>, operation: Operation): Promise<AnsweredStep[]> {
  const rows = await lake.query(
    `SELECT accession_number, max_by(step, fetched_at) AS step, max_by(selector, fetched_at) AS selector FROM coverage
     WHERE status = 'done' AND ${STEPS[operation]}
     GROUP BY accession_number ORDER BY max(fetched_at) DESC, accession_number LIMIT ${FILINGS_MAX}`,
    { tables: ['coverage'] },
  );
  return rows.map(({ accession_number, step, selector }) => ({
    accession_number: String(accession_number),
    step: stepOf(String(step), String(selector ?? ''), String(accession_number)),
  }));
}

function stepOf(step: string, selector: string, accessionNumber: string): Step {
  // Every filing has a first document, whichever documents its form is made of.
  const document_id = step === 'forms' ? `${accessionNumber}-1` : documentOf(step);
  if (document_id !== null) {
    const output_format = outputFormatOf(selector);
    return { step: `document:${document_id}`, selector, document_id, output_format };
  }
  // The family of forms is the first word of the selector of sections.
  if (step === 'sections')
    return { step: 'sections', selector, form_type: sectionFamily(selector.split(/[,:]/)[0]!) ?? '10-K' };
  return { step: 'info', selector };
}
