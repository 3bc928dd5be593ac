/**
 * ixbrlparse on the same report, if Python has it. Arelle and edgartools are not compared: Arelle loads each report's taxonomies from
 * the web, and edgartools asks the SEC about each filer.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface OtherReader {
  mb_per_cpu_second: number;
  facts_per_cpu_second: number;
}

/** `PYTHON` names the interpreter of an environment with `requirements.txt`. Null: its Python lacks ixbrlparse. */
export function ixbrlparse(report: string): OtherReader | null {
  const python = process.env.PYTHON ?? 'python3';
  try {
    execFileSync(python, ['-c', 'import ixbrlparse'], { stdio: 'ignore' });
  } catch {
    return null;
  }
  const folder = mkdtempSync(join(tmpdir(), 'filinglake-forms-bench-'));
  try {
    const file = join(folder, 'report.htm');
    writeFileSync(file, report);
    const reader = join(import.meta.dirname, 'ixbrlparse_reader.py');
    const line = execFileSync(python, [reader, file], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
    const { bytes, rows, seconds } = JSON.parse(line) as { bytes: number; rows: number; seconds: number };
    return { mb_per_cpu_second: bytes / 1e6 / seconds, facts_per_cpu_second: rows / seconds };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
