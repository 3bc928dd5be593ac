/**
 * The circuit of one operation of the service, as a state machine: a pure function of state and event, with its transitions in one table.
 * docs/internals/failing-operations.md draws it. `CircuitBreaker` holds the rows and sends the requests that the actions ask for.
 */

/**
 * - `closed`: requests are sent; a failure that may be the service's fault is held until the operation answers.
 * - `probing`: too many failures in a row; a request that should be answered is in flight.
 * - `settling`: the same at the end of the work, for the few failures that are still held.
 * - `open`: the operation answers nothing; the run waits.
 * - `given-up`: the operation answers nothing but 404, and the run waited for it before; no further request is sent to it.
 */
export const CIRCUIT_STATES = ['closed', 'probing', 'settling', 'open', 'given-up'] as const;
export type CircuitState = (typeof CIRCUIT_STATES)[number];

/**
 * Failures of a request:
 * - `refused`: the fault of the record; others may be answered.
 * - `fault`: may be the fault of the service (a 5xx, a lost connection).
 * - `absent`: a 404 without an explanation, which a gateway may have sent.
 * - `known-absent`: the same, and a completed run reported it before. It says nothing about the operation.
 *
 * Ends of a probe: it was answered, it was not, there was nothing to request, or it met an error that ends all work.
 */
export const CIRCUIT_EVENTS = [
  ...(['answered', 'refused', 'fault', 'absent', 'known-absent'] as const),
  ...(['probe-answered', 'probe-unanswered', 'probe-unsent', 'probe-broken'] as const),
  // The stretch of work is over. What is held is not to be recorded: its steps stay pending.
  ...(['ended', 'forgotten'] as const),
];
export type CircuitEvent = (typeof CIRCUIT_EVENTS)[number];

/**
 * What the holder of the circuit does: `record` writes the held failures as those of single records, `record-unproven` as those of an
 * operation that answered nothing. `probe` sends a probe, or waits for the one in flight. `stop` ends the work. `drop` forgets the held ones.
 */
export type CircuitAction = 'none' | 'record' | 'record-unproven' | 'probe' | 'stop' | 'drop';

export interface Circuit {
  readonly state: CircuitState;
  /** In a row, without known ones */
  readonly failures: number;
  /** Held, by kind */
  readonly faults: number;
  readonly absences: number;
  readonly known: number;
  /** The operation has answered something in this stretch of work. */
  readonly hasAnswered: boolean;
}

/** Numbers of failures in a row from which on a probe is sent. */
export interface CircuitLimits {
  readonly faults: number;
  readonly absences: number;
  /** Failures of all kinds */
  readonly failures: number;
  /** An operation that answers nothing but 404 is given up instead of waited for. */
  readonly mayGiveUp: boolean;
}

export const NEW_CIRCUIT: Circuit = {
  state: 'closed',
  failures: 0,
  faults: 0,
  absences: 0,
  known: 0,
  hasAnswered: false,
};

interface Transition {
  /** Absent: the state stays. */
  to?: CircuitState;
  do: CircuitAction;
}
type Rule = Transition | ((circuit: Circuit, limits: CircuitLimits) => Transition);

const STAY: Transition = { do: 'none' };
const DROP: Transition = { do: 'drop' };
const WAIT: Transition = { do: 'probe' };
const CLOSE: Transition = { to: 'closed', do: 'record' };
const CLOSE_UNPROVEN: Transition = { to: 'closed', do: 'record-unproven' };
const OPEN: Transition = { to: 'open', do: 'stop' };

const probeIfMany: Rule = ({ faults, absences, failures }, limits) =>
  faults >= limits.faults || absences >= limits.absences || failures >= limits.failures
    ? { to: 'probing', do: 'probe' }
    : STAY;
const isOf404 = ({ faults }: Circuit, { mayGiveUp }: CircuitLimits) => mayGiveUp && faults === 0;
const openOrGiveUp: Rule = (circuit, limits) =>
  isOf404(circuit, limits) ? { to: 'given-up', do: 'record-unproven' } : OPEN;
