/** Namespaces of XBRL documents, and names as the tables have them. */

export const XBRLI = 'http://www.xbrl.org/2003/instance';
export const SCHEMA = 'http://www.w3.org/2001/XMLSchema';
export const LINK = 'http://www.xbrl.org/2003/linkbase';
export const XLINK = 'http://www.w3.org/1999/xlink';
export const XSI = 'http://www.w3.org/2001/XMLSchema-instance';
export const XHTML = 'http://www.w3.org/1999/xhtml';
export const DIMENSIONS = 'http://xbrl.org/2006/xbrldi';
/** Inline XBRL 1.1, then 1.0. */
export const INLINE = ['http://www.xbrl.org/2013/inlineXBRL', 'http://www.xbrl.org/2008/inlineXBRL'];

/** `http://fasb.org/us-gaap/2024`, `http://xbrl.sec.gov/dei/2009-01-31`, `http://xbrl.sec.gov/ecd/2024q4`. */
const STANDARD = /^https?:\/\/(?:fasb\.org|xbrl\.sec\.gov|xbrl\.us)\/([\w-]+)\/\d{4}(?:q[1-4]|-\d\d-\d\d)?$/;
const IFRS = /^https?:\/\/xbrl\.ifrs\.org\/taxonomy\/[\w-]+\/ifrs-full$/;

const usual = new Map<string, string | null>();

/** The prefix that everyone uses for a standard taxonomy; null for all other namespaces. */
function usualPrefix(namespace: string): string | null {
  let prefix = usual.get(namespace);
  if (prefix === undefined) {
    prefix = IFRS.test(namespace) ? 'ifrs-full' : (STANDARD.exec(namespace)?.[1] ?? null);
    // Companies have their own namespaces: the cache is emptied before it grows with them.
    if (usual.size > 5000) usual.clear();
    usual.set(namespace, prefix);
  }
  return prefix;
}

/** A qualified name, resolved at its position. */
export interface ResolvedName {
  /** Null if the prefix is declared nowhere. */
  readonly namespace: string | null;
  readonly local: string;
  /** `us-gaap:Assets`: the usual prefix of the namespace, or else the one in the document. */
  readonly name: string;
}

/** Namespaces at a position of a document. Elements without declarations share the scope above. */
export class Scope {
  /** Namespaces by prefix; '' is the default one. */
  readonly #bindings: ReadonlyMap<string, string>;
  /** The current `xml:lang`. */
  readonly language: string | null;
  readonly #names = new Map<string, ResolvedName>();
  /** Usual prefixes by prefix; null: the prefix itself is used. */
  readonly #usual = new Map<string, string | null>();

  constructor(bindings: ReadonlyMap<string, string> = new Map(), language: string | null = null) {
    this.#bindings = bindings;
    this.language = language;
  }

  namespace(prefix: string): string | null {
    return this.#bindings.get(prefix) ?? null;
  }

  /** Prefixes of these namespaces, without the default one. */
  prefixes(namespaces: readonly string[]): string[] {
    return [...this.#bindings]
      .filter(([prefix, namespace]) => prefix !== '' && namespaces.includes(namespace))
      .map(([prefix]) => prefix);
  }

  /** @param declared alternating prefixes and namespaces */
  below(declared: readonly string[], language: string | null): Scope {
    if (declared.length === 0) return new Scope(this.#bindings, language);
    const bindings = new Map(this.#bindings);
    for (let i = 0; i < declared.length; i += 2) bindings.set(declared[i]!, declared[i + 1]!);
    return new Scope(bindings, language);
  }

  /** The name alone, of a name that hardly repeats: it is not kept. */
  usualName(qualified: string): string {
    const colon = qualified.indexOf(':');
    const prefix = colon < 0 ? '' : qualified.slice(0, colon);
    let standard = this.#usual.get(prefix);
    if (standard === undefined) {
      const namespace = this.namespace(prefix);
      standard = namespace === null ? null : usualPrefix(namespace);
      this.#usual.set(prefix, standard);
    }
    return standard === null || standard === prefix ? qualified : `${standard}:${qualified.slice(colon + 1)}`;
  }

  /** The name of an element, a concept or an axis. */
  resolve(qualified: string): ResolvedName {
    let name = this.#names.get(qualified);
    if (name === undefined) {
      const colon = qualified.indexOf(':');
      const prefix = colon < 0 ? '' : qualified.slice(0, colon);
      const local = qualified.slice(colon + 1);
      const namespace = this.namespace(prefix);
      const standard = namespace === null ? null : usualPrefix(namespace);
      name = { namespace, local, name: standard === null ? qualified : `${standard}:${local}` };
      this.#names.set(qualified, name);
    }
    return name;
  }
}
