/** A cursor is of one tool with one set of arguments, at one version. */
import { describe, expect, it } from 'vitest';
import { cursorText, readCursor } from '../../../src/agents/answers/cursor.ts';

describe('a cursor', () => {
  it.each([null, -1, 0, 7])(
    'gives back its position and version %s, also that of a lake without commits',
    (version) => {
      const text = cursorText('read', { section: '1A', budget: 2_000 }, { position: 12, version });
      expect(readCursor('read', { section: '1A', budget: 9_000, cursor: text }, text)).toEqual({
        position: 12,
        version,
      });
      expect(() => readCursor('read', { section: '7' }, text)).toThrow('is not of read');
      expect(() => readCursor('outline', { section: '1A' }, text)).toThrow('is not of outline');
    },
  );
});
