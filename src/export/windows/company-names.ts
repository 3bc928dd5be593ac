/**
 * Companies by their names. Lists spell them in other ways than EDGAR (`Apple Inc.`, `APPLE INC`; `The Coca-Cola Company`,
 * `COCA COLA CO`). Names are equal apart from case, accents and punctuation. The legal form may be missing in one of them, but two
 * different forms are two companies.
 */

/** The short spelling of each legal form, as EDGAR uses it. */
const FORMS: Readonly<Record<string, string>> = {
  INC: 'INC',
  INCORPORATED: 'INC',
  CORP: 'CORP',
  CORPORATION: 'CORP',
  CO: 'CO',
  COMPANY: 'CO',
  COMPANIES: 'COS',
  COS: 'COS',
  LTD: 'LTD',
  LIMITED: 'LTD',
  LLC: 'LLC',
  LP: 'LP',
  LLP: 'LLP',
  PLC: 'PLC',
  NV: 'NV',
  SA: 'SA',
  AG: 'AG',
  SE: 'SE',
};
/** Words that one list has and another leaves out. */
const SILENT = new Set(['THE', 'AND']);

interface NameParts {
  /** Words other than legal forms, in order, without spaces: EDGAR has `O REILLY`. */
  core: string;
  /** Legal forms, in order; empty if the name states none */
  form: string;
}

function partsOf(name: string): NameParts {
  const words = wordsOf(name);
  const core = words.filter((word) => FORMS[word] === undefined);
  const form = words.flatMap((word) => FORMS[word] ?? []);
  return core.length === 0 ? { core: words.join(''), form: '' } : { core: core.join(''), form: form.join(' ') };
}

function wordsOf(name: string): string[] {
  const plain = name
    .toUpperCase()
    // EDGAR adds the state or a mark to names that are taken: `BANK OF AMERICA CORP /DE/`.
    .replace(/\s*\/[A-Z]{2,5}\/\s*$|\s\/[A-Z]{2,5}\s*$/, '')
    .normalize('NFKD')
    .replaceAll(/[\p{M}.'\u2019]/gu, '');
  return (plain.match(/[\p{L}\p{N}]+/gu) ?? []).filter((word) => !SILENT.has(word));
}

/** Texts in every spelling of a name, for `name_includes`: its words without the legal form. @returns at least one */
export function searchTexts(name: string): string[] {
  const words = (name.match(/[\p{L}\p{N}]+/gu) ?? []).filter((word) => !SILENT.has(word.toUpperCase()));
  const telling = words.filter((word) => FORMS[word.toUpperCase()] === undefined && word.length > 1);
  return telling.length > 0 ? telling : [name];
}

/** The companies of a name: those with the same legal form, else those of which one side states none. */
export function companiesOfName<Company extends { name: string | null }>(
  name: string,
  companies: readonly Company[],
): Company[] {
  const wanted = partsOf(name);
  const alike = companies.flatMap((company) => {
    const parts = company.name === null ? null : partsOf(company.name);
    return parts?.core === wanted.core ? [{ company, form: parts.form }] : [];
  });
  const same = alike.filter(({ form }) => form === wanted.form);
  const fitting = same.length > 0 ? same : alike.filter(({ form }) => form === '' || wanted.form === '');
  return fitting.map(({ company }) => company);
}
