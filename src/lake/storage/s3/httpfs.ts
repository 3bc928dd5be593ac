/** DuckDB's own way to read a bucket: its httpfs extension, and a secret. */
import { homedir } from 'node:os';
import path from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import type { S3Place, S3Requests } from '../../../core/bucket/index.ts';
import { FilinglakeError } from '../../../core/index.ts';

const LOAD = 'LOAD httpfs';

/**
 * Whether this DuckDB can load the extension.
 * @param install downloads it from DuckDB's site if this machine lacks it
 * @throws FilinglakeError `lake-unreadable` if it can't be installed
 */
export async function hasHttpfs(install: boolean): Promise<boolean> {
  const instance = await DuckDBInstance.create(':memory:', { autoinstall_known_extensions: 'false' });
  try {
    const connection = await instance.connect();
    try {
      await connection.run(LOAD);
      return true;
    } catch (error) {
      if (!install) return false;
      await connection.run('INSTALL httpfs').catch(() => undefined);
      const file = await httpfsFile();
      await connection.run(LOAD).catch(() => {
        throw new FilinglakeError('lake-unreadable', "DuckDB's httpfs extension can't be installed", {
          remedy: `Check that extensions.duckdb.org can be reached. Without a network, put the extension of this version into ${file}. Or unset FILINGLAKE_S3_READ: DuckDB then reads copies.`,
          cause: error,
        });
      });
      return true;
    } finally {
      connection.closeSync();
    }
  } finally {
    instance.closeSync();
  }
}

/** The place of the extension for DuckDB: a folder of its exact version and of this kind of machine. */
export async function httpfsFile(): Promise<string> {
  const instance = await DuckDBInstance.create(':memory:');
  try {
    const connection = await instance.connect();
    const reader = await connection.runAndReadAll('SELECT version(), platform FROM pragma_platform()');
    const [version, platform] = reader.getRows()[0] as [string, string];
    connection.closeSync();
    return path.join(homedir(), '.duckdb', 'extensions', version, platform, 'httpfs.duckdb_extension');
  } finally {
    instance.closeSync();
  }
}

/** DuckDB's reader of buckets treats names with these characters as patterns. */
export function isPattern({ prefix }: S3Place): boolean {
  return /[*?[\]{}]/.test(prefix);
}

/** Statements that let DuckDB read the bucket, with the current credentials. */
export async function httpfsSetUp(requests: S3Requests): Promise<string[]> {
  const { client } = await requests.open();
  const { accessKeyId, secretAccessKey, sessionToken } = await client.config.credentials();
  const endpoint = await client.config.endpoint?.();
  const options: [string, string | boolean][] = [
    ['KEY_ID', accessKeyId],
    ['SECRET', secretAccessKey],
    ['REGION', await client.config.region()],
    ['SCOPE', `s3://${requests.place.bucket}`],
  ];
  if (sessionToken !== undefined) options.push(['SESSION_TOKEN', sessionToken]);
  if (endpoint !== undefined) {
    const { hostname, port, protocol } = endpoint;
    options.push(
      ['ENDPOINT', port === undefined ? hostname : `${hostname}:${port}`],
      ['USE_SSL', protocol !== 'http:'],
    );
  }
  if (client.config.forcePathStyle === true) options.push(['URL_STYLE', 'path']);
  const text = options.map(([name, value]) =>
    typeof value === 'boolean' ? `${name} ${value}` : `${name} '${value.replaceAll("'", "''")}'`,
  );
  return [LOAD, `CREATE OR REPLACE SECRET filinglake_lake (TYPE s3, ${text.join(', ')})`];
}
