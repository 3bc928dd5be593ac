/** Codes of sections in answers. Services spell them in many ways; from here on each has one spelling. */
import { type SectionFamily, sectionCode } from '../../filings/api/index.ts';

/** `Item 1A` becomes `1A`. A name that is not a code stays as the service writes it. */
export function withCodes<Named extends { section: string }>(sections: Named[], family: SectionFamily | null): Named[] {
  const codeOf = ({ section }: Named) => sectionCode(section, family) ?? section;
  return sections.every((one) => codeOf(one) === one.section)
    ? sections
    : sections.map((one) => ({ ...one, section: codeOf(one) }));
}
