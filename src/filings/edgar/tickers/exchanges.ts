/** SEC writes `Nasdaq`, the interface NASDAQ; null if SEC names no exchange. */
export function exchangeName(asSecHasIt: string | null | undefined): string | null {
  return asSecHasIt?.trim().toUpperCase() || null;
}
