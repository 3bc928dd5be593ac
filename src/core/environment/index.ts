/** The machine a command runs on: settings, the state folder, logs, locks. Knows nothing of Temporal. */
export { makeFolder } from './folders.ts';
export { type Logger, openLog, withoutKeys } from './logging.ts';
export { takeProcessLock } from './process-lock.ts';
export { readSettings, SETTING_VARIABLES, type Settings } from './settings.ts';
export { spawnProgram } from './spawn-program.ts';
export { type Home, openHome, requireWritableFiles } from './state-folder.ts';
