/** Spark with hadoop-aws reads every table of a lake in a bucket. Its jars (558 MB) come from Maven's local repository, if they are there. */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { readSettings } from '../../../src/core/environment/index.ts';
import { CHECKOUT } from '../../support/test-stack.ts';

const JARS = [
  ['io/delta', 'delta-spark_2.13', '4.0.0'],
  ['io/delta', 'delta-storage', '4.0.0'],
  ['org/apache/hadoop', 'hadoop-aws', '3.4.1'],
  ['software/amazon/awssdk', 'bundle', '2.24.6'],
].map(([group, name, version]) =>
  path.join(homedir(), '.m2/repository', group!, name!, version!, `${name}-${version}.jar`),
);
const NEEDED = [path.join(readSettings().cacheFolder, 'python-spark', 'pyspark'), ...JARS];
const missing = NEEDED.find((file) => !existsSync(file));
if (missing)
  console.warn(`Spark does not read a bucket: ${missing} is not there. npm run spark -- --bucket fetches all`);

/** 48 queries of Spark, some 558 MB of jars: five minutes beside other tests. */
const LIMIT_MS = 1_200_000;

describe.skipIf(missing !== undefined)('a lake in a bucket', () => {
  it(
    'has the same rows in every table for Spark, before and after a checkpoint',
    async () => {
      const env = { ...process.env, SPARK_JARS: JARS.join(',') };
      const script = path.join(CHECKOUT, 'scripts/spark.ts');
      const { stdout } = await promisify(execFile)(process.execPath, [script, '--bucket'], { env, maxBuffer: 1 << 26 });
      const lines = stdout.split('\n').filter((line) => line.startsWith('version '));
      expect(lines.length).toBeGreaterThan(40);
      expect(lines.filter((line) => !line.endsWith(' equal'))).toEqual([]);
    },
    LIMIT_MS,
  );
});
