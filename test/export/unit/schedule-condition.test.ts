import { describe, expect, it } from 'vitest';
import { conditionOf, decide, type Remembered, type RunSeen, type ScheduleSeen } from '../../../src/export/index.ts';

const at = (time: string) => `2026-11-26T${time}:00.000Z`;
const ms = (time: string) => Date.parse(at(time));
const schedule = (more: Partial<ScheduleSeen> = {}): ScheduleSeen => ({
  id: 'export/daily',
  name: 'daily',
  lake: '/lake',
  state: 'active',
  note: null,
  jitter_seconds: 0,
  next: [at('12:00')],
  last_started: at('06:00'),
  has_worker: true,
  ...more,
});
const run = (more: Partial<RunSeen> = {}): RunSeen => ({
  id: 'export/daily-1',
  state: 'completed',
  started_at: at('06:00'),
  stopped_by: null,
  message: null,
  waiting_until: null,
  is_complete: true,
  failures: 0,
  is_worked_on: null,
  ...more,
});
const NOTHING: Remembered = { expected: null, told: null };
const kindOf = (one: ScheduleSeen, of: RunSeen | null, remembered = NOTHING, now = ms('06:30'), watchedSince = 0) =>
  conditionOf(one, of, remembered, { now, watchedSince }).kind;

describe('the condition of a scheduled export', () => {
  it('is well if its run is complete, active or was cancelled, and before the first one', () => {
    for (const seen of [null, run(), run({ state: 'running', is_complete: null }), run({ state: 'cancelled' })])
      expect(kindOf(schedule(), seen)).toBe('well');
    expect(kindOf(schedule(), run({ is_complete: null }))).toBe('well');
  });

  it('is failed, incomplete, waiting or late', () => {
    expect(kindOf(schedule({ state: 'paused' }), run({ state: 'failed', message: 'the disk is full' }))).toBe('failed');
    expect(kindOf(schedule(), run({ is_complete: false, failures: 3 }))).toBe('incomplete');
    expect(kindOf(schedule(), run({ state: 'waiting_for_quota', stopped_by: 'quota' }))).toBe('waiting');
    for (const stopped_by of ['budget', 'unreachable'])
      expect(kindOf(schedule(), run({ state: 'paused', stopped_by }))).toBe('waiting');
    const running = run({ state: 'running', is_worked_on: false });
    expect(kindOf(schedule(), running, NOTHING, ms('11:59'))).toBe('well');
    expect(kindOf(schedule(), running, NOTHING, ms('12:01'))).toBe('late');
    const { message } = conditionOf(schedule(), running, NOTHING, { now: ms('12:01'), watchedSince: 0 });
    expect(message).toBe('export/daily-1 has not ended since 2026-11-26T06:00:00.000Z; no worker answers');
  });

  it('is no_worker if nobody would run an active one, but not while a worker may just start', () => {
    const alone = schedule({ has_worker: false });
    expect(kindOf(alone, run())).toBe('no_worker');
    expect(kindOf(alone, run(), NOTHING, ms('06:30'), ms('06:29'))).toBe('well');
    expect(kindOf(schedule({ has_worker: false, state: 'paused' }), run())).toBe('well');
    expect(kindOf(schedule({ has_worker: null }), run())).toBe('well');
  });

  it('is not_run if a time passed and nothing was started, but not while Temporal may catch up', () => {
    const remembered = { expected: at('12:00'), told: null };
    const later = schedule({ next: [at('18:00')] });
    expect(kindOf(later, run(), remembered, ms('12:14'))).toBe('well');
    expect(kindOf(later, run(), remembered, ms('12:16'))).toBe('not_run');
    expect(kindOf(later, run(), remembered, ms('12:16'), ms('12:10'))).toBe('well');
    expect(kindOf(schedule({ next: [at('18:00')], jitter_seconds: 600 }), run(), remembered, ms('12:16'))).toBe('well');
    expect(kindOf(schedule({ next: [at('18:00')], last_started: at('12:00') }), run(), remembered, ms('12:16'))).toBe(
      'well',
    );
    // A person ran it, an earlier run is still active, or a person paused it.
    expect(kindOf(later, run({ started_at: at('12:05') }), remembered, ms('12:16'))).toBe('well');
    expect(kindOf(later, run({ state: 'running', started_at: at('11:00') }), remembered, ms('12:16'))).toBe('well');
    expect(kindOf(schedule({ state: 'paused', next: [] }), run(), remembered, ms('12:16'))).toBe('well');
  });
});

describe('a notice', () => {
  it('reports each condition once, another run’s again, and the end of it', () => {
    let remembered = NOTHING;
    const look = (
      of: RunSeen | null,
      now: string,
      one = schedule({ next: [at('18:00')], last_started: of?.started_at ?? null }),
    ) => {
      const condition = conditionOf(one, of, remembered, { now: ms(now), watchedSince: 0 });
      const { tell, next } = decide(one, condition, remembered);
      remembered = next;
      return tell?.kind ?? null;
    };
    const first = run({ is_complete: false });
    const told = [
      look(first, '06:10'),
      look(first, '06:20'),
      look(run({ is_complete: false, started_at: at('12:00') }), '12:10'),
    ];
    expect(told).toEqual(['incomplete', null, 'incomplete']);
    expect([look(run({ started_at: at('18:00') }), '18:10'), look(run({ started_at: at('18:00') }), '18:20')]).toEqual([
      'well',
      null,
    ]);
  });

  it('reports a missed time once, until a run is started, however often one looks', () => {
    let remembered: Remembered = NOTHING;
    const look = (one: ScheduleSeen, of: RunSeen | null, now: string) => {
      const { tell, next } = decide(
        one,
        conditionOf(one, of, remembered, { now: ms(now), watchedSince: 0 }),
        remembered,
      );
      remembered = next;
      return tell?.kind ?? null;
    };
    expect(look(schedule(), run(), '11:00')).toBeNull();
    const missed = schedule({ next: [at('18:00')] });
    expect(['12:01', '12:14', '12:20', '13:00', '17:59'].map((now) => look(missed, run(), now))).toEqual([
      null,
      null,
      'not_run',
      null,
      null,
    ]);
    expect(
      look(
        schedule({ next: ['2026-11-27T00:00:00.000Z'], last_started: at('18:00') }),
        run({ started_at: at('18:00') }),
        '18:01',
      ),
    ).toBe('well');
    expect(remembered.expected).toBe('2026-11-27T00:00:00.000Z');
  });
});
