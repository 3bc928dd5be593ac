/** Services that others wrote: our own answers, told as theirs. */
import type { Liberties } from '../dialect-proxy.ts';

type Json = Record<string, unknown>;

export interface Foreign {
  readonly liberties?: Liberties;
  /** Changes an answer of an operation in its place. */
  readonly rewrite?: (answer: Json, operation: string) => void;
  /** Columns that its lake can't have, or has otherwise. */
  readonly otherwise?: RegExp;
  readonly lacks?: RegExp;
}

const recordsOf = (answer: Json) => ((answer.filings ?? answer.hits) as Json[] | undefined) ?? [];

function withoutMembers(value: unknown, names: ReadonlySet<string>): void {
  if (value === null || typeof value !== 'object') return;
  for (const [name, child] of Object.entries(value)) {
    if (names.has(name)) delete (value as Json)[name];
    else withoutMembers(child, names);
  }
}

/** @param spelt how the service writes a code of a section */
const speltCodes = (spelt: (code: string) => string) => (answer: Json) => {
  for (const one of (answer.sections as Json[] | undefined) ?? []) one.section = spelt(String(one.section));
};

export const FOREIGN: Readonly<Record<string, Foreign>> = {
  'our own service': {},
  'a service without sizes and digests': {
    rewrite: (answer) => withoutMembers(answer, new Set(['size', 'sha256'])),
    otherwise: /^(size|sha256)$/,
  },
  'a service without form types in lookups': {
    rewrite: (answer) => {
      for (const filing of recordsOf(answer)) delete filing.form_type;
    },
    // The rows of `filings` come with the lookup.
    otherwise: /^(form_type|is_amendment)$/,
  },
  'a service without documents in lookups': {
    rewrite: (answer) => {
      for (const filing of recordsOf(answer)) delete filing.documents;
    },
  },
  'a service that spells codes `Item 1A`': { rewrite: speltCodes((code) => `Item ${code}`) },
  'a service that spells codes `ITEM 1A.`': { rewrite: speltCodes((code) => `ITEM ${code}.`) },
  'a service that spells codes `1a`': { rewrite: speltCodes((code) => code.toLowerCase()) },
  'a service that sends documents as bytes': { liberties: { documentsAsBytes: true } },
  'a service that leaves out what has no value': { liberties: { noValue: 'missing' } },
};
