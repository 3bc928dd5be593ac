/** An operation of /v2 is one file of the same name in api and service, and one method of the client. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { FilingClient } from '../../../src/export/client/index.ts';
import { OPERATIONS, type Operation, type OperationName } from '../../../src/filings/api/index.ts';
import { READER_OPERATIONS } from '../../../src/service/operations/index.ts';

const src = join(import.meta.dirname, '../../../src');
const names = Object.keys(OPERATIONS) as OperationName[];

describe.each(names)('%s', (name) => {
  const file = `operations/${name.replaceAll('_', '-')}.ts`;

  it('has its file in api, and a method of the client', () => {
    expect(existsSync(join(src, 'filings/api', file))).toBe(true);
    const method = name.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase());
    expect(FilingClient.prototype).toHaveProperty(method, expect.any(Function));
  });

  it('is answered by a reader thread from its file in service; pdf has a folder and a thread of its own', () => {
    expect(Object.hasOwn(READER_OPERATIONS, name)).toBe(name !== 'pdf');
    expect(existsSync(join(src, 'service', name === 'pdf' ? 'pdf' : file))).toBe(true);
  });

  it('has the path of its name, and names only parameters that it has', () => {
    const { path, parameters, required = [], oneOf = [], defaultTo }: Operation = OPERATIONS[name];
    expect(path).toBe(`/v2/${name}`);
    expect(Object.keys(parameters.shape)).toEqual(expect.arrayContaining([...required, ...oneOf]));
    expect('to' in parameters.shape).toBe(defaultTo !== undefined);
  });

  it('names the missing parameter if a call needs one, and nothing if all are optional', () => {
    const { required = [], oneOf = [], combinationError }: Operation = OPERATIONS[name];
    const needs = required.length + oneOf.length > 0;
    expect(combinationError({})).toEqual(needs ? expect.stringContaining('required') : null);
  });
});
