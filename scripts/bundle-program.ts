/**
 * Bundles the published program into dist/: a command then loads some dozens of files in place of fifteen hundred. Packages of
 * `dependencies` in package.json stay packages: native code, a browser, and what the library's types name. All others are
 * bundled, with their licences, and the JavaScript of three that stay.
 */
import { cpSync, existsSync, globSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { type Plugin, rolldown } from 'rolldown';
import { parse } from 'yaml';
import { writeWorkflowBundle } from '../src/export/runtime/worker/bundle.ts';
import { CHECKOUT } from './steps.ts';

/** Files that Node starts by their path: the command, threads, processes. A test holds that none is forgotten. */
export const PROGRAMS = [
  'src/cli/main',
  'src/service/catalog/parse-worker',
  'src/service/catalog/opensearch/link-thread',
  'src/service/catalog/packs/pack-fetcher',
  'src/service/readers/reader-thread',
  'src/service/pdf/pdf-thread',
  'src/lake/query/sandbox-process',
  'src/export/runtime/temporal/supervisor',
  'src/export/runtime/temporal/sdk-download',
];
/** Its JavaScript is bundled with the rest of Temporal's SDK, which must exist once. Its native code stays in the package. */
const NATIVE = '@temporalio/core-bridge';
/** Dependencies whose JavaScript is bundled all the same. Types name the last two; each command would load their 276 files. */
const BUNDLED_TOO = [NATIVE, 'zod', '@duckdb/node-api'];
const WORKER = '@temporalio/worker/lib/workflow';
const WORKFLOW_THREAD = 'src/export/runtime/worker/workflow-thread';
const LICENCE = /^(licen[cs]e|copying|notice)(\.\w+|-\w+)?$/i;

/** Stands in for a place in dist/ until the file is known that the code is in. */
const PLACE = '__PLACE_IN_DIST__';

/**
 * Writes dist/, without types: each program and each entry of the library at its own path, shared code in dist/chunks, source maps,
 * what they read, and the workflows.
 * @throws Error if a file of a package is not as this version of it has it
 */
export async function bundleProgram(dist: string): Promise<void> {
  const { version, dependencies, exports } = JSON.parse(readFileSync(join(CHECKOUT, 'package.json'), 'utf8')) as {
    version: string;
    dependencies: Record<string, string>;
    exports: Record<string, string | { default: string }>;
  };
  const library = Object.values(exports).flatMap((door) =>
    typeof door === 'string' ? [] : [door.default.replace(/^\.\/dist\/(.*)\.js$/, '$1')],
  );
  const input = Object.fromEntries([...PROGRAMS, ...library].map((name) => [name, join(CHECKOUT, `${name}.ts`)]));
  input[WORKFLOW_THREAD] = `${WORKER}/workflow-worker-thread.js`;
  const packages = Object.keys(dependencies).filter((name) => !BUNDLED_TOO.includes(name));
  const bundle = await rolldown({
    input,
    cwd: CHECKOUT,
    platform: 'node',
    resolve: { alias: { '#temporal-worker': '@temporalio/worker' } },
    external: (id) => packages.some((name) => id === name || id.startsWith(`${name}/`)),
    plugins: [ownPlaces, partsOfTemporal()],
    onLog(level, log) {
      if (level === 'warn' && log.code !== 'EVAL') throw new Error(`the program can't be bundled: ${log.message}`);
    },
  });
  const { output } = await bundle.write({
    dir: dist,
    format: 'esm',
    entryFileNames: '[name].js',
    chunkFileNames: 'chunks/[name]-[hash].js',
    sourcemap: true,
    sourcemapExcludeSources: true,
  });
  await bundle.close();
  const modules = output.flatMap((file) => (file.type === 'chunk' ? file.moduleIds : []));
  writeFileSync(join(dist, 'BUNDLED-LICENSES'), licencesOf(modules));
  // Sources find package.json and config/ two folders up: in dist too.
  writeFileSync(join(dist, 'package.json'), `${JSON.stringify({ name: 'filinglake', version, type: 'module' })}\n`);
  for (const folder of ['config', 'src/lake/views/sql'])
    cpSync(join(CHECKOUT, folder), join(dist, folder), { recursive: true });
  const rules = join(dist, 'config', 'statements');
  writeFileSync(`${rules}.json`, JSON.stringify(parse(readFileSync(`${rules}.yaml`, 'utf8'))));
  await writeWorkflowBundle(join(dist, 'workflow-bundle.js'));
}

/** `import.meta` of a source names the place that the source would have in dist/, as files beside it are searched from there. */
const ownPlaces: Plugin = {
  name: 'own-places',
  transform(code, id) {
    const path = relative(CHECKOUT, id);
    if (!/^(src|activities|workflows)/.test(path) || !code.includes('import.meta')) return null;
    const place = path.replaceAll(sep, '/').replace(/\.ts$/, '.js');
    return {
      code: code.replace(/import\.meta\.(url|dirname|filename)/g, (_, what: string) => placeIn(place, what)),
      map: null,
    };
  },
  renderChunk(code, { fileName }) {
    if (!code.includes(PLACE)) return null;
    const placed = code.replace(new RegExp(`${PLACE}_(\\w+)\\("([^"]+)"\\)`, 'g'), (_, what: string, place: string) => {
      const url = `new URL(${JSON.stringify(relative(dirname(fileName), place).replace(/^(?!\.)/, './'))}, import.meta.url)`;
      if (what === 'url') return `${url}.href`;
      const path = `process.getBuiltinModule("node:url").fileURLToPath(${url})`;
      return what === 'filename' ? path : `process.getBuiltinModule("node:path").dirname(${path})`;
    });
    // Lines stay where they are.
    return { code: placed, map: null };
  },
};

function placeIn(place: string, what: string): string {
  return `${PLACE}_${what}(${JSON.stringify(place)})`;
}

/** What Temporal's SDK finds by the place of its own files. Its bundler is left out: the workflows are bundled already. */
function partsOfTemporal(): Plugin {
  const changes: Record<string, (code: string) => string> = {
    [`${WORKER}/threaded-vm.js`]: (code) =>
      changed(code, "require.resolve('./workflow-worker-thread')", placeIn(`${WORKFLOW_THREAD}.js`, 'filename')),
    [`${WORKER}/bundler.js`]: (code) => {
      changed(code, 'require("webpack")', '');
      return REFUSING_BUNDLER;
    },
    // A quarter of the messages, all of which each process builds: those of Temporal's cloud.
    '@temporalio/proto/protos/json-module.js': (code) => {
      const messages = /(?<=\.addJSON\()[\s\S]*(?=\);\s*\/\*\*)/.exec(code)?.[0] ?? '';
      const { temporal, ...others } = new Function(`return ${messages}`)() as { temporal: Messages };
      delete temporal.nested.api?.nested.cloud;
      return changed(code, messages, `JSON.parse(${JSON.stringify(JSON.stringify({ temporal, ...others }))})`);
    },
    // The stack of each promise of a workflow, with its places in the sources: for a query of Temporal's web page.
    [`${WORKER}/vm-shared.js`]: (code) => changed(code, 'this.setPromiseHook();', ''),
    // A workflow's thread needs no connection.
    [`${NATIVE}/lib/errors.js`]: (code) =>
      changed(
        code,
        '__importStar(require("@grpc/grpc-js"))',
        '{ get Metadata() { return require("@grpc/grpc-js").Metadata; } }',
      ),
    // It compiles five functions for each type of message at its first use, of which a command calls one or two.
    'protobufjs/src/type.js': (code) =>
      ['encoder', 'decoder', 'verifier', 'converter.fromObject', 'converter.toObject'].reduce(
        (before, compile) => changed(before, `${compile}(this)(`, `lazily(this, ${compile})(`),
        code + LAZILY,
      ),
    [`${NATIVE}/common.js`]: (code) =>
      changed(
        code,
        "path.resolve(__dirname, 'releases'",
        `path.resolve(path.dirname(require.resolve('${NATIVE}')), 'releases'`,
      ),
  };
  return {
    name: 'parts-of-temporal',
    transform(code, id) {
      const file = id.replaceAll(sep, '/').split('/node_modules/').at(-1)!;
      return file === id ? null : { code: changes[file]?.(code) ?? code, map: { mappings: '' } };
    },
  };
}

const LAZILY = `
function lazily(type, compile) {
  return (scope) => {
    let made;
    return function () {
      made ??= compile(type)(scope);
      return made.apply(this, arguments);
    };
  };
}
`;

interface Messages {
  nested: Record<string, Messages>;
}

function changed(code: string, before: string, after: string): string {
  if (before === '' || !code.includes(before))
    throw new Error(`Temporal's SDK no longer contains ${before}: change scripts/bundle-program.ts`);
  return code.replace(before, () => after);
}

const REFUSING_BUNDLER = `"use strict";
exports.defaultWorkflowInterceptorModules = [];
exports.bundleWorkflowCode = async () => {
  throw new Error("The published package of filinglake has no workflow bundler. Give the worker a workflowBundle.");
};
exports.WorkflowCodeBundler = class {
  createBundle() {
    return exports.bundleWorkflowCode();
  }
};
`;

/** The licences of all packages of which a module is bundled, by package. */
function licencesOf(modules: readonly string[]): string {
  const folders = new Set<string>();
  for (const id of modules) {
    const folder = /^(.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+)[\\/]/.exec(id)?.[1];
    if (folder !== undefined && existsSync(join(folder, 'package.json'))) folders.add(folder);
  }
  const texts = [...folders].map((folder) => {
    const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Record<
      string,
      string
    >;
    const files = globSync('*', { cwd: folder }).filter((file) => LICENCE.test(file));
    const text = files.sort().map((file) => readFileSync(join(folder, file), 'utf8').trim());
    return [`${name} ${version} (${license})`, ...text].join('\n\n');
  });
  return `Packages whose code is part of filinglake's files in dist/.\n\n${texts.sort().join(`\n\n${'-'.repeat(80)}\n\n`)}\n`;
}
