/**
 * XML documents are stored in one format: as JSON or as they are. Two exports of one lake that ask for different formats would
 * replace each other's documents, and spend requests on that each time.
 */
import { counted, FilinglakeError } from '../../core/index.ts';
import { type ExportDefinition, mayShare, RAW_XML } from '../../export/index.ts';
import type { Lake } from '../../lake/index.ts';
import { sqlText } from '../sql-values.ts';

const WORDS = { json: 'converted to JSON', raw: 'as it is' } as const;

/**
 * Refuses to replace XML documents that another export has stored in the other format. An export whose own definition changed
 * replaces its documents.
 * @throws FilinglakeError `format-differs`
 */
export async function refuseOtherFormat(lake: Lake, definition: ExportDefinition): Promise<void> {
  if (!definition.tables.includes('document_contents')) return;
  const { name } = definition;
  const others = await lake.query(
    `SELECT export, arg_max(definition, started_at) AS definition FROM export_runs
     WHERE export <> ${sqlText(name)} GROUP BY export ORDER BY export`,
  );
  for (const row of others) {
    const other = JSON.parse(String(row.definition)) as ExportDefinition;
    if (!other.tables.includes('document_contents') || other.documents.xml === definition.documents.xml) continue;
    if (!haveCommonTypes(definition, other) || !mayShare(definition, other)) continue;
    const documents = await storedAs(lake, String(row.export), other.documents.xml);
    if (documents === 0) continue;
    const stored = `export ${row.export} has stored ${counted(documents, 'XML document')} ${WORDS[other.documents.xml]}`;
    throw new FilinglakeError('format-differs', `${stored}; ${name} would replace those it selects too`, {
      remedy: `Set documents.xml of ${name} to ${other.documents.xml}, or give it another lake. To replace them, export under the name ${row.export}.`,
    });
  }
}

/** XML documents that runs of an export have stored in a format. */
async function storedAs(lake: Lake, name: string, format: 'json' | 'raw'): Promise<number> {
  const word = format === 'json' ? 'json' : RAW_XML;
  const [row] = await lake.query(
    `SELECT count(*) AS n FROM coverage WHERE starts_with(step, 'document:') AND status = 'done'
       AND list_contains(string_split(selector, ','), ${sqlText(word)})
     AND run_id IN (SELECT run_id FROM export_runs WHERE export = ${sqlText(name)})`,
  );
  return Number(row!.n);
}

/** False if no document can be of a type of both: `primary` and types of exhibits, or different types. */
function haveCommonTypes(one: ExportDefinition, other: ExportDefinition): boolean {
  return one.documents.types.some((a) => other.documents.types.some((b) => mayBeOne(a, b)));
}

function mayBeOne(a: string, b: string): boolean {
  const types = [a.toUpperCase(), b.toUpperCase()];
  if (types[0] === types[1] || types.includes('ALL')) return true;
  // The main document may have any type.
  if (types.includes('PRIMARY')) return !types.some((type) => type === 'EXHIBITS' || type.startsWith('EX-'));
  if (types.includes('EXHIBITS'))
    return types.every((type) => type === 'EXHIBITS' || 'EX-'.startsWith(type.slice(0, 3)));
  const [x, y] = types.map((type) => ({ text: type.replace(/\*$/, ''), open: type.endsWith('*') }));
  return (x!.open && y!.text.startsWith(x!.text)) || (y!.open && x!.text.startsWith(y!.text));
}
