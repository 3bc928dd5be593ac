/** The documentation as Markdown, and `/llms.txt`: its list for programs that read. Both are the pages of the installed package. */
import { globSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { notFound } from '../answers/problem.ts';
import { packageFile } from './package-file.ts';

const ABOUT = `# filinglake

> Filings of SEC EDGAR by HTTP: look-ups, documents, sections, full-text search and statements, with exports into a lake.

- Requests need a key, as \`X-API-Key\` or \`Authorization: Bearer\`. Each counts for its quota.
- \`/v2\` has the operations, described in [OpenAPI](openapi.json). \`/mcp\` has tools for agents (Model Context Protocol).
`;
/** Tables of docs/README.md, and their headings in llms.txt: what may be left out stands under Optional. */
const TABLES = { research: 'Guides', operate: 'Operation', reference: 'Reference', internals: 'Optional' } as const;

export function addMarkdownDocs(app: FastifyInstance, addressOf: (path: string) => string): void {
  const folder = packageFile('docs');
  if (folder === null) return;
  // By name, so that no other file can be asked for.
  const files = new Set(globSync('**/*.md', { cwd: folder }).map((file) => file.replaceAll('\\', '/')));
  const list = listOf(readFileSync(join(folder, 'README.md'), 'utf8'));
  const send = (name: string) => {
    if (!files.has(name)) throw notFound('there is no such page');
    return readFile(join(folder, name), 'utf8');
  };
  app.get('/llms.txt', (_request, reply) =>
    reply
      .type('text/plain; charset=utf-8')
      .send(list.replaceAll(/\]\(([^)]+)\)/g, (_, path) => `](${addressOf(`/${path}`)})`)),
  );
  app.get('/docs.md', async (_request, reply) => reply.type(MARKDOWN).send(await send('api.md')));
  app.get<{ Params: { '*': string } }>('/docs/*', async ({ params }, reply) =>
    reply.type(MARKDOWN).send(await send(params['*'])),
  );
}

const MARKDOWN = 'text/markdown; charset=utf-8';

/** llms.txt with links relative to the service, from the tables of the index of the documentation. */
function listOf(index: string): string {
  const sections = Object.entries(TABLES).map(([table, heading]) => {
    const rows = index.split(`| ${table} | |\n|---|---|\n`)[1]!.split('\n\n')[0]!;
    const lines = [...rows.matchAll(/^\| (.+?) \| (.+) \|$/gm)].flatMap(([, titles, meaning]) =>
      [...titles!.matchAll(/\[([^\]]+)\]\(([^)]+)\)/g)].map(
        ([, title, path]) => `- [${title}](docs/${path}): ${meaning!.replaceAll(/\[([^\]]+)\]\([^)]+\)/g, '$1')}`,
      ),
    );
    return `## ${heading}\n\n${lines.join('\n')}\n`;
  });
  return [ABOUT, ...sections].join('\n');
}
