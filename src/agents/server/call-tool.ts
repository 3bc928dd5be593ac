/** One call of a tool: arguments are checked, the tool finds, and what it found is fitted into the budget. Never throws for a mistake. */
import { z } from 'zod';
import { FilinglakeError, nearestWord } from '../../core/index.ts';
import {
  BUDGET_DEFAULT,
  BUDGET_MAX,
  BUDGET_MIN,
  cutAt,
  errorResult,
  largestFit,
  shortened,
} from '../answers/budget.ts';
import { cursorText, readCursor } from '../answers/cursor.ts';
import { type Json, jsonText, sizeOf, type TextResult, textResult } from '../answers/json-text.ts';
import { readMoment } from '../answers/moment.ts';
import { TOOLS } from '../tools/index.ts';
import { digestOf, type FoundRows, type FoundText, type Tool, type ToolCall, type World } from '../tools/tool.ts';

/** Caveats are short: a head must fit into any budget. */
const CAVEATS_MAX = 6;
const CAVEAT_CHARACTERS_MAX = 240;
/** Arguments that a citation repeats: longer ones must be given with it. */
const REPEAT_MAX = 800;
const GIVE_ARGUMENTS = 'to verify, give its arguments as args of the citation: they are too long to stand here';

/** What a model can do, in place of a command that a person would run. */
const REMEDIES: Readonly<Record<string, string>> = {
  'sql-invalid': 'Call sql with schema: [] for tables and views, and with schema: ["NAME"] for columns.',
  'run-unknown': 'Give the task that start_export returned: export/NAME.',
  'definition-invalid': 'Correct the definition: name, tables, and select, which is {} for all filings.',
};

interface Frame {
  readonly budget: number;
  readonly next: (position: number) => string;
  /** Version of the lake that was read, and the release that names it. */
  readonly read: { readonly lake_version?: number; readonly release?: string };
  /** The call, without what may change from page to page; null: its answers have no citation. */
  readonly call: { readonly tool: string; readonly args: Readonly<Record<string, Json>> } | null;
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
    const args = argumentsOf(tool, given);
    const asGiven = (given ?? {}) as Record<string, Json>;
    const cursor = typeof args.cursor === 'string' ? readCursor(tool.name, asGiven, args.cursor) : null;
    const version = cursor?.version ?? (world.lake === null ? null : await world.lake.version());
    const release = version === null ? null : await world.lake!.releaseAt(version);
    const position = cursor?.position ?? 0;
    const again: ToolCall<unknown>['again'] = ({ tool: name, args: cited, from = 0, lake_version }) => {
      const named = TOOLS.find((one) => one.name === name && one.cites !== false);
      if (named === undefined) throw new FilinglakeError('passage-missing', `no answer of ${name} has a citation`);
      const pinned = lake_version ?? version;
      const call = { world, version: pinned, signal, onRun: () => {}, again, position: from, budget: BUDGET_MAX };
      return found(named, argumentsOf(named, cited), call);
    };
    const answer = await found(tool, args, { world, position, version, budget, signal, onRun, again });
    const { cursor: _, budget: __, ...repeated } = asGiven;
    const frame: Frame = {
      budget,
      next: (at) => cursorText(tool.name, asGiven, { position: at, version }),
      read: { ...(version !== null && { lake_version: version }), ...(release !== null && { release }) },
      call: tool.cites === false ? null : { tool: tool.name, args: repeated },
    };
    return 'text' in answer ? textAnswer(answer, position, frame) : rowsAnswer(answer, position, frame);
  } catch (error) {
    if (!(error instanceof FilinglakeError)) throw error;
    const { code, message, remedy } = error;
    return errorResult({ code, message, remedy: REMEDIES[code] ?? remedy }, budget);
  }
}

function found(tool: Tool, args: Record<string, Json>, call: Omit<ToolCall<unknown>, 'args' | 'asOf'>) {
  return tool.run({ ...call, args, asOf: typeof args.as_of === 'string' ? readMoment(args.as_of) : null });
}

