/** Help that is broken to the width of a terminal. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { wrappedHelp } from '../../../src/cli/terminal/wrapped-help.ts';

const HELP = `Options:
  --jitter <duration>     random delay of up to: 90s

Runs of a schedule follow one another. A run that fails
pauses its schedule.
Exit code 0: all.

short
lines

expected    filings that the index names, each once
in_catalog  of those: in the catalog

Examples:
  filinglake schedule create daily.yaml --cron "30 22 * * 1-5"
`;

describe('help on a narrow terminal', () => {
  it('breaks its paragraphs at words, and keeps options, columns, examples and short paragraphs', () => {
    expect(wrappedHelp(HELP, 40)).toBe(
      HELP.replace(
        'Runs of a schedule follow one another. A run that fails\npauses its schedule.',
        'Runs of a schedule follow one another. A\nrun that fails pauses its schedule.',
      ),
    );
  });

  it('is unchanged if it fits', () => {
    expect(wrappedHelp(HELP, 120)).toBe(HELP);
  });

  it('loses no word, of any command', () => {
    const page = readFileSync(new URL('../../../docs/reference/commands.md', import.meta.url), 'utf8');
    const helps = page.split('```').filter((_, i) => i % 2 === 1);
    expect(helps.length).toBeGreaterThan(30);
    const words = (text: string) => text.split(/\s+/).join(' ');
    for (const help of helps) {
      const narrow = wrappedHelp(help, 80);
      expect(words(narrow)).toBe(words(help));
      const prose = narrow.split('\n').filter((line) => line.includes(' ') && !/^\s|\S {2,}\S/.test(line));
      expect(prose.filter((line) => line.length > 80)).toEqual([]);
    }
  });
});
