/** A catalog that follows a local EDGAR, both by one simulated clock. */
import { join } from 'node:path';
import { Catalog } from '../../../../src/service/catalog/index.ts';
import { storedAmong } from '../../../../src/service/edgar-sync/catalog-contents.ts';
import { easternTime } from '../../../../src/service/edgar-sync/clock.ts';
import {
  edgarDays,
  followOnce,
  openSession,
  type Session,
  type SyncEvent,
} from '../../../../src/service/edgar-sync/index.ts';
import { SimulatedClock } from '../../../support/edgar-sync/simulated-clock.ts';
import { temporaryFolder } from '../../../support/lake/temporary-folder.ts';
import { LocalEdgar, type LocalFiling } from './local-edgar.ts';

export const HOUR = 3_600_000;
export const DAY = 24 * HOUR;

type NamedEvent = Extract<SyncEvent, { accession_number: string }>;

export class SimulatedEdgar {
  readonly folder = temporaryFolder();
  readonly catalog = join(this.folder, 'catalog');
  readonly events: SyncEvent[] = [];
  readonly clock: SimulatedClock;
  readonly edgar: LocalEdgar;
  #numbered = 0;

  private constructor(clock: SimulatedClock, edgar: LocalEdgar) {
    this.clock = clock;
    this.edgar = edgar;
  }

  /** @param time a Tuesday, noon Eastern, if none is given */
  static async start(time = '2025-03-04T17:00:00Z'): Promise<SimulatedEdgar> {
    const clock = new SimulatedClock(time);
    return new SimulatedEdgar(clock, await LocalEdgar.start(() => clock.now()));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.edgar.close();
  }

  /** @param catalog another one, whose events are not kept */
  async inSession<Result>(
    work: (session: Session) => Result | Promise<Result>,
    catalog = this.catalog,
  ): Promise<Result> {
    const { edgar, clock } = this;
    const session = openSession({
      settings: {
        baseUrl: edgar.url,
        dataUrl: edgar.url,
        agent: 'A Tester tester@example.com',
        blockSeconds: 601,
        homeFolder: join(this.folder, 'home'),
      },
      catalogFolder: catalog,
      onEvent: (event) => void (catalog === this.catalog && this.events.push(event)),
      threads: 0,
      clock,
    });
    try {
      return await work(session);
    } finally {
      await session.close();
    }
  }

  /** One look, as `follow --once`. */
  look(): Promise<void> {
    return this.inSession(followOnce);
  }

  days() {
    return this.inSession(({ ledger }) => edgarDays(ledger, this.catalog));
  }

  filing(acceptedAt: number, more: Partial<LocalFiling> = {}): LocalFiling {
    const n = ++this.#numbered;
    return {
      accession: `0000999999-25-${String(n).padStart(6, '0')}`,
      form: '8-K',
      filingDate: easternTime(acceptedAt).date,
      acceptedAt,
      text: `Text ${n}.`,
      parties: [{ cik: '320193', name: 'Example Orchards Inc', role: 'Filer' }],
      ...more,
    };
  }

  /** Publishes filings that were accepted just now, the first one last. */
  publish(count: number, more: Partial<LocalFiling> = {}): LocalFiling[] {
    const filings = Array.from({ length: count }, (_, n) => this.filing(this.clock.now() - n * 1000, more));
    this.edgar.publish(...filings);
    return filings;
  }

  stored(): string[] {
    const named = this.events.flatMap((e) => ('accession_number' in e ? [e.accession_number] : []));
    return [...storedAmong(this.catalog, [...this.edgar.filings.keys(), ...named])].sort();
  }

  textOf(accession: string): string {
    const catalog = Catalog.open(this.catalog);
    try {
      return String(catalog.mainDocument(accession as never)?.read() ?? '');
    } finally {
      catalog.close();
    }
  }

  eventsOf<Name extends SyncEvent['event']>(name: Name): Extract<SyncEvent, { event: Name }>[] {
    return this.events.filter(({ event }) => event === name) as never;
  }

  /** Accession numbers that events of a kind named. */
  named(name: NamedEvent['event']): string[] {
    return this.eventsOf(name).map(({ accession_number }) => accession_number);
  }
}
