/** Deletes the type declarations that no entry of the library reaches: nobody can import them. */
import { globSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { CHECKOUT } from './steps.ts';

/** @throws Error if package.json names an entry without declarations, or a declaration imports a missing one */
export function keepDeclarations(dist: string): void {
  const { exports } = JSON.parse(readFileSync(join(CHECKOUT, 'package.json'), 'utf8')) as {
    exports: Record<string, string | { types: string }>;
  };
  const doors = Object.values(exports).flatMap((door) =>
    typeof door === 'string' ? [] : [join(CHECKOUT, door.types)],
  );
  const reached = new Set<string>();
  const reach = (file: string) => {
    if (reached.has(file)) return;
    reached.add(file);
    const text = readFileSync(file, 'utf8');
    for (const [, specifier] of text.matchAll(/(?:from |import\(|import )['"](\.{1,2}\/[^'"]+)\.[tj]s['"]/g)) {
      reach(resolve(dirname(file), `${specifier}.d.ts`));
    }
  };
  doors.forEach(reach);
  for (const file of globSync(`${dist}/{src,workflows,activities}/**/*.d.ts`))
    if (!reached.has(resolve(file))) rmSync(file);
}
