/** Mistakes in options and arguments, which the library of command lines finds. */
import { describe, expect, it } from 'vitest';
import { commandLine } from '../../support/command-line.ts';

describe('a command with wrong options or arguments', () => {
  it.each([
    [['keys', 'create', '--catalog', 'x'], 'filinglake keys create --help'],
    [['export'], 'filinglake export --help'],
    [['lake', 'bogus'], 'filinglake lake --help'],
  ])('%j ends with 2, and names its own help', async (words, help) => {
    const { status, stderr } = await commandLine(words);
    expect(status).toBe(2);
    expect(stderr).toContain(`Run \`${help}\` to see what it takes.`);
  });
});
