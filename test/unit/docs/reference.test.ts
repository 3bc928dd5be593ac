/** Pages that are made from the code must equal the code. `node scripts/NAME-doc.ts` writes one again. */
import { describe, expect, it } from 'vitest';
import { commandsDocument } from '../../../scripts/commands-doc.ts';
import { settingsDocument } from '../../../scripts/settings-doc.ts';
import { readMarkdown } from './markdown-files.ts';

describe('pages made from the code', () => {
  it('docs/reference/commands.md: node scripts/commands-doc.ts', async () => {
    expect(readMarkdown('docs/reference/commands.md')).toBe(await commandsDocument());
  });

  it('docs/reference/settings.md: node scripts/settings-doc.ts', () => {
    expect(readMarkdown('docs/reference/settings.md')).toBe(settingsDocument());
  });
});
