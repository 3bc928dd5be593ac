/** Unset variables in a definition: noted, so that everything else in it is still checked. */
import type { DefinitionError } from './mistakes.ts';

export class UnsetVariables {
  readonly #noted: { mistake: DefinitionError; path: readonly string[] }[] = [];

  /** @param path of the value, in the file */
  note(mistake: DefinitionError, path: readonly string[]): void {
    this.#noted.push({ mistake, path });
  }

  /**
   * These mistakes together with others, except those about the missing values.
   * @param isSet whether the command line sets a path of an export: then the variable isn't needed
   */
  among(others: readonly DefinitionError[], isSet: (path: readonly string[]) => boolean): DefinitionError[] {
    const wanted = this.#noted.filter(({ path }) => !isSet(path[0] === 'exports' ? path.slice(2) : path));
    const isOfValue = ({ line, column, isOfMissing }: DefinitionError) =>
      !isOfMissing && this.#noted.some(({ mistake }) => mistake.line === line && mistake.column === column);
    return [...wanted.map(({ mistake }) => mistake), ...others.filter((mistake) => !isOfValue(mistake))];
  }
}
