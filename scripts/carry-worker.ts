/**
 * Copies Temporal's worker into dist/, without its bundler. `@temporalio/worker` loads webpack, swc and an in-memory file system at
 * once (60 MB), and uses them only to bundle workflow code. The published package has that bundle ready-made.
 */
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CHECKOUT } from './steps.ts';

const PACKAGE = 'node_modules/@temporalio/worker';
/** The worker's dependencies that its bundler alone needs. */
const BUNDLER_ONLY = ['@swc/core', 'memfs', 'source-map-loader', 'swc-loader', 'unionfs', 'webpack'];

/** The import `#temporal-worker` of the sources, relative to dist/. */
export const CARRIED_WORKER = './vendor/temporal-worker/lib/index.js';

/**
 * Copies the worker and replaces its bundler by one that refuses.
 * @throws Error if our package.json lacks a package that the worker needs, or the worker's files are not where this version has them
 */
export function carryWorker(dist: string): void {
  const from = join(CHECKOUT, PACKAGE);
  const to = join(dist, 'vendor', 'temporal-worker');
  mkdirSync(to, { recursive: true });
  const { name, version, license, author, main, dependencies } = readJson(join(from, 'package.json'));
  checkDependencies(dependencies as Record<string, string>);
  cpSync(join(from, 'lib'), join(to, 'lib'), { recursive: true, filter: (path) => !/\.(map|d\.ts)$/.test(path) });
  cpSync(join(from, 'LICENSE'), join(to, 'LICENSE'));
  writeFileSync(join(to, 'package.json'), `${JSON.stringify({ name, version, license, author, main }, null, 2)}\n`);
  const bundler = join(to, 'lib', 'workflow', 'bundler.js');
  if (!readFileSync(bundler, 'utf8').includes('require("webpack")')) {
    throw new Error(
      `${PACKAGE} ${version} no longer bundles in lib/workflow/bundler.js: change scripts/carry-worker.ts`,
    );
  }
  writeFileSync(bundler, REFUSING_BUNDLER);
}

/** The worker's own dependencies must be ours, at the version of the lock file: it searches for them from dist/. */
function checkDependencies(needed: Record<string, string>): void {
  const ours = readJson(join(CHECKOUT, 'package.json')).dependencies as Record<string, string>;
  const lacking = Object.keys(needed).filter((name) => !BUNDLER_ONLY.includes(name) && !ours[name]);
  if (lacking.length > 0) {
    throw new Error(`@temporalio/worker needs ${lacking.join(', ')}: add them to the dependencies in package.json`);
  }
}

function readJson(path: string): Record<string, unknown> {
  return JSON.parse(readFileSync(path, 'utf8')) as Record<string, unknown>;
}

const REFUSING_BUNDLER = `"use strict";
// Written by filinglake's build in place of the bundler of @temporalio/worker: the workflows are bundled already.
Object.defineProperty(exports, "__esModule", { value: true });
exports.defaultWorkflowInterceptorModules = [require.resolve("../workflow-log-interceptor")];
exports.bundleWorkflowCode = async () => {
  throw new Error("The published package of filinglake has no workflow bundler. Give the worker a workflowBundle.");
};
exports.WorkflowCodeBundler = class {
  createBundle() {
    return exports.bundleWorkflowCode();
  }
};
`;
