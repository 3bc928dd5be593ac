/** Our own service over a catalog, and a client of it that records what is requested. */
import { join } from 'node:path';
import pino from 'pino';
import { FilingClient } from '../../../src/export/client/index.ts';
import type { ExportDefinition } from '../../../src/export/definition/index.ts';
import { checkLake } from '../../../src/lake/report/index.ts';
import { KeyRegister } from '../../../src/service/accounts/index.ts';
import { ingest } from '../../../src/service/catalog/index.ts';
import { type RunningService, startService } from '../../../src/service/index.ts';
import { writeFiles } from '../catalog/synthetic-filings.ts';
import { temporaryFolder } from '../lake/temporary-folder.ts';
import { PLANS } from '../service/running-service.ts';
import type { LakeOfRuns } from './lake-of-runs.ts';

export class OwnService {
  readonly folder = temporaryFolder();
  /** Names of the client's calls; of a document, its id. */
  asked: string[] = [];
  #files = 0;
  #service: RunningService | null = null;
  #client: FilingClient | null = null;

  async ingest(submission: Buffer): Promise<void> {
    const file = `${++this.#files}`;
    writeFiles(this.folder, { [file]: submission });
    await ingest([join(this.folder, file)], join(this.folder, 'catalog'), { threads: 0 });
  }

  async start(): Promise<void> {
    const catalogFolder = join(this.folder, 'catalog');
    const accounts = KeyRegister.open(catalogFolder, PLANS);
    const { api_key: apiKey } = accounts.createKey('unlimited');
    accounts.close();
    const logger = pino({ level: 'silent' });
    this.#service = await startService({ catalogFolder, port: 0, plans: PLANS, logger, limits: { readerThreads: 1 } });
    this.#client = new FilingClient({ baseUrl: this.#service.url, apiKey });
  }

  get client(): FilingClient {
    return new Proxy(this.#client!, {
      get: (of, name) => {
        const method = of[name as keyof FilingClient] as unknown;
        if (typeof method !== 'function') return method;
        return (...given: unknown[]) => {
          this.asked.push(name === 'document' ? (given[0] as { document_id: string }).document_id : String(name));
          return (method as (...given: unknown[]) => unknown).apply(of, given);
        };
      },
    });
  }

  /**
   * Runs an export into a lake, which is sound afterwards.
   * @param numbers of the filings that it lists, in place of a lookup
   * @param meanwhile happens between the lookup and the fetch
   * @returns the requests after the lookup
   * @throws if the lake is not sound
   */
  async exportTo(
    lake: LakeOfRuns,
    definition: ExportDefinition,
    numbers?: readonly string[],
    meanwhile?: () => Promise<void>,
  ): Promise<string[]> {
    const { value } = await this.#client!.filingLookup({ from: 0, to: 10_000 });
    const planned = await (numbers
      ? lake.lookUp(definition, { records: numbers }, { of: 'numbers' })
      : lake.lookUp(definition, { records: value.filings }));
    await meanwhile?.();
    this.asked = [];
    await lake.fetch(planned, this.client);
    const { problems } = await checkLake(lake.lake);
    if (problems.length > 0) throw new Error(JSON.stringify(problems));
    return this.asked;
  }

  async stop(): Promise<void> {
    await this.#client?.close();
    await this.#service?.close();
  }
}
