/** The format of a file that a command writes: that of its name. */
import { invalidValue } from '../../core/index.ts';

/**
 * @param formats each with the endings of its files
 * @returns null if the name has no ending
 * @throws FilinglakeError `argument-invalid`: an ending that no format has
 */
export function formatByName<Format extends string>(
  option: string,
  file: string,
  formats: Readonly<Record<Format, readonly string[]>>,
): Format | null {
  const ending = /[^/\\]\.([^./\\]+)$/.exec(file)?.[1]?.toLowerCase();
  if (ending === undefined) return null;
  const found = (Object.keys(formats) as Format[]).find((format) => formats[format].includes(ending));
  if (found !== undefined) return found;
  const endings = Object.values<readonly string[]>(formats).flat();
  const known = `a file that ends with ${endings.map((each) => `.${each}`).join(', ')}`;
  throw invalidValue(
    'argument-invalid',
    option,
    known,
    file,
    `Give for example ${option} rows.${endings.includes('csv') ? 'csv' : endings[0]}.`,
  );
}
