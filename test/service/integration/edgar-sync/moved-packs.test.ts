/** `edgar follow` over a catalog whose packs lie in a bucket: also in several parts, and while the bucket is away. */
import { randomBytes } from 'node:crypto';
import { appendFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { checkCatalog, movePacks } from '../../../../src/service/catalog/index.ts';
import { followOnce } from '../../../../src/service/edgar-sync/index.ts';
import { packNames, startPack } from '../../../support/catalog/full-packs.ts';
import { contentOf } from '../../../support/catalog/synthetic-filings.ts';
import { s3Server } from '../../../support/lake/s3-server.ts';
import type { LocalFiling } from './local-edgar.ts';
import { HOUR, SimulatedEdgar } from './simulated-edgar.ts';

const MEGABYTES = 2 ** 20;
const s3 = s3Server();
if ('missing' in s3) console.warn(`packs in a bucket are not tested: ${s3.missing}`);

/** The pack gets as long as one of several parts. Nothing points to these bytes. */
function lengthen(catalog: string, pack: number, bytes: number): void {
  const file = join(catalog, 'packs', `00000${pack}.pack`);
  appendFileSync(file, randomBytes(bytes));
  const db = new DatabaseSync(join(catalog, 'catalog.db'));
  db.prepare('UPDATE packs SET bytes = ? WHERE pack = ?').run(statSync(file).size, pack);
  db.close();
}

/** Two followers look at different times, and a revision has the time of a withdrawal. */
const TIMES = /"((checked|corrected|withdrawn)_at|revision)":"[^"]+"/g;
const timeless = (catalog: string): unknown =>
  contentOf(catalog).filings.map(({ info, record, ...more }) => ({
    info: info.replaceAll(TIMES, ''),
    record: String(record).replaceAll(TIMES, ''),
    ...more,
  }));

describe.skipIf('missing' in s3)('following EDGAR with packs in a bucket', () => {
  it('has the filings of a catalog whose packs stay here: new, corrected, withdrawn and late ones', async () => {
    if ('missing' in s3) return;
    const server = await s3.start();
    const place = `s3://${await server.makeBucket()}/archive`;
    Object.assign(process.env, server.env());
    await using here = await SimulatedEdgar.start();
    const { edgar, clock, catalog: moved } = here;
    const local = join(here.folder, 'local');
    const filing = (acceptedAt: number, more: Partial<LocalFiling> = {}): LocalFiling => {
      const one = here.filing(acceptedAt, more);
      return { ...one, text: `${one.text} `.repeat(4_000) };
    };
    const look = async () => {
      await here.look();
      await here.inSession(followOnce, local);
    };

    const first = [0, 1, 2, 3].map((n) => filing(clock.now() - n));
    const [corrected, withdrawn] = first as [LocalFiling, LocalFiling];
    edgar.publish(...first);
    edgar.writeQuarter('2025/QTR1', '2025-03-03');
    await look();
    lengthen(moved, 1, 34 * MEGABYTES);
    for (const pack of [2, 3]) {
      startPack(moved, pack);
      edgar.publish(filing(clock.now()));
      await look();
      expect(await movePacks(moved, place)).toMatchObject({ moved: 1, in_bucket: pack - 1 });
    }
    expect(packNames(moved)).toEqual(['000001.moved', '000002.moved', '000003.pack']);
    expect(timeless(moved)).toEqual(timeless(local));
    clock.jump(11 * HOUR);
    edgar.writeDay('2025-03-04');
    edgar.writeQuarter('2025/QTR1', '2025-03-04');
    await look();

    clock.jump(5 * 24 * HOUR);
    edgar.filings.delete(withdrawn.accession);
    edgar.publish({ ...corrected, form: '8-K/A', text: 'Corrected text.' });
    edgar.publish(filing(clock.now() - 20 * 24 * HOUR, { isLetter: true, publishedOn: '2025-03-07' }));
    edgar.writeQuarter('2025/QTR1', '2025-03-07');
    // Nothing is read from a moved pack: a bucket that is away holds nothing up.
    Object.assign(process.env, server.env('http://127.0.0.1:9'));
    await here.look();
    Object.assign(process.env, server.env());
    await look();
    for (const [event, { accession }] of Object.entries({ corrected, withdrawn }))
      expect(here.events).toContainEqual(expect.objectContaining({ event, accession_number: accession }));
    expect(timeless(moved)).toEqual(timeless(local));
    expect(checkCatalog(moved)).toMatchObject({ problems: [], filings: 7 });
  });
});
