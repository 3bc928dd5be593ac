/** Run as a process: the fixtures on standard input and output. */
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { fixtureServer } from './fixtures.ts';

serveStdio(() => fixtureServer({ sources: [], lake: null, sql: null, exports: null }));
