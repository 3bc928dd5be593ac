import { boolean, type FormColumn, tablesOf } from '../map/descriptor.ts';

/** A table of Form N-CEN. */
export const table = tablesOf(['N-CEN', 'N-CEN/A']);

/**
 * An answer to a question with details. A no is an element; a yes is an attribute of the group that has the details:
 * `isClaimFiled`, `claimFiled/@isClaimFiled`.
 * @param question path of the element
 */
export function answer(name: string, question: string, meaning: string): FormColumn {
  const steps = question.split('/');
  const element = steps.pop()!;
  return boolean(name, [question, [...steps, '*', `@${element}`].join('/')], meaning);
}
