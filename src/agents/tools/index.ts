/** The tools, in the order in which a research task needs them. */
import { compare } from './compare.ts';
import { events } from './events.ts';
import { facts } from './facts.ts';
import { findCompanies } from './find-companies.ts';
import { findFilings } from './find-filings.ts';
import { outline } from './outline.ts';
import { ownership } from './ownership.ts';
import { planExport } from './plan-export.ts';
import { read } from './read.ts';
import { searchText } from './search-text.ts';
import { sql } from './sql.ts';
import { startExport } from './start-export.ts';
import { statements } from './statements.ts';
import type { Tool } from './tool.ts';
import { verify } from './verify.ts';

export const TOOLS: readonly Tool[] = [
  findCompanies,
  findFilings,
  outline,
  read,
  searchText,
  facts,
  statements,
  ownership,
  events,
  compare,
  sql,
  planExport,
  startExport,
  verify,
];
