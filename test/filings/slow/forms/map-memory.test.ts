/** Memory of `filinglake map --json`: the bytes of the file and a constant, however many rows it has. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, openSync, readFileSync, rmSync, statSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { form13f, informationTable, nportOf } from '../../../../bench/forms-documents/made.ts';
import { temporaryFolder } from '../../../support/lake/temporary-folder.ts';

const MEGABYTE = 1 << 20;
/** What the process may need besides the file. Most of it is Node and the program. */
const BESIDES = 192 * MEGABYTE;
/** With a small heap, memory is what lives. With a large one, it is also what the collector has not come to, which differs by load. */
const SMALL_HEAP = ['--max-semi-space-size=8', '--max-old-space-size=64'];
const BLOCK = 1000;

const folder = temporaryFolder();

/** A document whose records repeat those of a small one. */
function write(fd: number, document: string, record: string, blocks: number): void {
  const start = document.indexOf(`<${record}>`);
  const end = document.lastIndexOf(`</${record}>`) + record.length + 3;
  writeSync(fd, document.slice(0, start));
  for (let k = 0; k < blocks; k++) writeSync(fd, document.slice(start, end));
  writeSync(fd, document.slice(end));
}

function submissionOf13f(blocks: number): string {
  const file = join(folder, `f13-${blocks}.txt`);
  const fd = openSync(file, 'w');
  const header = (type: string, name: string) =>
    `<DOCUMENT>\n<TYPE>${type}\n<SEQUENCE>1\n<FILENAME>${name}\n<TEXT>\n<XML>\n`;
  const end = '\n</XML>\n</TEXT>\n</DOCUMENT>\n';
  writeSync(
    fd,
    `<SEC-DOCUMENT>0000000000-24-000001.txt : 20240501\n<SEC-HEADER>0000000000-24-000001.hdr.sgml : 20240501\nACCESSION NUMBER:\t\t0000000000-24-000001\nCONFORMED SUBMISSION TYPE:\t13F-HR\nPUBLIC DOCUMENT COUNT:\t\t2\nFILED AS OF DATE:\t\t20240501\n</SEC-HEADER>\n${header('13F-HR', 'primary_doc.xml')}${form13f}${end}${header('INFORMATION TABLE', 'table.xml')}`,
  );
  write(fd, informationTable(BLOCK), 'infoTable', blocks);
  writeSync(fd, `${end}</SEC-DOCUMENT>\n`);
  closeSync(fd);
  return file;
}

function looseNport(blocks: number): string {
  const file = join(folder, `nport-${blocks}.xml`);
  const fd = openSync(file, 'w');
  write(fd, nportOf(BLOCK), 'invstOrSec', blocks);
  closeSync(fd);
  return file;
}

/** Loans of ABS-EE, which has no tables of its own. */
function assetData(blocks: number): string {
  const file = join(folder, `assets-${blocks}.xml`);
  const fd = openSync(file, 'w');
  const fields = Array.from({ length: 70 }, (_, k) => `<field${k}>${k * 7}</field${k}>\n`).join('');
  const loans = Array.from({ length: BLOCK }, (_, k) => `<assets><assetNumber>${k}</assetNumber>${fields}</assets>\n`);
  write(fd, `<?xml version="1.0"?>\n<assetData xmlns="urn:absee">\n${loans.join('')}</assetData>`, 'assets', blocks);
  closeSync(fd);
  return file;
}

/** Runs the command. @returns its rows of a table, and its largest memory in bytes */
async function mapped(file: string, table: string): Promise<{ rows: number; peak: number }> {
  const program = join(import.meta.dirname, '../../../../bin/filinglake.mjs');
  const child = spawn(process.execPath, [...SMALL_HEAP, program, 'map', file, '--json'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const word = `"table":"${table}"`;
  let rows = 0;
  let peak = 0;
  let rest = '';
  for await (const chunk of child.stdout) {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop()!;
    for (const line of lines) if (line.includes(word)) rows++;
    const status = readFileSync(`/proc/${child.pid}/status`, 'utf8');
    peak = Math.max(peak, Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0) * 1024);
  }
  if (child.exitCode === null) await once(child, 'exit');
  expect(child.exitCode).toBe(0);
  return { rows, peak };
}

describe.skipIf(!existsSync('/proc/self/status'))('the memory of filinglake map --json', () => {
  it.each([
    ['a 13F of 50,000 holdings', () => submissionOf13f(50), 'f13_holdings', 50],
    ['a 13F of 300,000 holdings', () => submissionOf13f(300), 'f13_holdings', 300],
    ['an N-PORT of 15,000 holdings', () => looseNport(15), 'nport_holdings', 15],
    ['an N-PORT of 130,000 holdings', () => looseNport(130), 'nport_holdings', 130],
    ['an ABS-EE of 50,000 loans', () => assetData(50), 'form_values', 50 * 71],
  ])('is that of the file and at most 192 MB: %s', async (_name, make, table, blocks) => {
    const file = make();
    const { rows, peak } = await mapped(file, table);
    expect(rows).toBe(blocks * BLOCK);
    const besides = peak - statSync(file).size;
    rmSync(file);
    expect(besides / MEGABYTE).toBeLessThan(BESIDES / MEGABYTE);
    expect(besides).toBeGreaterThan(0);
  });
});
