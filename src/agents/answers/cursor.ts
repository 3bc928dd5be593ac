/** Cursors: a position in a list or a text, for one tool with one set of arguments, at one version of a lake. Nothing is kept for them. */
import { createHash } from 'node:crypto';
import { FilinglakeError } from '../../core/index.ts';
import { type Json, jsonText } from './json-text.ts';

export interface Cursor {
  /** Items or UTF-16 units that earlier answers have given. */
  readonly position: number;
  /** Version of the lake, -1 of a new one; null: none was read. */
  readonly version: number | null;
}

/** `budget` may change from page to page. */
const FREE: ReadonlySet<string> = new Set(['cursor', 'budget']);

export function cursorText(tool: string, args: Readonly<Record<string, Json>>, { position, version }: Cursor): string {
  return `${position}.${version ?? ''}.${digest(tool, args, position, version)}`;
}

/** @throws FilinglakeError `tool-input-invalid` */
export function readCursor(tool: string, args: Readonly<Record<string, Json>>, text: string): Cursor {
  const found = /^(\d{1,15})\.(-1|\d{0,15})\.([\w-]{16})$/.exec(text);
  if (found !== null) {
    const position = Number(found[1]);
    const version = found[2] === '' ? null : Number(found[2]);
    if (found[3] === digest(tool, args, position, version)) return { position, version };
  }
  throw new FilinglakeError(
    'tool-input-invalid',
    `cursor "${text.slice(0, 80)}" is not of ${tool} with these arguments`,
    {
      remedy: 'Repeat the call with the same arguments, and with `next` of its last answer as `cursor`.',
    },
  );
}

function digest(tool: string, args: Readonly<Record<string, Json>>, position: number, version: number | null): string {
  const kept = Object.entries(args)
    .filter(([name, value]) => !FREE.has(name) && value !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1));
  return createHash('sha256')
    .update(jsonText([tool, position, version, kept as unknown as Json]))
    .digest('base64url')
    .slice(0, 16);
}
