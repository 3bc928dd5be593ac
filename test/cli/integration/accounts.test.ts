import { describe, expect, it } from 'vitest';
import { KeyRegister, loadPlans } from '../../../src/service/accounts/index.ts';
import { temporaryFolder } from '../../support/catalog/synthetic-filings.ts';
import { commandLine, type Given } from '../../support/command-line.ts';

const folder = temporaryFolder();
KeyRegister.open(folder, loadPlans()).close();
const accounts = (args: string, given: Given = {}) =>
  commandLine(['accounts', ...args.split(' '), '--catalog', folder], given);
const json = async (args: string) => JSON.parse((await accounts(`${args} --json`)).stdout);

describe('filinglake accounts', () => {
  it('does what only the operator may do', async () => {
    const created = await json('create Ada@Example.org');
    expect(created).toMatchObject({ email: 'ada@example.org', plan: 'free', has_password: false });
    expect(created.log_in_link).toMatch(/\/account\/link\?token=/);
    expect(await json('plan ada@example.org institution')).toMatchObject({ plan: 'institution' });
    expect(await json('plan ada@example.org research --at-month-end')).toMatchObject({
      plan: 'institution',
      next_plan: 'research',
    });
    const shown = await json('list ada@example.org');
    expect(shown.history.map(({ kind }: { kind: string }) => kind)).toEqual(['sign-up', 'upgrade', 'downgrade']);
    expect((await accounts('list')).stdout).toMatch(/ada@example.org +institution, research from \d{4}-\d\d-01 on/);
    expect((await accounts('list ada@example.org --link')).stdout).toMatch(/\/account\/link\?token=/);
    expect((await accounts('delete ada@example.org')).status).toBe(2);
    expect((await accounts('delete ada@example.org --yes')).stdout).toBe('deleted ada@example.org\n');
    expect(await json('list')).toEqual([]);
  });

  it.each([
    ['create ada', 2, /is not an e-mail address/],
    ['create x@example.org --plan fre', 2, /did you mean 'free'/],
    ['list nobody@example.org --link', 2, /there is no account of nobody@example.org/],
    ['requests 7 --grant', 2, /there is no open request 7/],
  ])('says what is wrong with %s', async (args, status, message) => {
    const ended = await accounts(args);
    expect([ended.status, ended.stderr]).toEqual([status, expect.stringMatching(message)]);
  });
});

describe('filinglake keys rotate', () => {
  it('prints a new key with the plan, name and usage of the old one', async () => {
    const key = (await commandLine(['keys', 'create', '--plan', 'free', '--name', 'lab', '--catalog', folder])).stdout;
    const rotated = await commandLine(['keys', 'rotate', key.trim(), '--catalog', folder, '--json']);
    expect(JSON.parse(rotated.stdout)).toMatchObject({ plan: 'free', api_key: expect.stringMatching(/^fl_/) });
    const list = JSON.parse((await commandLine(['keys', 'list', '--catalog', folder, '--json'])).stdout);
    expect(list.filter((one: { name: string }) => one.name === 'lab')).toHaveLength(2);
  });
});
