import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  CIRCUIT_EVENTS,
  CIRCUIT_STATES,
  type Circuit,
  type CircuitAction,
  type CircuitEvent,
  type CircuitState,
  circuitAfter,
  NEW_CIRCUIT,
} from '../../../../src/export/pipeline/failures/circuit.ts';
import { runs } from '../../../support/property-runs.ts';

const LIMITS = { faults: 8, absences: 20, failures: 50, mayGiveUp: false };
const INSISTENT = { ...LIMITS, failures: Number.POSITIVE_INFINITY, mayGiveUp: true };

/** `state action` after each event, of a circuit that holds one fault and one unexplained 404. */
const CASES: Record<CircuitState, Record<CircuitEvent, `${CircuitState} ${CircuitAction}`>> = {
  closed: {
    answered: 'closed record',
    refused: 'closed none',
    fault: 'closed none',
    absent: 'closed none',
    'known-absent': 'closed none',
    'probe-answered': 'closed record',
    'probe-unanswered': 'closed none',
    'probe-unsent': 'closed none',
    'probe-broken': 'closed none',
    ended: 'settling probe',
    forgotten: 'closed drop',
  },
  probing: {
    answered: 'closed record',
    refused: 'probing probe',
    fault: 'probing probe',
    absent: 'probing probe',
    'known-absent': 'probing none',
    'probe-answered': 'closed record',
    'probe-unanswered': 'open stop',
    'probe-unsent': 'open stop',
    'probe-broken': 'closed none',
    ended: 'probing probe',
    forgotten: 'closed drop',
  },
  settling: {
    answered: 'closed record',
    refused: 'settling probe',
    fault: 'settling probe',
    absent: 'settling probe',
    'known-absent': 'settling none',
    'probe-answered': 'closed record',
    'probe-unanswered': 'open stop',
    'probe-unsent': 'closed record-unproven',
    'probe-broken': 'closed none',
    ended: 'settling probe',
    forgotten: 'closed drop',
  },
  open: {
    answered: 'closed record',
    refused: 'open stop',
    fault: 'open stop',
    absent: 'open stop',
    'known-absent': 'open none',
    'probe-answered': 'closed record',
    'probe-unanswered': 'open none',
    'probe-unsent': 'open none',
    'probe-broken': 'open none',
    ended: 'open stop',
    forgotten: 'open drop',
  },
  'given-up': {
    answered: 'closed record',
    refused: 'given-up none',
    fault: 'given-up record-unproven',
    absent: 'given-up record-unproven',
    'known-absent': 'given-up record-unproven',
    'probe-answered': 'closed record',
    'probe-unanswered': 'given-up none',
    'probe-unsent': 'given-up none',
    'probe-broken': 'given-up none',
    ended: 'given-up none',
    forgotten: 'given-up drop',
  },
};

function step(circuit: Circuit, event: CircuitEvent, limits = LIMITS): string {
  const { circuit: next, action } = circuitAfter(circuit, event, limits);
  return `${next.state} ${action}`;
}

describe('a circuit, by state and event', () => {
  it.each(CIRCUIT_STATES.flatMap((state) => CIRCUIT_EVENTS.map((event) => [state, event] as const)))(
    '%s, %s',
    (state, event) => {
      const circuit: Circuit = { ...NEW_CIRCUIT, state, failures: 2, faults: 1, absences: 1 };
      expect(step(circuit, event)).toBe(CASES[state][event]);
    },
  );
});

describe('a circuit', () => {
  const of404s: Circuit = { ...NEW_CIRCUIT, failures: 19, absences: 19 };

  it('is probed from the eighth fault, the twentieth unexplained 404 or the fiftieth failure of any kind on', () => {
    expect(step({ ...NEW_CIRCUIT, failures: 6, faults: 6 }, 'fault')).toBe('closed none');
    expect(step({ ...NEW_CIRCUIT, failures: 7, faults: 7 }, 'fault')).toBe('probing probe');
    expect(step({ ...of404s, failures: 18, absences: 18 }, 'absent')).toBe('closed none');
    expect(step(of404s, 'absent')).toBe('probing probe');
    expect(step({ ...NEW_CIRCUIT, failures: 48 }, 'refused')).toBe('closed none');
    expect(step({ ...NEW_CIRCUIT, failures: 49 }, 'refused')).toBe('probing probe');
    expect(step({ ...NEW_CIRCUIT, failures: 1_000 }, 'refused', INSISTENT)).toBe('closed none');
  });

  it('is given up only for 404s, and only if it may be', () => {
    const probing: Circuit = { ...of404s, state: 'probing' };
    for (const end of ['probe-unanswered', 'probe-unsent'] as const) {
      expect(step(probing, end)).toBe('open stop');
      expect(step(probing, end, INSISTENT)).toBe('given-up record-unproven');
      expect(step({ ...probing, faults: 1 }, end, INSISTENT)).toBe('open stop');
    }
    expect(step({ ...probing, state: 'settling' }, 'probe-unanswered', INSISTENT)).toBe('closed record-unproven');
  });

  it('is not probed for known failures: its earlier answers are enough', () => {
    const known: Circuit = { ...NEW_CIRCUIT, known: 200 };
    expect(step(known, 'known-absent')).toBe('closed none');
    expect(step(known, 'ended')).toBe('closed record-unproven');
    expect(step({ ...known, hasAnswered: true }, 'ended')).toBe('closed record');
    expect(step(NEW_CIRCUIT, 'ended')).toBe('closed none');
  });

  it('holds nothing after it was recorded or dropped, and loses no held failure otherwise', () => {
    const event = fc.constantFrom(...CIRCUIT_EVENTS);
    fc.assert(
      fc.property(fc.array(event, { maxLength: 120 }), fc.boolean(), (events, mayGiveUp) => {
        let circuit = NEW_CIRCUIT;
        let held = 0;
        for (const event of events) {
          const { circuit: next, action } = circuitAfter(circuit, event, mayGiveUp ? INSISTENT : LIMITS);
          circuit = next;
          if (event === 'fault' || event === 'absent' || event === 'known-absent') held++;
          if (action === 'record' || action === 'record-unproven' || action === 'drop') held = 0;
          expect(circuit.faults + circuit.absences + circuit.known).toBe(held);
          // A probe is in flight exactly in these states.
          if (action === 'probe') expect(['probing', 'settling']).toContain(circuit.state);
          if (action === 'stop') expect(circuit.state).toBe('open');
        }
        // At the end of the work nothing is left held, whatever the last probe says.
        for (const end of ['probe-unanswered', 'probe-unsent', 'probe-answered'] as const) {
          const settled = circuitAfter(circuit, 'ended', LIMITS);
          const last = settled.action === 'probe' ? circuitAfter(settled.circuit, end, LIMITS) : settled;
          const { faults, absences, known, state } = last.circuit;
          if (state !== 'open' && state !== 'given-up') expect(faults + absences + known).toBe(0);
        }
      }),
      { numRuns: runs(200) },
    );
  });
});
