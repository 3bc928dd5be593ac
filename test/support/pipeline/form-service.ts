/** A service whose filings have these documents: as much of a client as fetching the tables of forms asks. */

import { type FilingClient, UnprocessableError } from '../../../src/export/client/index.ts';
import type { WindowPlanned } from '../../../src/export/pipeline/types.ts';
import type { Filing } from '../../../src/filings/api/index.ts';
import { type Lake, openLake } from '../../../src/lake/index.ts';
import { checkLake } from '../../../src/lake/report/index.ts';
import { temporaryFolder } from '../lake/temporary-folder.ts';
import { clientOf } from './activity-harness.ts';
import { definitionOf, filingOfLookup, infoOf, LakeOfRuns } from './lake-of-runs.ts';

export interface ServedDocument {
  name: string | null;
  type: string;
  content: string;
}

/** A filing as the lookup has it. */
export function formFiling(
  n: number,
  form_type: string,
  documents: readonly ServedDocument[],
  over: Partial<Filing> = {},
) {
  const { accession_number } = filingOfLookup(n);
  return filingOfLookup(n, {
    form_type,
    documents: documents.map(({ name, type }, i) => ({
      document_id: `${accession_number}-${i + 1}`,
      sequence: i + 1,
      filename: name,
      description: null,
      type,
    })),
    ...over,
  });
}

/** Records its requests. */
export class FormService {
  readonly asked: string[] = [];
  /** Ids of documents that it does not answer. */
  readonly refused = new Set<string>();
  readonly #contents = new Map<string, string>();
  readonly #filings = new Map<string, Filing>();

  add(filing: Filing, documents: readonly ServedDocument[]): Filing {
    this.#filings.set(filing.accession_number, filing);
    for (const [i, { content }] of documents.entries())
      this.#contents.set(`${filing.accession_number}-${i + 1}`, content);
    return filing;
  }

  get client(): FilingClient {
    return clientOf({
      info: (number) => {
        this.asked.push(number);
        return infoOf(this.#filings.get(number)!);
      },
      document: (id) => {
        this.asked.push(id);
        if (this.refused.has(id)) throw new UnprocessableError(`no content of ${id}`);
        return this.#contents.get(id)!;
      },
    });
  }
}

/** A new lake, the runs into it, and a service for them. */
export async function openForms(): Promise<{ lake: Lake; runs: LakeOfRuns; service: FormService }> {
  const lake = await openLake(temporaryFolder(), { create: true });
  return { lake, runs: new LakeOfRuns(lake), service: new FormService() };
}

/** Plans and fetches the tables of these filings. The lake is sound afterwards. @throws if it is not */
export async function fetchForms(
  runs: LakeOfRuns,
  tables: string,
  records: readonly Filing[],
  client: FilingClient,
  more = '',
): Promise<WindowPlanned> {
  const planned = await runs.lookUp(definitionOf(tables, more, '{}'), { records });
  await runs.fetch(planned, client);
  const { problems } = await checkLake(runs.lake);
  if (problems.length > 0) throw new Error(JSON.stringify(problems));
  return planned;
}
