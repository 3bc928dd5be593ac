/**
 * XML documents are stored in one format, as JSON or as they are, and readable texts in one, plain or Markdown. Two exports of one lake
 * that ask for different formats would replace each other's, and spend requests on that each time.
 */
import { counted, FilinglakeError, quoteText } from '../../../core/index.ts';
import type { Lake } from '../../../lake/index.ts';
import { namesFrom } from '../../../lake/tables/index.ts';
import { type ExportDefinition, mayShare } from '../../definition/index.ts';
import { RAW_XML } from '../../selectors/index.ts';

const WORDS = { json: 'converted to JSON', raw: 'as it is' } as const;

/**
 * Refuses to replace XML documents, or texts, that another export has stored in the other format. An export whose own definition
 * changed replaces its documents.
 * @throws FilinglakeError `format-differs`
 */
export async function refuseOtherFormat(lake: Lake, definition: ExportDefinition): Promise<void> {
  if (!definition.tables.includes('document_contents') && textsOf(definition).length === 0) return;
  const { name } = definition;
  const others = await lake.query(
    `SELECT export, arg_max(definition, started_at) AS definition FROM export_runs
     WHERE export <> ${quoteText(name)} GROUP BY export ORDER BY export`,
  );
  for (const row of others) {
    const other = JSON.parse(String(row.definition)) as ExportDefinition;
    const differs = (stored: string, option: string, value: string) =>
      new FilinglakeError(
        'format-differs',
        `export ${row.export} has stored ${stored}; ${name} would replace those it selects too`,
        {
          remedy: `Set ${option} of ${name} to ${value}, or give it another lake. To replace them, export under the name ${row.export}.`,
        },
      );
    const documents = await xmlInOtherFormat(lake, definition, other, String(row.export));
    if (documents > 0)
      throw differs(
        `${counted(documents, 'XML document')} ${WORDS[other.documents.xml]}`,
        'documents.xml',
        other.documents.xml,
      );
    const texts = await textsInOtherFormat(lake, definition, other, String(row.export));
    const format = other.text_format ?? 'plain';
    const answers = counted(texts, 'answer');
    if (texts > 0) throw differs(`readable texts of ${answers} as ${FORMATS[format]}`, 'text_format', format);
  }
}

const FORMATS = { markdown: 'Markdown', lines: 'lines as filed', plain: 'plain text' } as const;

async function xmlInOtherFormat(lake: Lake, definition: ExportDefinition, other: ExportDefinition, name: string) {
  const both = [definition, other];
  if (!both.every(({ tables }) => tables.includes('document_contents'))) return 0;
  if (other.documents.xml === definition.documents.xml) return 0;
  return haveCommonTypes(definition, other) && mayShare(definition, other)
    ? storedAs(lake, name, other.documents.xml)
    : 0;
}

function textsOf({ tables, documents }: ExportDefinition): ('sections' | 'documents')[] {
  const sections: readonly string[] = namesFrom('sections');
  const wantsDocuments = namesFrom('document').some((table) => tables.includes(table));
  const makes = documents.text || documents.annual_report || tables.includes('chunks');
  return [
    ...(tables.some((table) => sections.includes(table)) ? (['sections'] as const) : []),
    ...(wantsDocuments && makes ? (['documents'] as const) : []),
  ];
}

/** Answers whose texts runs of another export have stored in the other format, and that this one would convert too. */
async function textsInOtherFormat(lake: Lake, definition: ExportDefinition, other: ExportDefinition, name: string) {
  if (definition.text_format === other.text_format) return 0;
  const others = textsOf(other);
  const both = textsOf(definition).filter(
    (of) => others.includes(of) && (of === 'sections' || haveCommonTypes(definition, other)),
  );
  // The texts are the same rows, whichever tables are made of them.
  const ofTexts = { tables: [...namesFrom('sections')] };
  if (both.length === 0 || !mayShare({ ...definition, ...ofTexts }, { ...other, ...ofTexts })) return 0;
  const steps = both.map((of) =>
    of === 'sections' ? `step = 'sections'` : `(starts_with(step, 'document:') AND ${TEXT_WORDS})`,
  );
  const [row] = await lake.query(
    `SELECT count(*) AS n FROM coverage WHERE status = 'done' AND (${steps.join(' OR ')})
       AND coalesce(list_intersect(string_split(selector, ','), ['markdown', 'lines'])[1], 'plain') = ${quoteText(other.text_format ?? 'plain')}
     AND run_id IN (SELECT run_id FROM export_runs WHERE export = ${quoteText(name)})`,
  );
  return Number(row!.n);
}

const TEXT_WORDS = `list_has_any(string_split(selector, ','), ['text', 'annual_report', 'chunks'])`;

/** XML documents that runs of an export have stored in a format. */
async function storedAs(lake: Lake, name: string, format: 'json' | 'raw'): Promise<number> {
  const word = format === 'json' ? 'json' : RAW_XML;
  const [row] = await lake.query(
    `SELECT count(*) AS n FROM coverage WHERE starts_with(step, 'document:') AND status = 'done'
       AND list_contains(string_split(selector, ','), ${quoteText(word)})
     AND run_id IN (SELECT run_id FROM export_runs WHERE export = ${quoteText(name)})`,
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
