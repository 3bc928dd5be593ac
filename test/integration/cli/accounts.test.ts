import { describe, expect, it } from 'vitest';
import { KeyRegister, loadPlans } from '../../../src/accounts/index.ts';
import { temporaryFolder } from '../../support/catalog/synthetic-filings.ts';
import { commandLine, type Given } from '../../support/command-line.ts';

const folder = temporaryFolder();
KeyRegister.open(folder, loadPlans()).close();
const accounts = (args: string, given: Given = {}) =>
  commandLine(['accounts', ...args.split(' '), '--catalog', folder], given);
const json = async (args: string) => JSON.parse((await accounts(`${args} --json`)).stdout);

describe('filinglake accounts', () => {
  it('does all that the pages do', async () => {
    const created = await json('create Ada@Example.org');
    expect(created).toMatchObject({ email: 'ada@example.org', plan: 'free', has_password: false });
    expect(created.log_in_link).toMatch(/\/account\/link\?token=/);
    const key = (await accounts('key-create ada@example.org --name thesis')).stdout.trim();
    expect(key).toMatch(/^fl_\w{40}$/);
    const rotated = await json(`key-rotate ada@example.org ${key.slice(0, 11)}`);
    expect(rotated).toMatchObject({ name: 'thesis' });
    expect(await json('plan ada@example.org institution')).toMatchObject({ plan: 'institution' });
    expect(await json('plan ada@example.org research --at-month-end')).toMatchObject({
      ...{ plan: 'institution', next_plan: 'research' },
    });
    expect(await json('resume ada@example.org')).toMatchObject({ plan: 'institution', next_plan: null });
    expect(await json('cancel ada@example.org')).toMatchObject({ plan: 'institution', next_plan: 'free' });
    const shown = await json('show ada@example.org');
    expect(shown.history.map(({ kind }: { kind: string }) => kind)).toEqual([
      ...['sign-up', 'upgrade', 'downgrade', 'resume', 'cancel'],
    ]);
    expect((await accounts('list')).stdout).toMatch(/ada@example.org +institution, free from \d{4}-\d\d-01 on/);
    expect(await json('usage ada@example.org')).toMatchObject({ requests: 0, days: [] });
    expect((await accounts(`key-revoke ada@example.org ${rotated.api_key}`)).stdout).toMatch(/^revoked fl_/);
    expect((await accounts('delete ada@example.org')).status).toBe(2);
    expect((await accounts('delete ada@example.org --yes')).stdout).toBe('deleted ada@example.org\n');
    expect(await json('list')).toEqual([]);
  });

  it('reads a password from standard input, and prints it nowhere', async () => {
    const password = 'a long enough password';
    const made = await accounts('create grace@example.org --password-stdin --json', { input: `${password}\n` });
    expect(JSON.parse(made.stdout)).toMatchObject({ has_password: true });
    expect(`${made.stdout}${made.stderr}`).not.toContain(password);
    const short = await accounts('password grace@example.org', { input: 'short\n' });
    expect([short.status, short.stderr]).toEqual([2, expect.stringContaining('10 to 200 characters')]);
  });

  it.each([
    ['create ada', 2, /is not an e-mail address/],
    ['create grace@example.org', 2, /there is an account of grace@example.org already/],
    ['create x@example.org --plan fre', 2, /did you mean 'free'/],
    ['show nobody@example.org', 2, /there is no account of nobody@example.org/],
    ['key-revoke grace@example.org fl_nothing1', 2, /no key that begins with/],
    ['grant 7', 2, /there is no open request 7/],
    ['resume grace@example.org', 2, /has no cancellation to undo/],
    ['cancel grace@example.org', 2, /has the plan 'free' already/],
    ['usage grace@example.org --month 2026', 2, /a month, YYYY-MM/],
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
