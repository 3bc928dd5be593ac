/** Examines everything that exports need. */
import type { Settings } from '../../../core/environment/index.ts';
import type { Check } from './check.ts';
import { checkLake } from './lake.ts';
import { checkFolder, checkNode, checkPorts } from './machine.ts';
import { checkService, type ServiceToCheck } from './service.ts';
import { checkTemporal } from './temporal.ts';

interface DoctorReport {
  /** Whether exports can run: nothing is `missing`. */
  ready: boolean;
  checks: Check[];
}

interface ExamineOptions {
  /** Absolute folder or URL */
  lake: string;
  service: ServiceToCheck;
  /** Reported by the service's room, which this one doesn't know. */
  browser: () => Promise<Check>;
}

export async function examine(settings: Settings, options: ExamineOptions): Promise<DoctorReport> {
  const { homeFolder, cacheFolder } = settings;
  const checks = await Promise.all([
    checkNode(process.versions.node),
    checkFolder('home', homeFolder, 'Set FILINGLAKE_HOME to a folder that can be written.'),
    checkFolder('cache', cacheFolder, 'Set FILINGLAKE_CACHE to a folder that can be written.'),
    checkLake(options.lake),
    ...(settings.temporalAddress === null ? [checkPorts()] : []),
    checkTemporalIfHome(settings),
    checkService(options.service),
    options.browser(),
  ]);
  const flat = checks.flat();
  return { ready: flat.every((check) => check.state !== 'missing'), checks: flat };
}

/** The state of our own Temporal server is in the home folder. If that is unreadable, its own check reports it. */
async function checkTemporalIfHome(settings: Settings): Promise<Check[]> {
  const home = await checkFolder('home', settings.homeFolder, '');
  return home.state === 'missing' && settings.temporalAddress === null ? [] : [await checkTemporal(settings)];
}
