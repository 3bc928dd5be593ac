/** Random pairs of a call and a moment: nothing that EDGAR accepted after the moment is in the answer. */
import fc from 'fast-check';
import { AFTER, type AgentLake, type Answer, BEFORE, sortedJson } from './agent-lake.ts';

type Call = readonly [name: string, args: Record<string, unknown>];

const companies = fc.constantFrom(
  '1',
  '2',
  '3',
  '9',
  '20',
  '24',
  '66',
  'Company 1',
  'Old Name Inc',
  'Later Name',
  'Company',
);
const both = <Args extends object>(name: string, args: fc.Arbitrary<Args>): fc.Arbitrary<Call> =>
  args.map((given) => [name, given as Record<string, unknown>] as const);
const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined });
const forms = fc.constantFrom(['10-K'], ['10-K', '10-K/A'], ['8-K'], ['4']);
const filing = fc.constantFrom(BEFORE, AFTER);

/** Calls by what they read. */
export const GROUPS = {
  filings: fc.oneof(
    both(
      'find_companies',
      fc.oneof(
        fc.record({ name: fc.constantFrom('Company', 'Old', 'Inc', 'Co') }),
        fc.record({ cik: fc.constantFrom('1', '2', '3', '9', '24', '66') }),
      ),
    ),
    both(
      'find_filings',
      fc.record({ company: maybe(companies), forms: maybe(forms), order: maybe(fc.constantFrom('newest', 'oldest')) }),
    ),
    both('events', fc.record({ kind: fc.constantFrom('8-K', 'amendments', 'late'), company: maybe(companies) })),
  ),
  texts: fc.oneof(
    both(
      'search_text',
      fc.record({ query: fc.constantFrom('harm', 'pandemic', '"going 🚀 concern"', 'instructions') }),
    ),
    both('find_filings', fc.record({ words: fc.constantFrom('harm', 'pandemic', 'concern') })),
    both('outline', fc.record({ accession_number: filing, section: maybe(fc.constant('1A')) })),
    both(
      'read',
      fc.record({
        accession_number: filing,
        section: fc.constant('1A'),
        heading: maybe(fc.constantFrom(1, 2)),
        format: fc.constantFrom('plain', undefined),
      }),
    ),
    both('read', fc.record({ document_id: filing.map((number) => `${number}-1`), table: fc.constant(1) })),
    both('compare', fc.record({ company: fc.constant('1'), section: fc.constant('1A') })),
    both('compare', fc.record({ before: fc.constant(BEFORE), after: fc.constant(AFTER), section: fc.constant('1A') })),
  ),
  numbers: fc.oneof(
    both(
      'facts',
      fc.record({
        concepts: fc.constantFrom(['NetIncomeLoss', 'Assets', 'Revenues'], ['NetIncomeLoss']),
        company: maybe(companies),
        revisions: maybe(fc.boolean()),
      }),
    ),
    both('statements', fc.record({ company: companies, periods: maybe(fc.constant(['FY', 'Q4', 'TTM'])) })),
    both('statements', fc.record({ accession_number: filing })),
    both('compare', fc.record({ company: companies, items: fc.constant([]) })),
    both('ownership', fc.record({ kind: fc.constantFrom('insider', '13dg'), company: maybe(companies) })),
    both('ownership', fc.record({ kind: fc.constant('13f'), cusip: fc.constant('037833100') })),
  ),
} satisfies Record<string, fc.Arbitrary<Call>>;

/** When each filing of a lake was public, as text that can be compared. */
export async function publicTimes({ lake }: AgentLake): Promise<Map<string, string>> {
  const rows = await lake.query(
    `SELECT accession_number, strftime(coalesce(acceptance_datetime, CAST(filing_date + 1 AS TIMESTAMP)), '%Y-%m-%dT%H:%M:%S') AS t FROM filings`,
  );
  return new Map(rows.map(({ accession_number, t }) => [String(accession_number), String(t)]));
}

const SECOND = 1000;
const textOf = (ms: number) => new Date(ms).toISOString().slice(0, 19);

/** Each moment of a filing, a second before it, and any other. */
function momentsOf(publicAt: ReadonlyMap<string, string>): fc.Arbitrary<string> {
  const times = [...new Set(publicAt.values())].map((at) => Date.parse(`${at}Z`));
  return fc.oneof(
    fc.constantFrom(...times.flatMap((at) => [textOf(at), textOf(at - SECOND)])),
    fc
      .integer({ min: Math.min(...times) / SECOND - 1, max: Math.max(...times) / SECOND + 1 })
      .map((s) => textOf(s * SECOND)),
  );
}

export function accessionsIn(value: unknown): string[] {
  return [...new Set(JSON.stringify(value).match(/\d{10}-\d{2}-\d{6}/g) ?? [])];
}

/** What an answer without a moment says of a filing: it must be the same as of any moment at which the filing was public. */
interface Lists {
  /** Whether rows of one subject replace each other: then only the newest that is public is in an answer. */
  readonly subject?: (row: Answer) => string;
}

/** Tools whose answer as of a moment is their answer of today without what came later, in the same order. */
const FILTERED: Readonly<Record<string, Lists>> = {
  find_filings: {},
  events: {},
  search_text: {},
  ownership: {},
  facts: {
    subject: ({ entity_cik, concept, period_start, period_end, unit, dimensions }) =>
      [entity_cik, concept, period_start, period_end, unit, dimensions].join(),
  },
};

/** Forms whose counts an answer has at most. */
const FORMS_SHOWN = 12;

