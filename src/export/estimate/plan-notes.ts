/** What a plan says in words: requests that may come on top, and what the lake can't be used for. */
import { counted } from '../../core/index.ts';
import type { FormsStep, Step } from '../steps/step.ts';

/** Pages that are requested only if EDGAR's summary of their filing names them. */
export function undecidedPages(steps: readonly Pick<Step, 'step'>[]): number {
  return steps.reduce((sum, step) => sum + ((step as Partial<FormsStep>).undecided?.length ?? 0), 0);
}

export function notesOfPages(pages: number): string[] {
  if (pages === 0) return [];
  return [
    `${counted(pages, 'request')} at most may come on top: pages of reports that are fetched if EDGAR's summary of the filing names them`,
  ];
}

/** Requests for what the lake has. If it did not change, they move no bytes. */
export function notesOfRefresh(requests: number): string[] {
  if (requests === 0) return [];
  return [`${counted(requests, 'request')} of these ask again for what the lake has: bytes move only if it changed`];
}

/** Tables of forms can be made later from stored XML, not from XML that was converted. */
export function notesOfRemap(steps: readonly Pick<Step, 'step'>[]): string[] {
  if (!steps.some((step) => 'output_format' in step && step.output_format === 'json')) return [];
  return [
    'XML is stored as JSON: filinglake remap can make no tables of forms from it. If you may want them, set documents: { xml: raw }',
  ];
}
