/**
 * Mean size of a complete submission by form, in bytes: of 6,600 filings that the feed named on 11 and 12 December 2025. Older filings are
 * smaller, so that an estimate made from it is a bound for most selections.
 */
const MEAN_BYTES: Readonly<Record<string, number>> = {
  '3': 65_000,
  '4': 10_000,
  '10-K': 15_400_000,
  '10-Q': 6_000_000,
  '144': 12_000,
  '485BPOS': 5_000_000,
  '497': 185_000,
  '497K': 41_000,
  '424B2': 980_000,
  '424B3': 560_000,
  '424B4': 12_300_000,
  '424B5': 500_000,
  '425': 210_000,
  '6-K': 1_360_000,
  '8-K': 1_300_000,
  D: 9_000,
  'DEF 14A': 47_000_000,
  DEFA14A: 1_800_000,
  EFFECT: 1_200,
  'F-1': 5_600_000,
  FWP: 740_000,
  'N-CEN': 200_000,
  'NPORT-P': 95_000,
  'PRE 14A': 1_580_000,
  'S-1': 10_000_000,
  'S-3': 820_000,
  'S-8': 550_000,
  'SCHEDULE 13D': 230_000,
  'SCHEDULE 13G': 88_000,
};
const MEAN_OF_ALL = 900_000;

/** Bytes that a submission of a form has on average. An amendment counts as its form. */
export function typicalBytes(formType: string): number {
  return MEAN_BYTES[formType] ?? MEAN_BYTES[formType.replace(/\/A$/, '')] ?? MEAN_OF_ALL;
}
