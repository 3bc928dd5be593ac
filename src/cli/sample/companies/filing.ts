/** A filing before it is written, and after. */
import type { Company, Entity, Insider } from './company.ts';

export type Dialect = 'txt' | 'nc';

/** A filing as planned: who, what, when. The bytes follow from it and the seed. */
export interface PlannedFiling {
  /** its number in the sample, from 0 */
  index: number;
  company: Company;
  /** as filed: `8-K/A` */
  form: string;
  /** day number */
  filed: number;
  /** period of report, if the form has one */
  period: number | null;
  fiscalYear: number;
  /** null for a year */
  fiscalQuarter: number | null;
  /** number of this filing among its company's, chronologically */
  ordinal: number;
  accessionNumber: string;
  /** the filing that this one amends */
  amends: PlannedFiling | null;
  /** the insider of a form 3, 4 or 5; another company if one is a party */
  insider: Insider | null;
  other: Company | null;
}

export interface SampleDocument {
  sequence: number;
  type: string;
  filename: string;
  description: string | null;
  /** the document's own bytes: without wrapper, not uuencoded */
  bytes: Buffer;
  /** lines around the content within `<TEXT>` */
  wrapper: 'XML' | 'XBRL' | null;
  uuencoded: boolean;
  /** its items, if it has some */
  sections: { section: string; heading: string }[];
}

export interface SampleParty {
  /** as parties in the API name it */
  role: string;
  entity: Entity;
  /** FILING VALUES of the block */
  form: string;
  act: '33' | '34' | null;
  fileNumber: string | null;
  filmNumber: string | null;
}

export interface Submission {
  plan: PlannedFiling;
  /** `YYYYMMDDhhmmss` */
  accepted: string;
  period: number | null;
  /** 8-K items: number and the words of the header */
  items: { number: string; words: string }[];
  parties: SampleParty[];
  documents: SampleDocument[];
  /** the header's count, which may be more than the documents in the file */
  publicDocumentCount: number;
}
