export class SetUpError extends Error {
  constructor(message: string, remedy: string);
  remedy: string;
}
export function cacheFolder(): string;
export function isSuitable(version: string): boolean;
export function suitableNode(onMessage: (line: string) => void, current?: string): Promise<string>;
export function makeFolder(folder: string): void;
export function environmentFor(node: string): NodeJS.ProcessEnv;
export function npm(
  args: readonly string[],
  options: { cwd?: string; env?: NodeJS.ProcessEnv; node?: string },
): Promise<{ code: number; output: string }>;
export function npmReason(output: string): string;
