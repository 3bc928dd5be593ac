/** docs/api.md against the schemas of the service: no parameter, answer member or code is left out. */
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import {
  ENTITY_FILTER_NAMES,
  OPERATIONS,
  type OperationName,
  SECTION_CODES,
} from '../../../../src/filings/api/index.ts';
import { readMarkdown } from './markdown-files.ts';

const page = readMarkdown('docs/api.md');

/** Text of the sections with these headings. */
function sections(...headings: string[]): string {
  return headings.map((heading) => page.split(`\n## ${heading}\n`)[1]?.split('\n## ')[0] ?? '').join('\n');
}

/** Sections that describe the answer's members, besides the operation's own section. */
const SHARED: Partial<Record<OperationName, string[]>> = {
  filing_info: ['filing_lookup', 'entity_lookup'],
  filing_sections: ['filing_info'],
  fulltext_search: ['filing_lookup'],
};

function memberNames(schema: z.ZodType): string[] {
  const json = JSON.stringify(z.toJSONSchema(schema, { unrepresentable: 'any' }));
  const names = new Set<string>();
  JSON.parse(json, (_key, value) => {
    if (value !== null && typeof value === 'object' && 'properties' in value)
      for (const name of Object.keys(value.properties)) names.add(name);
    return value;
  });
  return [...names];
}

/** As code, alone or first in an expression: `name`, `{name, …}`. */
const mentions = (text: string, name: string) => new RegExp(`\`[^\`\\n]*\\b${name}\\b[^\`\\n]*\``).test(text);

describe.each(Object.keys(OPERATIONS) as OperationName[])('docs/api.md, %s', (name) => {
  const own = sections(name);
  const filters = own.includes('(#filters)') ? sections('Filters') : '';

  it('has every parameter', () => {
    const missing = Object.keys(OPERATIONS[name].parameters.shape).filter(
      (parameter) => !mentions(own, parameter) && !mentions(filters, parameter),
    );
    expect(missing).toEqual([]);
  });

  it('has every member of the answer', () => {
    const text = own + sections(...(SHARED[name] ?? []));
    expect(memberNames(OPERATIONS[name].answer).filter((member) => !mentions(text, member))).toEqual([]);
  });
});

describe('docs/api.md', () => {
  it('has every filter of entities', () => {
    expect(ENTITY_FILTER_NAMES.filter((name) => !mentions(sections('Filters'), name))).toEqual([]);
  });

  it('has every section code', () => {
    const table = sections('Section codes');
    const codes = Object.values(SECTION_CODES).flat();
    expect(codes.filter((code) => !table.includes(`| ${code} |`))).toEqual([]);
  });
});
