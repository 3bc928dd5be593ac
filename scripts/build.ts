/**
 * `npm run build [-- --prove]`: compiles the published package into dist/, bundles the workflows, and looks at what would be
 * published. `--prove` installs the packed package in an empty folder and runs it.
 */
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { npm } from '../bin/suitable-node.mjs';
import { CHECKOUT, runSteps, runTool } from './steps.ts';

/** A package that grew beyond this carries something it should not: Node, a browser, somebody's filings. */
const MAX_PACKAGE_BYTES = 10_000_000;
const PACKED =
  /^(bin\/[\w-]+\.mjs|dist\/.+\.(js|json|yaml|sh|html|css)|config\/.+\.(yaml|json|sh)|docs\/.+\.(md|svg)|package\.json|README\.md|LICENSE|CHANGELOG\.md)$/;

interface PackReport {
  filename: string;
  size: number;
  files: { path: string; size: number }[];
}

const dist = join(CHECKOUT, 'dist');
const { version } = JSON.parse(readFileSync(join(CHECKOUT, 'package.json'), 'utf8')) as { version: string };

const steps = [
  { name: 'compile', run: compile },
  { name: 'bundle workflows', run: bundle },
  { name: 'contents of the package', run: lookAtPackage },
];
if (process.argv.includes('--prove')) steps.push({ name: 'the package installs and runs', run: prove });
process.exitCode = (await runSteps(steps)) ? 0 : 1;

async function compile(): Promise<number> {
  rmSync(dist, { recursive: true, force: true });
  const code = await runTool('tsc', ['-p', 'tsconfig.build.json']);
  // Sources find package.json and config/ two folders up: in dist they do too.
  mkdirSync(dist, { recursive: true });
  writeFileSync(join(dist, 'package.json'), `${JSON.stringify({ name: 'filinglake', version, type: 'module' })}\n`);
  cpSync(join(CHECKOUT, 'config'), join(dist, 'config'), { recursive: true });
  return code;
}

async function bundle(): Promise<number> {
  const module = join(CHECKOUT, 'src', 'runtime', 'bundle.ts');
  if (!existsSync(module)) return 0;
  const { writeWorkflowBundle } = (await import(module)) as { writeWorkflowBundle: (file: string) => Promise<void> };
  await writeWorkflowBundle(join(dist, 'workflow-bundle.js'));
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

/** What a person does who has never seen the checkout: installs the package, asks its version. */
async function prove(): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'filinglake-package-'));
  try {
    const { filename } = await pack(['--pack-destination', folder]);
    writeFileSync(join(folder, 'package.json'), '{ "private": true }\n');
    const installed = await npm(['install', '--ignore-scripts', `./${filename}`], { cwd: folder });
    if (installed.code !== 0) {
      process.stderr.write(`${installed.output}\n`);
      return 1;
    }
    const command = join(folder, 'node_modules', '.bin', 'filinglake');
    const said = execFileSync(command, ['--version'], { encoding: 'utf8', cwd: folder }).trim();
    execFileSync(command, ['--help'], { cwd: folder });
    if (said !== version) process.stderr.write(`the installed package says it is ${said}, not ${version}\n`);
    return said === version ? 0 : 1;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function pack(options: readonly string[]): Promise<PackReport> {
  // Without scripts: prepack is this very build.
  const { code, output } = await npm(['pack', '--json', '--ignore-scripts', ...options], { cwd: CHECKOUT });
  if (code !== 0) throw new Error(`npm pack failed: ${output}`);
  const json = output.slice(output.indexOf('['), output.lastIndexOf(']') + 1);
  const [report] = JSON.parse(json) as PackReport[];
  if (!report) throw new Error('npm pack named no package');
  return report;
}
