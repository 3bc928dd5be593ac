/** The numbers of documents: EDGAR's own, with gaps and order, as long as they are unique numbers. */

/** From 1. Document ids have nine digits. One digit less leaves room for the numbers assigned here. */
const SEQUENCE = /^0*([1-9]\d{0,7})$/;

interface Numbered {
  sequence: number;
  /** Why EDGAR's number was not kept; null if it was. */
  problem: string | null;
}

/** A document whose number is missing, invalid or taken gets the next one above the highest of the submission. */
export function numberDocuments(sequences: readonly (string | null)[]): Numbered[] {
  const given = sequences.map((text) => Number(SEQUENCE.exec(text ?? '')?.[1] ?? 0));
  let highest = given.reduce((most, number) => Math.max(most, number), 0);
  const taken = new Set<number>();
  return given.map((number, i) => {
    if (number > 0 && !taken.has(number)) {
      taken.add(number);
      return { sequence: number, problem: null };
    }
    highest += 1;
    return { sequence: highest, problem: number > 0 ? `sequence ${number} is taken` : notANumber(sequences[i]!) };
  });
}

function notANumber(sequence: string | null): string {
  return sequence === null ? 'it has no sequence' : `sequence '${sequence}' is not a number from 1`;
}
