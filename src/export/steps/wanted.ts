/** Which requests the tables of a definition need. */
import { namesFrom } from '../../lake/tables/index.ts';
import type { ExportDefinition } from '../definition/definition.ts';

/** Whether a table is wanted whose rows come from this request. */
export function wantsFrom(
  { tables }: Pick<ExportDefinition, 'tables'>,
  source: Parameters<typeof namesFrom>[0],
): boolean {
  return namesFrom(source).some((name) => tables.includes(name));
}
