import type { ChildProcess, SpawnOptions, StdioOptions } from 'node:child_process';

export function spawnTied(
  node: string,
  args: readonly string[],
  options: SpawnOptions & { stdio: StdioOptions },
): ChildProcess;
