/** `npm run bench -- mcp`: what the questions of `test/support/agents/questions.json` cost: calls, characters and CPU time each. */
import { callTool, inputSchema, TOOLS } from '../src/agents/index.ts';
import { type Question, questionLake } from '../test/support/agents/question-lakes.ts';
import questions from '../test/support/agents/questions.json' with { type: 'json' };
import { cost as costOf, median } from './recording/measuring.ts';

export const summary = 'tools for agents: calls, characters and CPU time for each question with a known answer';

export async function run(_: string[], { json }: { json: boolean }): Promise<void> {
  const figures: Record<string, Record<string, number>> = {};
  for (const corpus of ['sample', 'real'] as const) {
    const lake = await questionLake(corpus);
    if (lake === null) continue;
    const own = (questions as unknown as Question[]).filter((one) => one.corpus === corpus);
    const cost: { calls: number; characters: number; cpuMs: number }[] = [];
    for (const { calls } of own) {
      let characters = 0;
      const { cpu } = await costOf(async () => {
        for (const [name, args] of calls) {
          const tool = TOOLS.find((one) => one.name === name)!;
          const result = await callTool(tool, args, lake.world, new AbortController().signal);
          characters += JSON.stringify(result).length;
        }
      });
      cost.push({ calls: calls.length, characters, cpuMs: cpu * 1000 });
    }
    await lake.close();
    figures[corpus] = {
      questions: own.length,
      calls_mean: Number(mean(cost.map(({ calls }) => calls)).toFixed(2)),
      characters_median: median(cost.map(({ characters }) => characters)),
      characters_max: Math.max(...cost.map(({ characters }) => characters)),
      cpu_ms_median: Math.round(median(cost.map(({ cpuMs }) => cpuMs))),
      cpu_ms_max: Math.round(Math.max(...cost.map(({ cpuMs }) => cpuMs))),
    };
  }
  const described = JSON.stringify(
    TOOLS.map((tool) => ({ name: tool.name, description: tool.description, input: inputSchema(tool) })),
  );
  figures.tools = {
    descriptions: TOOLS.reduce((sum, { description }) => sum + description.length, 0),
    listed: described.length,
  };
  if (json) process.stdout.write(`${JSON.stringify(figures)}\n`);
  else
    for (const [name, of] of Object.entries(figures))
      process.stdout.write(
        `${name}: ${Object.entries(of)
          .map(([what, n]) => `${what} ${Math.round(n * 10) / 10}`)
          .join(', ')}\n`,
      );
}

function mean(all: readonly number[]): number {
  return all.reduce((sum, n) => sum + n, 0) / all.length;
}
