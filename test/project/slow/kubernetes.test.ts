/** The files of config/kubernetes under the schemas of its API, by kubernetes-validate and by kubeconform. */
import { spawnSync } from 'node:child_process';
import { globSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { kubernetesValidate } from '../../support/lake/python-readers.ts';
import { temporaryFolder } from '../../support/lake/temporary-folder.ts';

const VERSION = '1.34';
const FOLDER = resolve(import.meta.dirname, '../../../config/kubernetes');
/** Its kind is KEDA's, not of Kubernetes. */
const OF_OTHERS = 'autoscaler.yaml';
const files = globSync('*.yaml', { cwd: FOLDER })
  .filter((file) => file !== OF_OTHERS)
  .sort();
const documents = (file: string) =>
  parseAllDocuments(readFileSync(join(FOLDER, file), 'utf8')).map((one) => one.toJS() as Resource);

interface Resource {
  kind: string;
  metadata: { name: string };
  spec?: {
    template?: { spec: PodSpec };
    selector?: { matchLabels?: object } & object;
    scaleTargetRef?: { name: string };
  };
}
interface PodSpec {
  containers: {
    args: string[];
    envFrom?: { configMapRef?: { name: string }; secretRef?: { name: string } }[];
    volumeMounts: { name: string }[];
  }[];
  serviceAccountName?: string;
  volumes: { name: string; configMap?: { name: string } }[];
}

const python = kubernetesValidate();
const missing = 'missing' in python ? python.missing : null;
if (missing !== null) process.stderr.write(`skipped: kubernetes-validate: ${missing}\n`);

/** @returns the exit code and what was said */
function run(
  command: string,
  args: string[],
  env: Record<string, string> = {},
): { status: number | null; said: string } {
  const { status, stdout, stderr } = spawnSync(command, args, { encoding: 'utf8', env: { ...process.env, ...env } });
  return { status, said: `${stdout}${stderr}` };
}

/** A file with a member that the API does not have. */
function misspelt(): string {
  const file = join(temporaryFolder(), 'worker.yaml');
  writeFileSync(
    file,
    readFileSync(join(FOLDER, 'worker.yaml'), 'utf8').replace('periodSeconds: 10', 'periodSecond: 10'),
  );
  return file;
}

describe.skipIf(missing !== null)('kubernetes-validate', () => {
  const { command, modules } = python as { command: string; modules: string };
  const validate = (file: string) =>
    run(command, ['-m', 'kubernetes_validate', '-k', VERSION, '--strict', file], { PYTHONPATH: modules });

  it.each(files)('finds nothing wrong in %s', (file) => {
    const { status, said } = validate(join(FOLDER, file));
    expect([status, said]).toEqual([0, expect.stringContaining('passed for resource')]);
    expect(said.split('passed for resource').length - 1).toBe(documents(file).length);
  });
  it('finds a misspelt member', () => {
    expect(validate(misspelt())).toMatchObject({ status: 1, said: expect.stringContaining('periodSecond') });
  });
});

const kubeconform = process.env.FILINGLAKE_KUBECONFORM ?? 'kubeconform';
const isThere = !spawnSync(kubeconform, ['-v']).error;
if (!isThere) process.stderr.write('skipped: kubeconform is absent (FILINGLAKE_KUBECONFORM)\n');
describe.skipIf(missing !== null || !isThere)('kubeconform', () => {
  it('finds nothing wrong in any, and finds a misspelt member', () => {
    const { modules } = python as { modules: string };
    const from = join(modules, `kubernetes_validate/kubernetes-json-schema/v${VERSION}.0-local-strict`);
    const schemas = join(temporaryFolder(), 'schemas');
    mkdirSync(schemas);
    for (const name of readdirSync(from)) {
      // Their own names lead to a server; without them, to the file beside.
      const text = readFileSync(join(from, name), 'utf8').replaceAll('"/api/_definitions.json#', '"_definitions.json#');
      const { $id: _, $schema: __, ...schema } = JSON.parse(text) as Record<string, unknown>;
      writeFileSync(join(schemas, name), JSON.stringify(schema));
    }
    const check = (of: string[]) =>
      run(kubeconform, [
        '-strict',
        '-summary',
        '-schema-location',
        join(schemas, '{{.ResourceKind}}{{.KindSuffix}}.json'),
        ...of,
      ]);
    const resources = files.flatMap(documents).length;
    expect(check(files.map((file) => join(FOLDER, file)))).toMatchObject({
      status: 0,
      said: expect.stringContaining(`Valid: ${resources}, Invalid: 0, Errors: 0, Skipped: 0`),
    });
    expect(check([misspelt()])).toMatchObject({ status: 1, said: expect.stringContaining('periodSecond') });
  });
});

it('the files name what one of them makes', () => {
  const all = [...files, OF_OTHERS].flatMap(documents);
  const has = (kind: string, name: string) => all.some((one) => one.kind === kind && one.metadata.name === name);
  const commands = readFileSync(resolve(FOLDER, '../../docs/reference/commands.md'), 'utf8');
  let pods = 0;
  for (const { kind, metadata, spec } of all) {
    if (kind === 'ScaledObject') expect(has('Deployment', spec!.scaleTargetRef!.name)).toBe(true);
    const pod = spec?.template?.spec;
    if (!pod) continue;
    pods++;
    if (pod.serviceAccountName) expect(has('ServiceAccount', pod.serviceAccountName)).toBe(true);
    for (const { configMap } of pod.volumes) if (configMap) expect(has('ConfigMap', configMap.name)).toBe(true);
    for (const { args, envFrom = [] } of pod.containers) {
      for (const { configMapRef, secretRef } of envFrom) {
        if (configMapRef) expect(has('ConfigMap', configMapRef.name)).toBe(true);
        if (secretRef) expect(has('Secret', secretRef.name)).toBe(true);
      }
      // Each option is one of its command.
      const words = args.slice(0, args.findIndex((arg) => !/^[a-z]+$/.test(arg)) >>> 0);
      const at = commands.indexOf(`Usage: filinglake ${words.join(' ')}`);
      const help = commands.slice(at, commands.indexOf('```', at));
      expect([metadata.name, words, at > 0]).toEqual([metadata.name, words, true]);
      for (const arg of args.filter((one) => one.startsWith('--')))
        expect([metadata.name, help]).toEqual([metadata.name, expect.stringContaining(`  ${arg.split('=')[0]} `)]);
    }
  }
  expect(pods).toBe(4);
  expect(files.map((file) => basename(file))).toContain('secrets.yaml');
});
