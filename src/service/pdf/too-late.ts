/** The answer to a PDF that takes too long. */
import { ServiceProblem } from '../problem.ts';

export function tooLate(): ServiceProblem {
  return new ServiceProblem(504, 'the PDF was not rendered in time; ask for single documents, or without exhibits');
}
