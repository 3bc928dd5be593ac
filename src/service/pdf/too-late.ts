/** The answers to a PDF that takes too long or too much. */
import { ServiceProblem, unavailable } from '../answers/problem.ts';

const RETRY_AFTER_SECONDS = 30;

export function tooLate(): ServiceProblem {
  return new ServiceProblem(504, 'the PDF was not rendered in time; ask for single documents, or without exhibits');
}

export function tooLongInLine(): ServiceProblem {
  return unavailable('the PDFs before this one took too long', RETRY_AFTER_SECONDS);
}

export function tooMuchMemory(): ServiceProblem {
  return new ServiceProblem(422, 'the PDF takes more memory than there is for one; ask for single documents');
}
