/** plans.yaml: read and checked. */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseDocument } from 'yaml';
import { z } from 'zod';
import { FilinglakeError, systemErrorWords } from '../../../core/index.ts';
import { type QuotaPlans, quotaPlansSchema } from '../../../filings/api/index.ts';

/** The plans that come with filinglake: `config/plans.yaml` of the package, wherever it is installed. */
export function defaultPlansFile(): string {
  for (let folder = import.meta.dirname; ; folder = dirname(folder)) {
    const candidate = join(folder, 'config', 'plans.yaml');
    if (existsSync(candidate)) return candidate;
    if (dirname(folder) === folder) {
      throw new FilinglakeError('quota-plans-invalid', 'config/plans.yaml is missing from the installation');
    }
  }
}

/** Reads a plans file. @throws FilinglakeError `plans-missing`, `quota-plans-invalid` (exit 2) with line or member */
export function loadPlans(file: string = defaultPlansFile()): QuotaPlans {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (cause) {
    throw new FilinglakeError(
      'quota-plans-invalid',
      `the plans file ${file} can't be read: ${systemErrorWords(cause)}`,
      { cause },
    );
  }
  const document = parseDocument(text);
  const fault = document.errors[0];
  if (fault) throw invalid(file, fault.message);
  const parsed = quotaPlansSchema.safeParse(document.toJS());
  if (!parsed.success) throw invalid(file, z.prettifyError(parsed.error));
  return parsed.data;
}

function invalid(file: string, detail: string): FilinglakeError {
  return new FilinglakeError('quota-plans-invalid', `plans file ${file} is invalid: ${detail}`);
}
