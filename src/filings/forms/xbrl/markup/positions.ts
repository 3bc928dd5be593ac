/** A growing list of positions in a text. */
export class Positions {
  length = 0;
  #cells = new Int32Array(512);

  /** Adds the two ends of a range. */
  add(start: number, end: number): void {
    const { length } = this;
    if (length + 2 > this.#cells.length) {
      const grown = new Int32Array(this.#cells.length * 2);
      grown.set(this.#cells);
      this.#cells = grown;
    }
    this.#cells[length] = start;
    this.#cells[length + 1] = end;
    this.length = length + 2;
  }

  at(place: number): number {
    return this.#cells[place]!;
  }

  set(place: number, position: number): void {
    this.#cells[place] = position;
  }
}
