/** Answers to filing_info: docs/api.md#filing_info. */
import { isObject } from '../../core/index.ts';

/** Some services put the filing's own members under `filing` and the filer's under `filer`. */
export function flatInfo(value: unknown): unknown {
  if (!isObject(value) || !('filing' in value || 'filer' in value)) return value;
  const { filing: own, filer, ...rest } = value;
  let flat: Record<string, unknown> = {};
  if (isObject(filer)) {
    if (filer.cik !== undefined) flat.cik = filer.cik;
    const name = filer.name ?? filer.entity_name ?? filer.entityName;
    if (name !== undefined) flat.entity_name = name;
  } else if (filer !== undefined && filer !== null) flat.filer = filer;
  if (isObject(own)) flat = { ...flat, ...own };
  else if (own !== undefined && own !== null) flat.filing = own;
  return { ...flat, ...rest };
}
