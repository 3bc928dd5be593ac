/** Logs of commands, workers and the service: JSON lines that never hold a key. */
import { join } from 'node:path';
import { type Logger, pino } from 'pino';
import type { Settings } from './settings.ts';
import { openHome, requireWritableFiles } from './state-folder.ts';

export type { Logger } from 'pino';

const HIDDEN = '[hidden]';

/** Members whose value is always secret: in log records, request options, headers, query strings, bodies in errors. */
const SECRET_MEMBER = /("(?:api_?key|authorization|x-api-key|password)"\s*:\s*")((?:[^"\\]|\\.)*)"/gi;
const SECRET_ESCAPED_MEMBER = /(\\"(?:api_?key|authorization|x-api-key|password)\\"\s*:\s*\\")(.*?)\\"/gi;
const SECRET_PARAMETER = /([?&\s](?:api_?key)=)[^&\s"'\\]+/gi;
/** Shorter values would also hide plain words that happen to be equal. */
const MIN_SECRET_LENGTH = 6;

/**
 * Removes keys from a text: the values of members and parameters with names of keys, and every occurrence of the given secrets.
 * @param secrets values to hide everywhere, also percent-encoded or escaped in JSON
 */
export function withoutKeys(text: string, secrets: readonly string[]): string {
  let clean = text
    .replace(SECRET_MEMBER, `$1${HIDDEN}"`)
    .replace(SECRET_ESCAPED_MEMBER, `$1${HIDDEN}\\"`)
    .replace(SECRET_PARAMETER, `$1${HIDDEN}`);
  for (const secret of secrets) {
    if (secret.length < MIN_SECRET_LENGTH) continue;
    for (const form of [secret, encodeURIComponent(secret), JSON.stringify(secret).slice(1, -1)]) {
      clean = clean.replaceAll(form, HIDDEN);
    }
  }
  return clean;
}

function logFile({ homeFolder }: Settings, name: string): string {
  const file = join(openHome(homeFolder).logs, `${name}.log`);
  requireWritableFiles([file]);
  return file;
}

/**
 * Opens a log.
 * @param name of the command or part, and of the file: `logs/<name>.log` in FILINGLAKE_HOME, as FILINGLAKE_LOG says
 * @param secrets further values to hide; the key of the settings is always hidden
 */
export function openLog(settings: Settings, name: string, secrets: readonly string[] = []): Logger {
  const { logTarget, logLevel, apiKey, env } = settings;
  if (logTarget === 'none') return pino({ enabled: false });
  const ofEnvironment = [env.TEMPORAL_API_KEY, env.AWS_SECRET_ACCESS_KEY, env.AWS_SESSION_TOKEN];
  const hidden = [...secrets, apiKey, ...ofEnvironment].filter((secret) => typeof secret === 'string');
  const destination =
    logTarget === 'stderr'
      ? pino.destination({ dest: 2, sync: true })
      : pino.destination({ dest: logFile(settings, name), mode: 0o600, sync: true });
  return pino(
    {
      name,
      level: logLevel,
      timestamp: pino.stdTimeFunctions.isoTime,
      // Temporal's SDK logs its errors under this name; without a serializer they are written as {}.
      serializers: { error: pino.stdSerializers.err },
      hooks: { streamWrite: (line) => withoutKeys(line, hidden) },
    },
    destination,
  );
}
