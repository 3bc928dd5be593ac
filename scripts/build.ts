/**
 * `npm run build [-- --prove]`: compiles the published package into dist/, bundles the workflows, and checks what would be
 * published. `--prove` installs the packed package in an empty folder, measures it and runs it; then the wheel of the Python package,
 * which carries it, without a Node on PATH.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { npm } from '../bin/suitable-node.mjs';
import { bundleProgram } from './bundle-program.ts';
import { keepDeclarations } from './keep-declarations.ts';
import { provePackage } from './prove-package.ts';
import { proveWheel } from './prove-wheel.ts';
import { CHECKOUT, runSteps, runTool } from './steps.ts';

/** A larger package contains something that it should not: Node, a browser, somebody's filings. */
const MAX_PACKAGE_BYTES = 10_000_000;
const PACKED =
  /^(bin\/[\w-]+\.mjs|dist\/(.+\.(js|js\.map|d\.ts|json|yaml|sh|html|css|sql)|BUNDLED-LICENSES)|(dist\/)?config\/.+(\.(yaml|json|sh|conf|service)|\/logrotate)|docs\/.+\.(md|svg|ipynb)|package\.json|README\.md|LICENSE|CHANGELOG\.md)$/;

interface PackReport {
  filename: string;
  size: number;
  files: { path: string; size: number }[];
}

const dist = join(CHECKOUT, 'dist');
const { version } = JSON.parse(readFileSync(join(CHECKOUT, 'package.json'), 'utf8')) as { version: string };

const steps = [
  { name: 'compile the types', run: compile },
  { name: 'bundle the program and the workflows', run: bundle },
  { name: 'contents of the package', run: lookAtPackage },
];
if (process.argv.includes('--prove')) steps.push({ name: 'the package installs and runs', run: prove });
process.exitCode = (await runSteps(steps)) ? 0 : 1;

async function compile(): Promise<number> {
  rmSync(dist, { recursive: true, force: true });
  const code = await runTool('tsc', ['-p', 'tsconfig.build.json']);
  if (code === 0) keepDeclarations(dist);
  return code;
}

async function bundle(): Promise<number> {
  await bundleProgram(dist);
  return 0;
}

async function lookAtPackage(): Promise<number> {
  const report = await pack(['--dry-run']);
  const strangers = report.files.filter((file) => !PACKED.test(file.path)).map((file) => file.path);
  if (strangers.length > 0) process.stderr.write(`not meant to be published: ${strangers.slice(0, 10).join(', ')}\n`);
  const tooLarge = report.size > MAX_PACKAGE_BYTES;
  if (tooLarge) process.stderr.write(`the package has ${report.size} bytes; ${MAX_PACKAGE_BYTES} are allowed\n`);
  process.stdout.write(`filinglake ${version}: ${report.files.length} files, ${report.size} bytes packed\n`);
  return strangers.length > 0 || tooLarge ? 1 : 0;
}

async function prove(): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'filinglake-package-'));
  try {
    const { filename } = await pack(['--pack-destination', folder]);
    await provePackage(join(folder, filename), version);
    await proveWheel(join(folder, filename), version);
    return 0;
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : error}\n`);
    return 1;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function pack(options: readonly string[]): Promise<PackReport> {
  // Without scripts: prepack is this build.
  const { code, output } = await npm(['pack', '--json', '--ignore-scripts', ...options], { cwd: CHECKOUT });
  if (code !== 0) throw new Error(`npm pack failed: ${output}`);
  const json = output.slice(output.indexOf('['), output.lastIndexOf(']') + 1);
  const [report] = JSON.parse(json) as PackReport[];
  if (!report) throw new Error('npm pack named no package');
  return report;
}
