/** Variables that a definition takes values from and that are not set: noted, so that all else in it is looked at too. */
import type { DefinitionError } from './mistakes.ts';

export class UnsetVariables {
  readonly #noted: { mistake: DefinitionError; path: readonly string[] }[] = [];

  /** @param path of the value, in the file */
  note(mistake: DefinitionError, path: readonly string[]): void {
    this.#noted.push({ mistake, path });
  }

  /**
   * These mistakes together with others, but for those of the values that are not there.
   * @param isSet whether the command line has a value for a path of an export: then no variable is needed
   */
  among(others: readonly DefinitionError[], isSet: (path: readonly string[]) => boolean): DefinitionError[] {
    const wanted = this.#noted.filter(({ path }) => !isSet(path[0] === 'exports' ? path.slice(2) : path));
    const isOfValue = ({ line, column, isOfMissing }: DefinitionError) =>
      !isOfMissing && this.#noted.some(({ mistake }) => mistake.line === line && mistake.column === column);
    return [...wanted.map(({ mistake }) => mistake), ...others.filter((mistake) => !isOfValue(mistake))];
  }
}
