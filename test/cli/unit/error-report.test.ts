import { afterEach, expect, it, vi } from 'vitest';
import { reportError } from '../../../src/cli/terminal/error-report.ts';
import { FilinglakeError } from '../../../src/core/index.ts';

afterEach(() => void vi.restoreAllMocks());

it('says what went wrong first, not what then could not be closed', () => {
  const written = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  const first = new FilinglakeError('lake-missing', 'there is no lake');
  expect(reportError(new SuppressedError(new Error('not closed'), first))).toBe(first.exitCode);
  expect(written.mock.calls.join('')).toContain('there is no lake');
});
