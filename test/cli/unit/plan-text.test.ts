import { describe, expect, it } from 'vitest';
import { planText } from '../../../src/cli/commands/plan.ts';
import type { PlannedExport } from '../../../src/export/runtime/index.ts';

function plan(changes: Partial<PlannedExport>): string {
  const whole: PlannedExport = {
    filings: 550,
    entities: null,
    whole: true,
    sampled: 550,
    known: 20,
    older: 0,
    steps: [
      { step: 'lookup', tables: ['filings'], requests: 1, bytes: 1_000 },
      { step: 'filing_info', tables: ['documents'], requests: 530, bytes: 200_000 },
    ],
    requests: 531,
    requests_more: 0,
    bytes: 201_000,
    months: 1,
    whole_filings: null,
    seconds: 0.004,
    stops_by_budget: 0,
    notes: [],
    spent: { requests: 1, bytes: 1_000 },
    quota: { requests_left: 1, bytes_left: null, requests_limit: null, bytes_limit: null },
    requests_per_second: 200,
  };
  return planText({ plan: { ...whole, ...changes }, maxRequests: null });
}

describe('the words of a plan', () => {
  it('are exact if all filings were examined', () => {
    const text = plan({});
    expect(text).toMatch(/^step +requests +bytes, about +tables$/m);
    expect(text).toContain('filings    550; the lake has 20 of them complete\n');
    expect(text).toContain('requests   exact: ');
    expect(text).not.toContain('changed');
    expect(plan({ older: 3 })).toContain('changed    3 of them changed since they were fetched');
    expect(text).toContain('quota      1 request left this month;');
    expect(text).toContain('time       about a second at');
  });

  it('say how many whole filings a quota gives that does not last', () => {
    const whole_filings = { this_month: 1_049, a_month: 50 };
    expect(plan({ months: 5, whole_filings })).toContain(
      '           about 1,049 whole filings this month, 50 in each later one, the newest first\n',
    );
    expect(plan({ months: 1, whole_filings })).not.toContain('whole filings');
    expect(plan({ months: null, whole_filings: { this_month: 1, a_month: null } })).toContain(
      'about 1 whole filing this month, the newest first\n',
    );
  });

  it('are "about" if a sample was scaled', () => {
    const text = plan({ whole: false, sampled: 10, known: 55, notes: ['scaled from 10 of 550 filings'] });
    expect(text).toMatch(/^step +requests, about +bytes, about/m);
    expect(text).toContain('filings    550; the lake has about 55 of them complete\n');
    expect(text).toContain('requests   an estimate: ');
    expect(text).not.toContain('at least');
    expect(plan({ whole: false, sampled: 10, known: 0 })).toContain('the lake has none of the 10 examined');
  });

  it('are "about" for filings too if they are scaled from the hits of a search', () => {
    const steps: PlannedExport['steps'] = [
      { step: 'fulltext_search', tables: [], requests: 1, bytes: 9 },
      { step: 'filing_info', tables: ['filings'], requests: 550, bytes: 9 },
    ];
    expect(plan({ whole: false, sampled: 10, steps })).toContain('filings    about 550;');
  });

  it('are "at least" only if the service does not state how many match', () => {
    const text = plan({ whole: false, filings: null, sampled: 10, known: 3 });
    expect(text).toMatch(/^step +requests, at least +bytes, about/m);
    expect(text).toContain('filings    at least 10; the lake has 3 of them complete\n');
    expect(text).toContain('requests   the minimum: ');
    expect(text).not.toContain('exact');
  });
});
