/** The issue of a schema in the service's own words: `<name> is invalid: …`. */
import type { z } from 'zod';

const EXPECTED: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'an array',
  object: 'an object',
};

/** @param name the parameter that the issue is about; the issue's own path is below it */
export function issueText(name: string, issue: z.core.$ZodIssue): string {
  const members = issue.path.filter((part) => typeof part === 'string');
  return `${[name, ...members].join('.')} is invalid: ${reason(issue)}`;
}

function reason(issue: z.core.$ZodIssue): string {
  const value = shown(issue.input);
  switch (issue.code) {
    case 'invalid_type':
      return `${value}must be ${EXPECTED[issue.expected] ?? issue.expected}`;
    case 'invalid_value':
      return `${value}must be one of ${issue.values.join(', ')}`;
    case 'too_big':
      if (issue.origin === 'string') return `must have at most ${issue.maximum} characters`;
      return issue.origin === 'array'
        ? `at most ${issue.maximum} values in one array`
        : `${value}must be at most ${issue.maximum}`;
    case 'too_small':
      if (issue.origin !== 'string') return `${value}must be at least ${issue.minimum}`;
      return issue.minimum === 1 ? 'must not be empty' : `${value}must have at least ${issue.minimum} characters`;
    default:
      return `${value}${issue.message}`;
  }
}

/** The invalid value before the message, if it is short and plain. */
function shown(input: unknown): string {
  if (typeof input === 'string') return input.length > 0 && input.length <= 60 ? `'${input}' ` : '';
  return typeof input === 'number' || typeof input === 'boolean' ? `${input} ` : '';
}
