/** An unknown parameter is refused by name: a silently ignored filter would make a wrong data set. */
import { nearestWord } from '../../core/index.ts';
import { badRequest, type ServiceProblem } from '../answers/problem.ts';

/** @param prefix `entity_query.` for its members */
export function unknownParameter(name: string, known: ReadonlyMap<string, unknown>, prefix: string): ServiceProblem {
  const names = [...known.keys()];
  const near = nearestWord(name, names);
  const shown = `${prefix}${name}`.slice(0, 100);
  return badRequest(`unknown parameter '${shown}'${near ? `; did you mean '${prefix}${near}'?` : ''}`);
}
