/** Reads the pages of a lookup. */
import { MAX_WINDOW } from '../api/index.ts';
import type { PageFacts } from './page-answers.ts';

/** The needed members of `Answer`. */
interface PageAnswer {
  value: PageFacts;
}

/**
 * Yields pages until the matches end: at an empty page, or at a short one that isn't truncated. `count` alone never ends it, since
 * some services count only the page. But a count above the records read so far means that a short page is not the last.
 * @param parameters `from`, `to`: the window to read, default 0 to 10,000 (no query reaches further)
 */
export async function* pagesOf<P extends { from?: number | undefined; to?: number | undefined }, A extends PageAnswer>(
  parameters: P,
  pageSize: number = MAX_WINDOW,
  lookUp: (parameters: P) => Promise<A>,
): AsyncGenerator<A> {
  const end = parameters.to ?? MAX_WINDOW;
  let from = parameters.from ?? 0;
  while (from < end) {
    const to = Math.min(from + pageSize, end);
    const answer = await lookUp({ ...parameters, from, to });
    yield answer;
    const { received, truncated, count } = answer.value;
    if (received === 0) return;
    const short = received < to - from;
    from += received;
    if (short && !truncated && (count === null || count <= from)) return;
  }
}