/** All rows of an answer, whose count is theirs. @param first its first page, if that is known */
async function rowsOf(agents: AgentLake, name: string, args: Call[1], first?: Answer): Promise<Answer[]> {
  const rows: Answer[] = [];
  const counts = new Set<unknown>();
  const pages = first?.next === null ? [first] : agents.pages(name, { ...args, budget: 40_000 });
  for await (const answer of pages) {
    if (answer.error !== undefined) return [];
    rows.push(...(answer.rows as Answer[]));
    counts.add(answer.count);
  }
  for (const count of counts) if (count !== rows.length) throw new Error(`counts ${count}, and has ${rows.length}`);
  return rows;
}

/** Companies by the filings that name them, counted in another way than the tool's. */
async function namesOf({ lake }: AgentLake): Promise<readonly { cik: string; name: string; filing: string }[]> {
  const rows = await lake.query(
    `SELECT DISTINCT cik, name, accession_number FROM parties WHERE cik IS NOT NULL
     UNION SELECT cik, entity_name, accession_number FROM filings WHERE cik IS NOT NULL`,
  );
  return rows.map(({ cik, name, accession_number }) => ({
    cik: String(cik),
    name: String(name),
    filing: String(accession_number),
  }));
}

/**
 * @param numRuns pairs that have an answer. One that ends in an error is judged too, and not counted.
 * @throws with the pair that leaks
 */
export async function tryPairs(agents: AgentLake, group: keyof typeof GROUPS, numRuns: number): Promise<void> {
  const publicAt = await publicTimes(agents);
  const named = await namesOf(agents);
  const today = new Map<string, Promise<Answer[]>>();
  const isLater = (number: string, as_of: string) => (publicAt.get(number) ?? '') > as_of;

  /** The rows of today's answer that were public, in their order; of a subject the newest of them. */
  const expected = async (name: string, args: Call[1], as_of: string): Promise<Answer[]> => {
    const { subject } = FILTERED[name]!;
    const all = { ...args, ...(subject && { revisions: true }) };
    const key = JSON.stringify([name, all]);
    const rows = today.get(key) ?? rowsOf(agents, name, all);
    today.set(key, rows);
    const known = (await rows).filter((row) => !isLater(row.accession_number, as_of));
    if (subject === undefined || args.revisions === true) return known;
    return known.filter((row, i) => known.findIndex((other) => subject(other) === subject(row)) === i);
  };

  const sayTheSame = async (name: string, args: Call[1], as_of: string, answer: Answer) => {
    const is = sortedJson;
    const [now, then] = [await expected(name, args, as_of), await rowsOf(agents, name, { ...args, as_of }, answer)];
    if (now.map(is).join() !== then.map(is).join())
      throw new Error(`has ${then.length} rows: not the ${now.length} of today that were public, in their order`);
  };

  /** A name is understood as of the moment too, and an error has no later one. */
  const understand = ({ error }: Answer, word: string, as_of: string) => {
    const known = named.filter(({ filing }) => !isLater(filing, as_of));
    if (!known.some(({ name, cik }) => cik === word || name.toUpperCase().includes(word.toUpperCase())))
      if (/\D/.test(word) && error?.code !== 'company-unknown') throw new Error(`${word} was not a name yet`);
    for (const [, name, cik] of String(error?.message ?? '').matchAll(/(?:may be |; )(.+?) \(CIK (\d+)\)/g))
      if (!known.some((one) => one.cik === cik && one.name === name)) throw new Error(`an error names ${name}`);
  };

  const nameTheSame = (answer: Answer, as_of: string) => {
    for (const { cik, name, other_names, filings, tickers } of answer.rows as Answer[]) {
      if (tickers !== undefined) throw new Error('tickers are of today');
      const known = named.filter((one) => one.cik === cik && !isLater(one.filing, as_of));
      if (new Set(known.map(({ filing }) => filing)).size !== filings)
        throw new Error(`counts ${filings} filings of ${cik}`);
      for (const word of [name, ...other_names])
        if (!known.some((one) => one.name === word)) throw new Error(`${cik} was not called ${word} yet`);
    }
  };

  await fc.assert(
    fc.asyncProperty(GROUPS[group], momentsOf(publicAt), async ([name, args], as_of) => {
      const answer: Answer = await agents.ask(name, { ...args, as_of, budget: 40_000 });
      const asked = accessionsIn(args);
      const leaked = accessionsIn({ ...answer, text: '' }).filter((one) => !asked.includes(one) && isLater(one, as_of));
      if (leaked.length > 0) throw new Error(`${leaked} were accepted later`);
      // A filing that was asked for by name is not there yet.
      if (asked.some((number) => isLater(number, as_of)) && answer.error?.code !== 'filing-unknown')
        throw new Error('a later filing has an answer');
      if (typeof args.company === 'string') understand(answer, args.company, as_of);
      fc.pre(answer.error === undefined);
      // A name may have meant one company then, and several today.
      const isNamed = typeof args.company === 'string' && /\D/.test(args.company);
      if (name in FILTERED && args.kind !== '13f' && !isNamed) await sayTheSame(name, args, as_of, answer);
      const byForm = Object.values((answer.by_form ?? {}) as Record<string, number>);
      if (byForm.length > 0 && byForm.length < FORMS_SHOWN && byForm.reduce((a, b) => a + b) !== answer.count)
        throw new Error(`counts ${answer.count}, and by form ${byForm}`);
      if (name === 'find_companies') nameTheSame(answer, as_of);
    }),
    { numRuns },
  );
}