const openOrRecord: Rule = (circuit, limits) => (isOf404(circuit, limits) ? CLOSE_UNPROVEN : OPEN);
const settle: Rule = ({ faults, absences, known, hasAnswered }) => {
  if (faults + absences > 0) return { to: 'settling', do: 'probe' };
  if (known === 0) return STAY;
  return { do: hasAnswered ? 'record' : 'record-unproven' };
};

const TRANSITIONS: Readonly<Record<CircuitState, Readonly<Record<CircuitEvent, Rule>>>> = {
  closed: {
    answered: CLOSE,
    refused: probeIfMany,
    fault: probeIfMany,
    absent: probeIfMany,
    'known-absent': STAY,
    // Another request was answered while the probe was in flight.
    'probe-answered': CLOSE,
    'probe-unanswered': STAY,
    'probe-unsent': STAY,
    'probe-broken': STAY,
    ended: settle,
    forgotten: DROP,
  },
  probing: {
    answered: CLOSE,
    refused: WAIT,
    fault: WAIT,
    absent: WAIT,
    'known-absent': STAY,
    'probe-answered': CLOSE,
    'probe-unanswered': openOrGiveUp,
    'probe-unsent': openOrGiveUp,
    'probe-broken': { to: 'closed', do: 'none' },
    ended: WAIT,
    forgotten: { to: 'closed', do: 'drop' },
  },
  settling: {
    answered: CLOSE,
    refused: WAIT,
    fault: WAIT,
    absent: WAIT,
    'known-absent': STAY,
    // A few failures of an operation to which nothing else could be sent: the service itself is well.
    'probe-answered': CLOSE,
    'probe-unanswered': openOrRecord,
    'probe-unsent': CLOSE_UNPROVEN,
    'probe-broken': { to: 'closed', do: 'none' },
    ended: WAIT,
    forgotten: { to: 'closed', do: 'drop' },
  },
  open: {
    answered: CLOSE,
    refused: OPEN,
    fault: OPEN,
    absent: OPEN,
    'known-absent': STAY,
    'probe-answered': CLOSE,
    'probe-unanswered': STAY,
    'probe-unsent': STAY,
    'probe-broken': STAY,
    ended: OPEN,
    forgotten: DROP,
  },
  'given-up': {
    answered: CLOSE,
    refused: STAY,
    fault: { do: 'record-unproven' },
    absent: { do: 'record-unproven' },
    'known-absent': { do: 'record-unproven' },
    'probe-answered': CLOSE,
    'probe-unanswered': STAY,
    'probe-unsent': STAY,
    'probe-broken': STAY,
    ended: STAY,
    forgotten: DROP,
  },
};

/** The circuit after an event, and what its holder is to do. */
export function circuitAfter(
  before: Circuit,
  event: CircuitEvent,
  limits: CircuitLimits,
): { circuit: Circuit; action: CircuitAction } {
  const counted = withEvent(before, event);
  const rule = TRANSITIONS[before.state][event];
  const { to = before.state, do: action } = typeof rule === 'function' ? rule(counted, limits) : rule;
  return { circuit: { ...withoutHeld(counted, action), state: to }, action };
}

function withEvent(circuit: Circuit, event: CircuitEvent): Circuit {
  const failures = circuit.failures + 1;
  switch (event) {
    case 'refused':
      return { ...circuit, failures };
    case 'fault':
      return { ...circuit, failures, faults: circuit.faults + 1 };
    case 'absent':
      return { ...circuit, failures, absences: circuit.absences + 1 };
    case 'known-absent':
      return { ...circuit, known: circuit.known + 1 };
    case 'answered':
    case 'probe-answered':
      return { ...circuit, hasAnswered: true };
    default:
      return circuit;
  }
}

function withoutHeld(circuit: Circuit, action: CircuitAction): Circuit {
  const held = { faults: 0, absences: 0, known: 0 };
  if (action === 'record' || action === 'record-unproven') return { ...circuit, ...held, failures: 0 };
  return action === 'drop' ? { ...circuit, ...held } : circuit;
}
