/** How far a catalog lags behind EDGAR, for /readyz and /metrics. */
import type { Catalog } from './catalog/index.ts';

/** In whole seconds. */
interface Lag {
  /** Since EDGAR accepted the newest filing; null: no filing, or unknown */
  newest_filing_s: number | null;
  /** Since `edgar follow` last ended a look without a problem; null: it never did here, or unknown */
  follow_s: number | null;
}

export function lagOf(catalog: Pick<Catalog, 'newestFilingAt' | 'followedAt'>, now: Date): Lag {
  const since = (read: () => number | null) => {
    try {
      const at = read();
      // A clock that is behind makes no negative lag.
      return at === null ? null : Math.max(0, Math.round((now.getTime() - at) / 1_000));
    } catch {
      // A fault of the catalog makes the service unready, with its reason. A busy file is read at the next request.
      return null;
    }
  };
  return { newest_filing_s: since(() => catalog.newestFilingAt()), follow_s: since(() => catalog.followedAt()) };
}
