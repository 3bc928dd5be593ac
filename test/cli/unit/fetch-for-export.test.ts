/** What an export with `service.edgar` fetches: at least what it selects. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { edgarSelection } from '../../../src/cli/terminal/fetch-for-export.ts';
import type { Cik } from '../../../src/filings/api/index.ts';
import { temporaryFolder } from '../../support/lake/temporary-folder.ts';

const TODAY = '2025-03-31';

it('takes forms, companies and days, and leaves the other filters to the export', async () => {
  const query = { tickers: ['AAPL'], states: ['CA'] };
  const select = { form_types: ['10-K'], items: ['2.02'], entity_query: query, date_from: '-1m', date_to: 'today' };
  expect(await edgarSelection(select, TODAY)).toEqual({
    forms: ['10-K'],
    tickers: ['AAPL'],
    from: '2025-02-28',
    to: '2025-03-31',
  });
});

it('takes CIKs before tickers: both must match in the export', async () => {
  const entity_query = { tickers: ['AAPL'], ciks: ['789019' as Cik] };
  expect(await edgarSelection({ entity_query }, TODAY)).toEqual({ ciks: ['789019'] });
  expect(await edgarSelection({ entity_query: { ciks: [], tickers: ['AAPL'] } }, TODAY)).toEqual({ tickers: ['AAPL'] });
});

it('reads companies and accession numbers from files', async () => {
  const folder = temporaryFolder();
  const [ciks, numbers] = [join(folder, 'ciks.csv'), join(folder, 'numbers.txt')];
  writeFileSync(ciks, 'name,cik\nA,320193\nB,0000789019\n');
  writeFileSync(numbers, '# mine\n000032019324000123\n');
  const select = {
    entity_lists: { ciks: { file: ciks } },
    entity_query: { tickers: ['AAPL'] },
    accession_numbers: { file: numbers },
  };
  expect(await edgarSelection(select, TODAY)).toEqual({
    ciks: ['320193', '789019'],
    accessionNumbers: ['0000320193-24-000123'],
  });
});
