/** Columns of an outline: of a section, or of a document. */
import { column, text } from './table.ts';

/** @param levels what the levels count from @param content the column that positions are in */
export const headingColumns = (of: 'section' | 'document', levels: string, content: string) =>
  [
    column('position', 'INTEGER', `place in the ${of}, from 1`),
    column('level', 'INTEGER', levels),
    text('heading', "the filing's words"),
    column('parent', 'INTEGER', 'position of the heading above it; null at the top'),
    column('start_index', 'BIGINT', `UTF-16 position of the heading in \`${content}\``),
    column('end_index', 'BIGINT', 'UTF-16 position, exclusive: of the next heading of its level or above'),
  ] as const;
