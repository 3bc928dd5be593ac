/** `lake release NAME --definition FILE`: the version must be what the definition makes, whole. */
import { FilinglakeError } from '../../core/index.ts';
import { definitionDifference, type ExportDefinition } from '../../export/index.ts';
import type { Lake } from '../../lake/index.ts';
import { proofsOf } from '../../lake/report/index.ts';
import { readDefinitions } from './definition-file.ts';
import { counted } from './terminal.ts';

/** @throws FilinglakeError `definition-differs` (exit 2); as `readDefinitions` */
export async function refuseUnmetDefinition(lake: Lake, version: number, file: string): Promise<void> {
  const given = new Map((await readDefinitions(file)).map(({ definition }) => [definition.name, definition]));
  const { exports, proofs } = await proofsOf(lake, version);
  const reasons: string[] = [];
  for (const name of given.keys())
    if (!exports.some((one) => one.export === name)) reasons.push(`no run of ${name} has written to it`);
  for (const one of exports) {
    const definition = given.get(one.export);
    if (definition === undefined) reasons.push(`it has rows of another export, ${one.export}`);
    else if (one.definition === null) reasons.push(`a run of ${one.export} did not record its definition`);
    else {
      const made = { ...(one.definition as ExportDefinition), lake: '' };
      const differences = definitionDifference(made, { ...definition, lake: '' });
      if (differences.length > 0)
        reasons.push(`a run of ${one.export} had another definition: ${differences.join('; ')}`);
      else if (one.state !== 'completed')
        reasons.push(`the newest run of ${one.export} is ${one.state ?? 'without a state'}`);
    }
  }
  const started = exports.flatMap(({ started_at }) => (started_at === null ? [] : [Date.parse(started_at)]));
  const lost = await lake.rowsLost(version, new Date(Math.min(...started)));
  if (lost.size > 0) {
    const rows = [...lost].map(([table, rows]) => `${counted(rows, 'row')} of ${table}`);
    reasons.push(`a repair has removed ${rows.join(', ')}, and no run has begun since`);
  }
  const { windows, failures, unfetched } = proofs;
  for (const { step, steps } of unfetched) reasons.push(`${counted(steps, 'step')} ${step} not fetched`);
  if (windows.unproven > 0) reasons.push(`${counted(windows.unproven, 'window')} of its look-ups without proof`);
  const again = failures.reduce((sum, { rows, known }) => sum + rows - known, 0);
  if (again > 0) reasons.push(`${counted(again, 'request')} failed that may succeed later`);
  if (reasons.length === 0) return;
  throw new FilinglakeError(
    'definition-differs',
    `version ${version} of ${lake.root} is not what ${file} makes: ${reasons.join('; ')}`,
  );
}
