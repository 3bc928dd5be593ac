import { expect, it } from 'vitest';
import { companyOf } from '../../../../src/export/pipeline/index.ts';
import { ScriptedService } from '../../../support/client/scripted-service.ts';

const company = (cik: string, name: string) => ({ cik, name });
const page = (count: number) => ({
  body: { count, entities: [company('1', 'Alpha Inc'), company('2', 'Alphabet')], truncated: count > 2 },
});

it('is the company whose name fits alone among all that the service finds', async () => {
  await using service = await ScriptedService.start(page(2));
  expect(await companyOf(service.client(), 'Alpha Inc.')).toEqual({ cik: '1' });
});

it('is none if the service finds more than it gives: another one may have the name', async () => {
  await using service = await ScriptedService.start(page(5_000), page(5_000));
  expect(await companyOf(service.client(), 'Alpha Inc.')).toEqual({
    matches: 0,
    companies: 'more than 2 entities fit: state the CIK',
  });
});
