/** Reads the pages of a lookup. */
import { isLastPage, MAX_WINDOW } from '../../filings/api/index.ts';
import type { PageFacts } from './page-answers.ts';

/** The needed members of `Answer`. */
interface PageAnswer {
  value: PageFacts;
}

/**
 * Yields pages until the matches end: at an empty page, or at one that shows by itself that it is the last. `count` alone never ends
 * it, since some services count only the page. But a count above the records read so far means that a short page is not the last.
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
    const { received, count } = answer.value;
    if (received === 0) return;
    const isLast = isLastPage(answer.value, to - from);
    from += received;
    if (isLast && (count === null || count <= from)) return;
  }
}
