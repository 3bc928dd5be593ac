/** One call of a tool: arguments are checked, the tool finds, and what it found is fitted into the budget. Never throws for a mistake. */
import { z } from 'zod';
import { FilinglakeError, nearestWord } from '../core/index.ts';
import { BUDGET_DEFAULT, BUDGET_MAX, BUDGET_MIN, cutAt, errorResult, largestFit, shortened } from './budget.ts';
import { cursorText, readCursor } from './cursor.ts';
import { type Json, sizeOf, type TextResult, textResult } from './json-text.ts';
import { readMoment } from './moment.ts';
import type { FoundRows, FoundText, Tool, ToolCall, World } from './tool.ts';

/** Caveats are short: a head must fit into any budget. */
const CAVEATS_MAX = 6;
const CAVEAT_CHARACTERS_MAX = 240;

/** What a model can do, in place of a command that a person would run. */
const REMEDIES: Readonly<Record<string, string>> = {
  'sql-invalid': 'Call sql with schema: [] for tables and views, and with schema: ["NAME"] for columns.',
  'run-unknown': 'Give the task that start_export returned: export/NAME.',
  'definition-invalid': 'Correct the definition: name, tables, and select, which is {} for all filings.',
};

interface Frame {
  readonly budget: number;
  readonly next: (position: number) => string;
}

export async function callTool(
  tool: Tool,
  given: unknown,
  world: World,
  signal: AbortSignal,
  onRun: ToolCall<unknown>['onRun'] = () => {},
): Promise<TextResult> {
  const budget = budgetOf(given);
  try {
    const parsed = tool.input.safeParse(given ?? {});
    if (!parsed.success) throw wrongArguments(tool, parsed.error);
    const args = parsed.data as Record<string, Json>;
    const asGiven = (given ?? {}) as Record<string, Json>;
    const cursor = typeof args.cursor === 'string' ? readCursor(tool.name, asGiven, args.cursor) : null;
    const version = cursor?.version ?? (world.lake === null ? null : await world.lake.version());
    const release = version === null ? null : await world.lake!.releaseAt(version);
    const asOf = typeof args.as_of === 'string' ? readMoment(args.as_of) : null;
    const position = cursor?.position ?? 0;
    const found = await tool.run({ args, world, asOf, position, version, budget, signal, onRun });
    const named = (citations: Json) => withRelease(citations, version, release);
    const next = (at: number) => cursorText(tool.name, asGiven, { position: at, version });
    return 'text' in found
      ? textAnswer({ ...found, cite: (...place) => named(found.cite(...place)) }, position, { budget, next })
      : rowsAnswer(
          { ...found, head: named({ ...found.head }) as Record<string, Json>, rows: named(found.rows) as Json[] },
          position,
          { budget, next },
        );
  } catch (error) {
    if (!(error instanceof FilinglakeError)) throw error;
    const { code, message, remedy } = error;
    return errorResult({ code, message, remedy: REMEDIES[code] ?? remedy }, budget);
  }
}

/** An unknown argument is answered with the one that was meant, or with all. */
function wrongArguments({ input }: Tool, error: z.ZodError): FilinglakeError {
  const message = z.prettifyError(error).replaceAll('\n', ' ');
  const unknown = error.issues.flatMap((issue) => (issue.code === 'unrecognized_keys' ? issue.keys : []));
  if (unknown.length === 0) return new FilinglakeError('tool-input-invalid', message);
  const names = Object.keys(input.shape);
  const near = unknown.map(
    (word) => nearestWord(word, names) ?? names.find((name) => word.toLowerCase().includes(name)),
  );
  const meant = [...new Set(near.filter((name) => name !== undefined))];
  const remedy = meant.length > 0 ? `Did you mean ${meant.join(', ')}?` : `The arguments are ${names.join(', ')}.`;
  return new FilinglakeError('tool-input-invalid', message, { remedy });
}

/** Citations of a version that a release names say so. */
function withRelease(value: Json, version: number | null, release: string | null): Json {
  if (release === null || value === null || typeof value !== 'object') return value;
  if (Array.isArray(value)) return value.map((member) => withRelease(member as Json, version, release));
  const members = Object.entries(value).map(([name, member]) => [name, withRelease(member as Json, version, release)]);
  const cites = 'sha256' in value && (value as { lake_version?: Json }).lake_version === version;
  return { ...Object.fromEntries(members), ...(cites && { release }) };
}

/** The budget holds for errors too, also for those of other arguments. */
function budgetOf(given: unknown): number {
  const asked = (given as { budget?: unknown } | null | undefined)?.budget;
  if (typeof asked !== 'number' || !Number.isInteger(asked)) return BUDGET_DEFAULT;
  return Math.min(Math.max(asked, BUDGET_MIN), BUDGET_MAX);
}

function rowsAnswer(
  { head, list, rows, total, caveats }: FoundRows,
  position: number,
  { budget, next }: Frame,
): TextResult {
  const make = (n: number, shown: readonly Json[] = rows.slice(0, n)): Json => {
    const at = position + n;
    const truncated = total === null ? n < rows.length || rows.length > 0 : at < total;
    return {
      ...head,
      [list]: shown,
      truncated,
      left: total === null ? null : Math.max(0, total - at),
      next: truncated ? next(at) : null,
      caveats: shortCaveats(caveats),
    };
  };
  const fitted = largestFit(budget, rows.length, make);
  if (fitted !== null && (fitted.n > 0 || rows.length === 0)) return fitted.result;
  if (fitted === null) return headTooLong(budget);
  const row = shortened(rows[0]!, (one) => sizeOf(textResult(make(1, [one]))) <= budget);
  return textResult(make(1, [row]));
}

function textAnswer(found: FoundText, position: number, { budget, next }: Frame): TextResult {
  const { head, text, end, cite, caveats } = found;
  // Later pages begin where the last one ended.
  const start = Math.min(end, Math.max(position, found.start));
  const page = text.slice(0, end);
  const make = (n: number): Json => {
    const to = n >= end - start ? end : cutAt(page, start, n);
    const truncated = to < end;
    return {
      ...head,
      filed_content: text.slice(start, to),
      citation: cite(start, to),
      truncated,
      left: end - to,
      next: truncated ? next(to) : null,
      caveats: shortCaveats(caveats),
    };
  };
  const fitted = largestFit(budget, Math.min(end - start, budget), make);
  return fitted?.result ?? headTooLong(budget);
}

function headTooLong(budget: number): TextResult {
  const message = `the head of this answer alone is longer than ${budget} characters`;
  return errorResult({ code: 'tool-input-invalid', message, remedy: 'Raise budget.' }, budget);
}

function shortCaveats(caveats: readonly string[] = []): Json {
  return caveats
    .slice(0, CAVEATS_MAX)
    .map((one) => (one.length > CAVEAT_CHARACTERS_MAX ? `${one.slice(0, CAVEAT_CHARACTERS_MAX)} …` : one));
}
