/** `service.edgar` of a definition: what its selection needs is fetched from EDGAR into its catalog, before the export. */
import { EXIT, type ExitCode, FilinglakeError } from '../../core/index.ts';
import {
  catalogOf,
  type ListKind,
  type NumbersFile,
  type ParsedDefinition,
  resolveDate,
  type Selection,
} from '../../export/index.ts';
import { readListFile } from '../../export/runtime/index.ts';
import type { FetchSelection } from '../../service/edgar-sync/index.ts';
import { formatBytes, formatCount } from './terminal.ts';

/**
 * Fetches what an export needs and its catalog lacks. Without `service.edgar` it does nothing.
 * @returns the exit code: 3 if a filing is not available, 130 if interrupted
 * @throws FilinglakeError `selection-too-wide` (exit 2), and those of `edgar fetch`
 */
export async function fetchForExport({ definition, edgar }: ParsedDefinition): Promise<ExitCode> {
  const catalog = catalogOf(definition.service.base_url);
  if (edgar === undefined || catalog === null) return EXIT.complete;
  const [{ fetchSelected, selectFilings }, { inSession }] = await Promise.all([
    import('../../service/edgar-sync/index.ts'),
    import('./edgar-session.ts'),
  ]);
  const selection = await edgarSelection(definition.select, new Date().toISOString().slice(0, 10));
  return inSession({ catalog, ifBusy: 'wait' }, 'fetching', async (session, print) => {
    const selected = await selectFilings(session, selection, print);
    const { to_fetch, bytes_estimate, unindexed } = selected.plan;
    if (to_fetch > edgar.max_filings) {
      const size = `${formatCount(to_fetch)} filings, at most about ${formatBytes(bytes_estimate)}`;
      throw new FilinglakeError('selection-too-wide', `${definition.name} would fetch ${size} from EDGAR`, {
        remedy: `Narrow the selection, or set service.edgar.max_filings (now ${edgar.max_filings}) to ${to_fetch} or more.`,
      });
    }
    for (const period of unindexed) print(`EDGAR has no index of ${period}`);
    await fetchSelected(session, selected);
    return { missing: session.counts.missing + unindexed.length };
  });
}

/** At least the filings of EDGAR that an export selects. What its indexes can't tell, such as states, is left out. */
export async function edgarSelection(select: Selection, today: string): Promise<FetchSelection> {
  const { form_types, date_from, date_to, accession_numbers } = select;
  return {
    ...(form_types?.length ? { forms: form_types } : {}),
    ...(await companiesOf(select)),
    ...(date_from === undefined ? {} : { from: resolveDate(date_from, today) }),
    ...(date_to === undefined ? {} : { to: resolveDate(date_to, today) }),
    ...(accession_numbers === undefined
      ? {}
      : { accessionNumbers: await valuesOf('accession_numbers', accession_numbers) }),
  };
}

/** All filters of an export must match, while a fetch takes the filings of any named company. So one filter is enough. */
async function companiesOf({
  entity_query = {},
  entity_lists = {},
}: Selection): Promise<Pick<FetchSelection, 'ciks' | 'tickers'>> {
  const ciks = entity_lists.ciks ?? entity_query.ciks;
  const tickers = entity_lists.tickers ?? entity_query.tickers;
  if (ciks !== undefined && !isEmpty(ciks)) return { ciks: await valuesOf('ciks', ciks) };
  return tickers === undefined || isEmpty(tickers) ? {} : { tickers: await valuesOf('tickers', tickers) };
}

function isEmpty(values: readonly string[] | NumbersFile): boolean {
  return Array.isArray(values) && values.length === 0;
}

/** The file was checked when the definition was read. */
async function valuesOf(kind: ListKind, values: readonly string[] | NumbersFile): Promise<string[]> {
  return 'file' in values ? (await readListFile(values, kind)).values : [...values];
}
