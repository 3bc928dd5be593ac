/** Reads the request's Accept and Accept-Encoding headers. */

export type ContentCoding = 'zstd' | 'br' | 'gzip';

/** Best first: stored frames are zstd already, and it is the fastest of the three at like size. */
const CODINGS: readonly ContentCoding[] = ['zstd', 'br', 'gzip'];

interface Preference {
  name: string;
  quality: number;
}

/**
 * Whether the caller wants the bytes of a record in one of these media types, not JSON. Then Accept names one of them, and
 * neither JSON nor the wildcard of ordinary clients (docs/api.md#document).
 */
export function wantsBytes(accept: string | undefined, mediaTypes: readonly string[]): boolean {
  const named = preferences(accept).filter(({ quality }) => quality > 0);
  const asks = (type: string) => named.some(({ name }) => name === type);
  if (asks('application/json') || asks('application/*') || asks('*/*')) return false;
  return mediaTypes.some((type) => asks(type.toLowerCase()));
}

/** The content coding of the answer; null without one. A coding that the header doesn't name is used only if it has `*`. */
export function chooseCoding(acceptEncoding: string | undefined): ContentCoding | null {
  const offered = preferences(acceptEncoding);
  const wildcard = offered.find(({ name }) => name === '*')?.quality ?? 0;
  const identity = offered.find(({ name }) => name === 'identity')?.quality ?? 0;
  let best: ContentCoding | null = null;
  let bestQuality = 0;
  for (const coding of CODINGS) {
    const named = offered.find(({ name }) => name === coding || (coding === 'gzip' && name === 'x-gzip'));
    const quality = named?.quality ?? wildcard;
    if (quality > bestQuality && quality >= identity) [best, bestQuality] = [coding, quality];
  }
  return best;
}

function preferences(header: string | undefined): Preference[] {
  if (!header) return [];
  return header.split(',').map((part) => {
    const [name = '', ...attributes] = part.split(';').map((piece) => piece.trim().toLowerCase());
    const quality = attributes.find((attribute) => attribute.startsWith('q='))?.slice(2);
    const parsed = quality === undefined ? 1 : Number(quality);
    return { name, quality: Number.isFinite(parsed) ? parsed : 0 };
  });
}
