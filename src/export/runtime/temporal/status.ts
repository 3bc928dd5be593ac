/** The state of a home's embedded Temporal, without starting or holding it. */
import { openHome, type Settings } from '../../../core/environment/index.ts';
import { EMBEDDED_NAMESPACE } from './connection.ts';
import { isAlive, type LeaseRecord, liveLeases } from './leases.ts';
import { readTemporalState } from './state.ts';

interface TemporalStatus {
  /** `elsewhere`: TEMPORAL_ADDRESS is set, and nothing else is known. */
  state: 'elsewhere' | 'stopped' | 'starting' | 'running' | 'stopping';
  /** `host:port`; null if none runs. */
  address: string | null;
  namespace: string;
  version: string | null;
  /** How often it died and was restarted by its supervisor. */
  restarts: number;
  users: LeaseRecord[];
  database: string;
  logs: string;
}

export function temporalStatus(settings: Settings): TemporalStatus {
  const home = openHome(settings.homeFolder);
  const places = { database: home.temporalDatabase, logs: home.logs };
  const users = liveLeases(home.leases);
  if (settings.temporalAddress !== null) {
    const namespace = settings.env.TEMPORAL_NAMESPACE || 'default';
    return {
      state: 'elsewhere',
      address: settings.temporalAddress,
      namespace,
      version: null,
      restarts: 0,
      users,
      ...places,
    };
  }
  const state = readTemporalState(home.temporalState);
  const lives = state !== null && state.state !== 'failed' && isAlive(state.supervisor);
  return {
    state: lives ? (state.state as 'starting' | 'running' | 'stopping') : 'stopped',
    address: lives ? `127.0.0.1:${state.port}` : null,
    namespace: EMBEDDED_NAMESPACE,
    version: state?.version ?? null,
    restarts: lives ? state.restarts : 0,
    users,
    ...places,
  };
}
