/** What EDGAR says of a filing after its publication, in filing_info: when it was checked, corrected and withdrawn. */
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { FilingInfo } from '../../../../src/filings/api/index.ts';
import { Catalog, ingest } from '../../../../src/service/catalog/index.ts';
import { recheckSelected, selectFilings } from '../../../../src/service/edgar-sync/index.ts';
import { type LocalFiling, submissionText } from './local-edgar.ts';
import { fetch, OLD, old } from './old-quarter.ts';
import { DAY, SimulatedEdgar } from './simulated-edgar.ts';

const QUARTER = '2019/QTR1';
const now = (one: SimulatedEdgar) => new Date(one.clock.now()).toISOString();

/** The times and the revision in filing_info, and the revision of the lookup. */
function stateOf(one: SimulatedEdgar, { accession }: LocalFiling) {
  const catalog = Catalog.open(one.catalog);
  try {
    const json = catalog.filingInfoJson(accession as never)!.toString();
    const { withdrawn_at, corrected_at, checked_at, revision } = JSON.parse(json);
    const records = JSON.parse(`[${Buffer.concat(catalog.filingLookup({}).pieces)}]`) as FilingInfo[];
    expect(records.find((record) => record.accession_number === accession)!.revision).toBe(revision);
    return { withdrawn_at, corrected_at, checked_at, revision };
  } finally {
    catalog.close();
  }
}

const recheck = (one: SimulatedEdgar) =>
  one.inSession(async (session) => recheckSelected(session, await selectFilings(session, OLD)));

function withdraw(one: SimulatedEdgar, { accession }: LocalFiling): void {
  one.edgar.filings.delete(accession);
  one.edgar.writeQuarter(QUARTER, '2019-03-29');
  one.clock.jump(7 * DAY);
}

describe('the state of a filing at EDGAR', () => {
  it('has the time of the last check, which changes no revision', async () => {
    await using one = await SimulatedEdgar.start();
    const [filing, other] = old(one, 3);
    await fetch(one);
    const first = stateOf(one, filing!);
    expect(first).toEqual({
      withdrawn_at: null,
      corrected_at: null,
      checked_at: expect.any(String),
      revision: expect.any(String),
    });
    expect(Date.parse(first.checked_at)).toBeLessThanOrEqual(one.clock.now());
    one.clock.jump(30 * DAY);
    await recheck(one);
    expect(stateOf(one, filing!)).toEqual({ ...first, checked_at: now(one) });
    expect(stateOf(one, other!).checked_at).toBe(now(one));
  });

  it('has the time of a correction, with another revision', async () => {
    await using one = await SimulatedEdgar.start();
    const [filing, other] = old(one, 3);
    await fetch(one);
    const [before, otherBefore] = [stateOf(one, filing!), stateOf(one, other!)];
    one.edgar.publish({ ...filing!, text: 'Corrected.' });
    one.clock.jump(30 * DAY);
    await recheck(one);
    const after = stateOf(one, filing!);
    expect(after).toMatchObject({ withdrawn_at: null, corrected_at: now(one), checked_at: now(one) });
    expect(after.revision).not.toBe(before.revision);
    expect(stateOf(one, other!)).toEqual({ ...otherBefore, checked_at: now(one) });
    one.clock.jump(30 * DAY);
    await recheck(one);
    expect(stateOf(one, filing!)).toEqual({ ...after, checked_at: now(one) });
  });

  it('has the time of a withdrawal, until EDGAR lists the filing again: each has another revision', async () => {
    await using one = await SimulatedEdgar.start();
    const [filing, other] = old(one, 3);
    await fetch(one);
    const [before, otherBefore] = [stateOf(one, filing!), stateOf(one, other!)];
    withdraw(one, filing!);
    await fetch(one);
    const gone = stateOf(one, filing!);
    expect(gone).toMatchObject({ withdrawn_at: expect.stringMatching(/Z$/), checked_at: before.checked_at });
    one.edgar.publish(filing!);
    one.edgar.writeQuarter(QUARTER, '2019-03-29');
    one.clock.jump(7 * DAY);
    await one.look();
    await one.look();
    const back = stateOf(one, filing!);
    expect(back.withdrawn_at).toBeNull();
    expect(new Set([before.revision, gone.revision, back.revision]).size).toBe(3);
    expect(stateOf(one, other!)).toEqual(otherBefore);
  });

  it('outlasts another ingest of the same submission, of other bytes, and of a new catalog', async () => {
    await using one = await SimulatedEdgar.start();
    const [filing] = old(one, 3);
    await fetch(one);
    const file = join(one.folder, 'own.txt');
    const text = submissionText(filing!);
    withdraw(one, filing!);
    await fetch(one);
    const gone = stateOf(one, filing!);
    writeFileSync(file, text);
    expect((await ingest([file], one.catalog, { threads: 0 })).filings).toMatchObject({ replaced: 0 });
    expect(stateOf(one, filing!)).toEqual(gone);
    writeFileSync(file, text.replace('10-K', '10-K405').replaceAll('>10-K\n', '>10-K405\n'));
    await ingest([file], one.catalog, { threads: 0 });
    const { revision, ...times } = stateOf(one, filing!);
    expect({ ...times, revision: gone.revision }).toEqual(gone);
    expect(revision).not.toBe(gone.revision);
    // Somebody makes the catalog again from his own files: the ledger still knows.
    for (const name of ['catalog.db', 'catalog.db-wal', 'catalog.db-shm', 'packs'])
      rmSync(join(one.catalog, name), { recursive: true, force: true });
    writeFileSync(file, text);
    await ingest([file], one.catalog, { threads: 0 });
    expect(stateOf(one, filing!).withdrawn_at).toBeNull();
    await one.look();
    expect(stateOf(one, filing!)).toMatchObject({ withdrawn_at: gone.withdrawn_at, revision: gone.revision });
  });
});
