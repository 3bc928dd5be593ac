/** Every file of the project that is made from its code. `npm run docs` writes them, and a test compares them. */
import { definitionJsonSchema } from '../../src/export/index.ts';
import { commandsDocument } from './commands.ts';
import { errorsDocument } from './errors.ts';
import { formsReference } from './forms-columns.ts';
import { itemsDocument } from './items.ts';
import { measurementsDocument, performanceDocument } from './measurements.ts';
import { questionsDocument } from './questions.ts';
import { settingsDocument } from './settings.ts';
import { tablesDocument } from './tables.ts';
import { viewsDocument } from './views.ts';

/** Path in the checkout, and the text that it must have. */
export const PAGES: readonly { path: string; text: () => string | Promise<string> }[] = [
  { path: 'docs/reference/commands.md', text: commandsDocument },
  { path: 'docs/reference/errors.md', text: errorsDocument },
  { path: 'docs/reference/forms-columns.md', text: formsReference },
  { path: 'docs/reference/items.md', text: itemsDocument },
  { path: 'docs/reference/settings.md', text: settingsDocument },
  { path: 'docs/reference/tables.md', text: tablesDocument },
  { path: 'docs/reference/views.md', text: viewsDocument },
  { path: 'docs/internals/measurements.md', text: measurementsDocument },
  { path: 'docs/internals/performance.md', text: performanceDocument },
  { path: 'docs/internals/questions.md', text: questionsDocument },
  { path: 'config/export.schema.json', text: () => `${JSON.stringify(definitionJsonSchema(), null, 2)}\n` },
];