function argumentsOf(tool: Tool, given: unknown): Record<string, Json> {
  const parsed = tool.input.safeParse(given ?? {});
  if (!parsed.success) throw wrongArguments(tool, parsed.error);
  return parsed.data as Record<string, Json>;
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

/** The budget holds for errors too, also for those of other arguments. */
function budgetOf(given: unknown): number {
  const asked = (given as { budget?: unknown } | null | undefined)?.budget;
  if (typeof asked !== 'number' || !Number.isInteger(asked)) return BUDGET_DEFAULT;
  return Math.min(Math.max(asked, BUDGET_MIN), BUDGET_MAX);
}

function rowsAnswer(found: FoundRows, position: number, { budget, next, read, call }: Frame): TextResult {
  const { head, rows, total, caveats = [], repeat = call?.args } = found;
  const isLong = call !== null && jsonText(repeat!).length > REPEAT_MAX;
  const cite = (n: number) => ({
    ...call,
    args: isLong ? null : repeat,
    ...(position > 0 && { from: position }),
    rows: n,
    sha256: digestOf(found, n),
    ...read,
  });
  const make = (n: number, shown: readonly Json[] = rows.slice(0, n)): Json => {
    const at = position + n;
    const truncated = total === null ? n < rows.length || rows.length > 0 : at < total;
    return {
      ...head,
      ...laidOut(shown),
      ...(call !== null && { citation: cite(n) }),
      ...(truncated && { truncated, left: total === null ? null : total - at, next: next(at) }),
      ...shortCaveats(isLong ? [GIVE_ARGUMENTS, ...caveats] : caveats),
    };
  };
  const fitted = largestFit(budget, rows.length, make);
  if (fitted !== null && (fitted.n > 0 || rows.length === 0)) return fitted.result;
  if (fitted === null) return headTooLong(budget);
  const row = shortened(rows[0]!, (one) => sizeOf(textResult(make(1, [one]))) <= budget);
  return textResult(make(1, [row]));
}

/** What all rows have alike stands once. Rows of the same members are lists, whose names stand once. */
function laidOut(rows: readonly Json[]): Record<string, Json> {
  const [first, ...others] = rows as readonly Record<string, Json>[];
  if (first === undefined || others.length === 0) return { rows };
  const names = Object.keys(first);
  if (others.some((row) => Object.keys(row).join() !== names.join())) return { rows };
  const isSame = (name: string) => others.every((row) => jsonText(row[name]!) === jsonText(first[name]!));
  const same = names.filter(isSame);
  const columns = names.filter((name) => !same.includes(name));
  if (columns.length === 0) return { rows };
  return {
    ...(same.length > 0 && { same: Object.fromEntries(same.map((name) => [name, first[name]!])) }),
    columns,
    rows: [first, ...others].map((row) => columns.map((name) => row[name]!)),
  };
}

function textAnswer(found: FoundText, position: number, { budget, next, read }: Frame): TextResult {
  const { head, text, end, cite, source, caveats } = found;
  // Later pages begin where the last one ended.
  const start = Math.min(end, Math.max(position, found.start));
  const page = text.slice(0, end);
  const make = (n: number): Json => {
    const to = n >= end - start ? end : cutAt(page, start, n);
    const truncated = to < end;
    return {
      ...head,
      filed_content: text.slice(start, to),
      citation: { ...cite(start, to), ...(source === 'lake' && read) },
      ...(truncated && { truncated, left: end - to, next: next(to) }),
      ...shortCaveats(caveats),
    };
  };
  const fitted = largestFit(budget, Math.min(end - start, budget), make);
  return fitted?.result ?? headTooLong(budget);
}

function headTooLong(budget: number): TextResult {
  const message = `the head of this answer alone is longer than ${budget} characters`;
  return errorResult({ code: 'tool-input-invalid', message, remedy: 'Raise budget.' }, budget);
}

/** A member of an answer that has any. */
function shortCaveats(all: readonly string[] = []): { caveats?: Json } {
  const caveats = all
    .slice(0, CAVEATS_MAX)
    .map((one) => (one.length > CAVEAT_CHARACTERS_MAX ? `${one.slice(0, CAVEAT_CHARACTERS_MAX)} …` : one));
  return caveats.length === 0 ? {} : { caveats };
}
