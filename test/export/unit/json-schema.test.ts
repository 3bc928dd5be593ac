/**
 * The JSON Schema of definitions, as a validator reads it: it accepts what the parser accepts, and refuses what the parser refuses
 * for its shape.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Ajv } from 'ajv';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { FilinglakeError } from '../../../src/core/index.ts';
import type { JsonSchema } from '../../../src/export/definition/json-schema.ts';
import { definitionJsonSchema, parseExportDefinitions } from '../../../src/export/index.ts';

const config = resolve(import.meta.dirname, '../../../config');
const schema = definitionJsonSchema();
const validate = new Ajv({ strict: true, strictRequired: false, allowUnionTypes: true }).compile(schema);

const NUMBER = '0000320193-24-000123';
const pathOf = (name: string) => `/data/${name}`;

function refusedByParser(yaml: string): boolean {
  try {
    parseExportDefinitions(yaml, 'x.yaml', { NAME: 'x' }, { pathOf });
    return false;
  } catch (error) {
    if (error instanceof FilinglakeError) return true;
    throw error;
  }
}

describe('the JSON Schema of definitions', () => {
  it('states the meaning of every member', () => {
    const silent: string[] = [];
    const look = (member: JsonSchema, path: string) => {
      if (member.description === undefined) silent.push(path);
      for (const one of [member, ...(member.anyOf ?? [])])
        for (const [name, inner] of Object.entries(one.properties ?? {})) look(inner, `${path}.${name}`);
    };
    for (const [name, member] of Object.entries(schema.definitions as Record<string, JsonSchema>)) look(member, name);
    expect(silent).toEqual([]);
  });

  it.each(readdirSync(join(config, 'exports')))('takes the example %s, which names it for editors', (file) => {
    const text = readFileSync(join(config, 'exports', file), 'utf8');
    expect(text.split('\n')[0]).toBe('# yaml-language-server: $schema=../export.schema.json');
    expect(validate(parse(text)), JSON.stringify(validate.errors)).toBe(true);
  });

  const rest = 'tables: [filings]\n';
  it.each([
    `select: {}\n${rest}`,
    `select: { form_types: [4, 10-K], entity_query: { ciks: [320193, "0000320193"], sics: 2834 } }\n${rest}`,
    `select: { items: 5.10, exclude_amendments: true, date_from: -30d, date_to: today }\n${rest}`,
    `select: { date_from: 2024-01-01 }\ntables: filings\nbudget: { max_requests: 1_000, reserve: 3 }\n`,
    `select: { entities: query, entity_query: { entity_types: [operating], exchanges: NYSE, name_includes: A } }\ntables: [entities]\n`,
    `select: { accession_numbers: [${NUMBER}, 000032019324000123] }\n${rest}`,
    `select: { accession_numbers: { file: numbers.txt } }\n${rest}`,
    `select: { fulltext: { query: 10, query_type: Match_Phrase, document_types: EX-99* } }\n${rest}`,
    'select: {}\ntables: [sections]\nsections: { codes: [1A, 7, II-1A] }\n',
    `name: 2024\nselect: { entity_query: { tickers: [TRUE, 7] } }\n${rest}documents: { types: all, graphics: TRUE, xml: raw }\nlake: 2024\n`,
    `select: { form_types: ["\${NAME}"] }\nlake: "\${NAME}/lake"\n${rest}`,
    `${rest}exports:\n  - name: a\n    select: {}\n  - name: b\n    select: { date_from: yesterday }\n    tables: [documents]\n`,
    `select: {}\nexports: [{ name: a, tables: [filings] }]\n`,
  ])('accepts what the parser accepts: %#', (yaml) => {
    expect(refusedByParser(yaml)).toBe(false);
    expect(validate(parse(yaml)), JSON.stringify(validate.errors)).toBe(true);
  });

  it.each([
    'select: {}\n',
    rest,
    `select: { form_type: [4] }\n${rest}`,
    `select: { form_types: { a: b } }\n${rest}`,
    `select: { form_types: [""] }\n${rest}`,
    `select: { date_from: 2024-1-1 }\n${rest}`,
    `select: { date_from: -30x }\n${rest}`,
    `select: { entities: all }\n${rest}`,
    `select: { entity_query: { entity_types: [PERSON] } }\n${rest}`,
    `select: { entity_query: { ciks: [12345678901, AAPL] } }\n${rest}`,
    `select: { accession_numbers: [123-4] }\n${rest}`,
    `select: { accession_numbers: [] }\n${rest}`,
    `select: { accession_numbers: { files: x } }\n${rest}`,
    `select: { accession_numbers: { file: [x] } }\n${rest}`,
    `select: { fulltext: { query_type: match } }\n${rest}`,
    `select: { fulltext: { query: x, query_type: fuzzy } }\n${rest}`,
    'select: {}\ntables: []\n',
    'select: {}\ntables: [filing]\n',
    'select: {}\ntables: [coverage]\n',
    `select: {}\n${rest}sections: { codes: [20] }\n`,
    `select: {}\n${rest}documents: { xml: html }\n`,
    `select: {}\n${rest}documents: { graphics: yes please }\n`,
    `select: {}\n${rest}budget: { max_requests: 0 }\n`,
    `select: {}\n${rest}budget: { max_requests: many }\n`,
    `select: {}\n${rest}service: { base_url: ftp://x }\n`,
    `select: {}\n${rest}service: { connections: 65 }\n`,
    `select: {}\n${rest}service:\n`,
    `name: ../x\nselect: {}\n${rest}`,
    'exports: []\n',
    `select: {}\n${rest}exports: [{ lake: x }]\n`,
    `name: x\nselect: {}\n${rest}exports: [{ name: a }]\n`,
    'select: {}\nexports: [{ name: a }]\n',
    `select: {}\n${rest}exports: [{ name: a, table: [filings] }]\n`,
    '[]\n',
  ])('refuses what the parser refuses: %#', (yaml) => {
    expect(refusedByParser(yaml)).toBe(true);
    expect(validate(parse(yaml))).toBe(false);
  });
});
