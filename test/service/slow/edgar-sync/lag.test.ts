/** How long a filing takes from its appearance in the feed until the catalog has it: an hour of a recorded Friday, 60 s between two looks. */
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { follow } from '../../../../src/service/edgar-sync/index.ts';
import { jsonRows, sharedFolder } from '../../../support/shared.ts';
import { HOUR, SimulatedEdgar } from '../../integration/edgar-sync/simulated-edgar.ts';

const FROM = Date.parse('2025-12-12T16:00:00-05:00');

/** Times of acceptance within the busiest hour; without the recording as many, evenly spread. */
function acceptanceTimes(): number[] {
  if (!sharedFolder) return Array.from({ length: 500 }, (_, n) => FROM + Math.floor((n * HOUR) / 500));
  return jsonRows<{ walk: string; accepted: string }>(join(sharedFolder, 'edgar/feeds/truth.jsonl.gz'))
    .filter(({ walk }) => walk === 'friday-1803')
    .map(({ accepted }) => Date.parse(accepted))
    .filter((at) => at >= FROM && at < FROM + HOUR);
}

it('is half a minute in the median, and under two minutes for 99 of 100', async () => {
  await using one = await SimulatedEdgar.start(new Date(FROM).toISOString());
  const times = acceptanceTimes();
  for (const at of times) one.edgar.publish(one.filing(at));
  const stop = new AbortController();
  await one.inSession(async (session) => {
    one.clock.onTime = (now) => now > FROM + HOUR + 120_000 && stop.abort();
    await follow({ ...session, signal: stop.signal }, { intervalMs: 60_000, onProblem: () => {} });
  });
  const lags = one.eventsOf('filing').map(({ lag_s }) => lag_s!);
  lags.sort((a, b) => a - b);
  const at = (share: number) => lags[Math.ceil(lags.length * share) - 1]!;
  console.log(`lag of ${lags.length} filings of an hour: p50 ${at(0.5)} s, p99 ${at(0.99)} s, most ${lags.at(-1)} s`);
  expect(lags).toHaveLength(times.length);
  expect(at(0.5)).toBeLessThanOrEqual(60);
  expect(at(0.99)).toBeLessThanOrEqual(120);
});
