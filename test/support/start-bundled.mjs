/**
 * Loaded first by each process and thread of a whole run. If it is to run a program of this checkout, it runs that program's bundle in
 * place of the sources.
 */
import { existsSync } from 'node:fs';
import { registerHooks } from 'node:module';

const SOURCES = new URL('../../', import.meta.url).href;

const hooks = registerHooks({
  resolve(specifier, context, next) {
    const found = next(specifier, context);
    // The first is what the process or thread runs.
    hooks.deregister();
    if (!found.url.startsWith(SOURCES)) return found;
    const place = found.url.slice(SOURCES.length).replace(/\.ts$/, '.js');
    const bundled = new URL(`${process.env.FILINGLAKE_TEST_PROGRAMS}/${place}`);
    return existsSync(bundled) ? { ...found, url: bundled.href, format: 'module' } : found;
  },
});
