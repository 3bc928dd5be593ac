import type { z } from 'zod';
import { EdgarFileError } from './edgar-file-error.ts';

/** Parses one of SEC's JSON files and checks its shape. Throws EdgarFileError that names the member that is wrong. */
export function readJson<Schema extends z.ZodType>(bytes: Buffer, file: string, schema: Schema): z.output<Schema> {
  let value: unknown;
  try {
    value = JSON.parse(bytes.toString('utf8').replace(/^\uFEFF/, ''));
  } catch (cause) {
    throw new EdgarFileError(file, (cause as Error).message, { cause });
  }
  return checked(value, file, schema);
}

/** @throws EdgarFileError that names the member that is wrong */
export function checked<Schema extends z.ZodType>(value: unknown, file: string, schema: Schema): z.output<Schema> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const issue = result.error.issues[0]!;
  throw new EdgarFileError(file, `${issue.path.join('.') || 'the file'}: ${issue.message}`, { cause: result.error });
}
