/** Filings counted by day and form, so that the filter of a window costs a few look-ups. */

/** The filter of a window in `export_windows` by days and forms. */
export interface FilingFilter {
  form_types?: readonly string[];
  excluded_form_types?: readonly string[];
  exclude_amendments?: boolean;
}

/** Days since 1970, both included; null: open. */
export interface DayRange {
  readonly from: number | null;
  readonly to: number | null;
}

/** Numbers of filings by day, added up. A filing without a date is in every range: the service may know its date. */
class DayCounts {
  #undated = 0;
  readonly #days: number[] = [];
  /** Filings until the end of each day. */
  readonly #sums: number[] = [];

  /** @param day not before the last one */
  add(day: number | null, filings: number): void {
    if (day === null) this.#undated += filings;
    else {
      const before = this.#sums.at(-1) ?? 0;
      if (this.#days.at(-1) === day) this.#sums.pop();
      else this.#days.push(day);
      this.#sums.push(before + filings);
    }
  }

  within({ from, to }: DayRange): number {
    const until = to === null ? (this.#sums.at(-1) ?? 0) : this.#before(to + 1);
    return this.#undated + Math.max(0, until - (from === null ? 0 : this.#before(from)));
  }

  #before(day: number): number {
    let [low, high] = [0, this.#days.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#days[middle]! < day) low = middle + 1;
      else high = middle;
    }
    return low === 0 ? 0 : this.#sums[low - 1]!;
  }
}

const isAmendment = (form: string) => form.endsWith('/A');
const upper = (forms: readonly string[] = []) => new Set(forms.map((form) => form.toUpperCase()));

export class MatchingFilings {
  readonly #all = new DayCounts();
  readonly #originals = new DayCounts();
  /** Filings without a form match every filter of forms: the service may know it. */
  readonly #formless = new DayCounts();
  readonly #byForm = new Map<string, DayCounts>();
  readonly #begunBy = new Map<string, readonly string[]>();

  /** @param day days since 1970, not before the last one. @param form in upper case */
  add(day: number | null, form: string | null, filings: number): void {
    this.#all.add(day, filings);
    if (form === null || !isAmendment(form)) this.#originals.add(day, filings);
    const counts = form === null ? this.#formless : (this.#byForm.get(form) ?? new DayCounts());
    if (form !== null) this.#byForm.set(form, counts);
    counts.add(day, filings);
  }

  /** @param forms `begun`: a form type stands for every form that begins with it, as in services that treat it as a prefix */
  count(filter: FilingFilter, range: DayRange, forms: 'whole' | 'begun'): number {
    const excluded = upper(filter.excluded_form_types);
    const originals = filter.exclude_amendments === true;
    const isLeftOut = (form: string) => excluded.has(form) || (originals && isAmendment(form));
    const sum = (chosen: Iterable<string>) => {
      let filings = 0;
      for (const form of chosen) filings += this.#byForm.get(form)?.within(range) ?? 0;
      return filings;
    };
    if (filter.form_types?.length) {
      const asked = upper(filter.form_types);
      const chosen = forms === 'whole' ? asked : new Set([...asked].flatMap((form) => this.#begun(form)));
      return this.#formless.within(range) + sum([...chosen].filter((form) => !isLeftOut(form)));
    }
    const subtracted = [...excluded].filter((form) => !(originals && isAmendment(form)));
    return (originals ? this.#originals : this.#all).within(range) - sum(subtracted);
  }

  #begun(beginning: string): readonly string[] {
    const known = this.#begunBy.get(beginning);
    if (known !== undefined) return known;
    const forms = [...this.#byForm.keys()].filter((form) => form.startsWith(beginning));
    this.#begunBy.set(beginning, forms);
    return forms;
  }
}
