/** Exports that Python starts and follows, against the real service and Temporal. */
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readSettings } from '../../../../src/core/environment/index.ts';
import { ensureTemporal, type TemporalSession } from '../../../../src/export/runtime/index.ts';
import { installPythonPackage } from '../../../support/python/installed-package.ts';
import { temporalExecutable } from '../../../support/temporal.ts';
import { buildRoad, CHECKOUT, type Road } from '../../../support/test-stack.ts';

const FILINGS = 12;
const installed = installPythonPackage();
const missing = 'missing' in installed ? installed.missing : null;
const { run } = installed as Exclude<typeof installed, { missing: string }>;

describe.skipIf(missing !== null || !temporalExecutable)(`an export by Python${missing ? ` (${missing})` : ''}`, () => {
  let road: Road;
  let env: Record<string, string>;
  /** Holds one Temporal server for all commands. */
  let session: TemporalSession;

  beforeAll(async () => {
    road = await buildRoad(FILINGS);
    env = {
      FILINGLAKE_HOME: road.home,
      FILINGLAKE_BASE_URL: road.proxy.url,
      FILINGLAKE_API_KEY: road.createKey('unlimited'),
      FILINGLAKE_COMMAND: `${process.execPath} ${join(CHECKOUT, 'src/cli/main.ts')}`,
      TEMPORAL_ADDRESS: '',
    };
    session = await ensureTemporal(readSettings({ ...process.env, ...env }));
  });
  afterAll(async () => {
    await session?.release();
    await road?.stop();
  });

  it('gives its events, its result and a lake to read', async () => {
    const answer = await run(
      `
events = []
with filinglake.export({"name": "annual", "select": {}, "tables": ["filings", "documents"]}, lake=given, set={"service.connections": 2}) as run:
    for event in run:
        events.append(event["event"])
lake = filinglake.open(given)
[status] = filinglake.status()
print(json.dumps({
    "first": events[0], "last": events[-1], "id": run.id, "exit_code": run.exit_code,
    "state": run.result["state"], "version": run.result["lake_version"] == lake.version,
    "filings": len(lake.polars("filings")), "rows": run.result["tables"]["filings"]["rows_total"], "status": status["state"],
}))
`,
      join(road.folder, 'lake'),
      env,
    );
    expect(answer).toEqual({
      first: 'start',
      last: 'done',
      id: 'export/annual',
      exit_code: 0,
      state: 'completed',
      version: true,
      filings: FILINGS,
      rows: FILINGS,
      status: 'completed',
    });
  });

  it('fetches in one line, again only what is new, and opens the lake', async () => {
    const answer = await run(
      `
ask = dict(forms=["10-K*", "10-Q*"], tables="sections", since="1994", lake=given, progress=False)
lake = filinglake.fetch(**ask)
first, version = lake.tables(), lake.version
requests = filinglake.status()
again = filinglake.fetch(**ask)
import warnings
with warnings.catch_warnings(record=True) as told:
    filinglake.fetch(forms="10-K", since="2030", lake=given + "-nothing", progress=False)
print(json.dumps({
    "filings": first["filings"], "texts": len(lake.sections()), "same": again.version >= version and again.tables()["filings"] == first["filings"],
    "told": [str(one.message) for one in told],
    "unknown": code_of(lambda: filinglake.fetch(since="soon", lake=given)),
    "wrong": code_of(lambda: filinglake.fetch(tables=["filngs"], lake=given)),
}))
`,
      join(road.folder, 'lake-fetched'),
      env,
    );
    expect(answer).toMatchObject({
      same: true,
      told: [expect.stringContaining('no filing matches {"form_types": ["10-K"], "date_from": "2030-01-01"}')],
      unknown: { code: 'argument-invalid' },
      wrong: { class: 'UsageError', exit_code: 2 },
    });
    const { filings, texts } = answer as { filings: number; texts: number };
    expect(filings).toBeGreaterThan(0);
    expect(texts).toBeGreaterThan(0);
    const { FILINGLAKE_BASE_URL: _, ...without } = env;
    const noService = `print(json.dumps(code_of(lambda: filinglake.fetch(lake=given, command=["none"]))))`;
    expect(await run(noService, join(road.folder, 'lake-no'), { ...without, FILINGLAKE_BASE_URL: '' })).toMatchObject({
      code: 'agent-missing',
    });
  });

  it('raises the command’s error, with code, remedy and exit code', async () => {
    const key = road.createKey('unlimited');
    road.revokeKey(key);
    const answer = await run(
      `
good = {"name": "errors", "select": {}, "tables": ["filings"]}
print(json.dumps({
    "definition": code_of(lambda: filinglake.export({**good, "tabels": []}, lake=given["lake"]).wait()),
    "option": code_of(lambda: filinglake.export("no-such-file.yaml", lake=given["lake"]).wait()),
    "key": code_of(lambda: filinglake.export(good, lake=given["lake"], api_key=given["key"]).wait()),
    "command": code_of(lambda: filinglake.export(good, command=["no-such-program"])),
}))
`,
      { lake: join(road.folder, 'lake-errors'), key },
      env,
    );
    expect(answer).toMatchObject({
      definition: { class: 'UsageError', exit_code: 2, code: expect.any(String) },
      option: { class: 'UsageError', code: 'file-unreadable', remedy: expect.stringContaining('YAML') },
      key: { class: 'KeyRefused', exit_code: 4, remedy: expect.any(String) },
      command: { code: 'command-missing', remedy: expect.stringContaining('FILINGLAKE_COMMAND') },
    });
  });

  it('raises at the end of an export that lacks something, with the result', async () => {
    let refused: string | null = null;
    road.proxy.fault = (path) => {
      if (!path.startsWith('/v2/filing_info')) return null;
      refused ??= path;
      return path === refused ? { status: 400, body: '{"error":"no"}', type: 'application/json' } : null;
    };
    const definition = { name: 'lacking', select: {}, tables: ['filings', 'documents'] };
    const answer = await run(
      `
def follow():
    for event in filinglake.export(given["definition"], lake=given["lake"]):
        pass
try:
    follow()
    print(json.dumps("ended well"))
except filinglake.FilinglakeError as error:
    print(json.dumps([type(error).__name__, error.code, error.exit_code, error.result["failures"]]))
`,
      { lake: join(road.folder, 'lake-lacking'), definition },
      env,
    );
    expect(answer).toEqual(['ExportIncomplete', 'export-incomplete', 3, 1]);
    road.proxy.fault = () => null;
  });

  it('leaves the run behind when it is interrupted, and resumes it', async () => {
    road.proxy.delayMs = 150;
    const lake = join(road.folder, 'lake-resumed');
    const left = await run(
      `
with filinglake.export({"name": "long", "select": {}, "tables": ["filings", "documents"], "service": {"connections": 1}}, lake=given) as run:
    for event in run:
        if event["event"] == "progress" and event["progress"]["filings_found"] > 0:
            break
print(json.dumps([run.id, run.exit_code, len(run.results)]))
`,
      lake,
      env,
    );
    expect(left).toEqual(['export/long', 130, 1]);
    road.proxy.delayMs = 0;
    const resumed = `
result = filinglake.resume("export/long").wait()
print(json.dumps([result["state"], filinglake.open(given).tables()["filings"]]))
`;
    expect(await run(resumed, lake, env)).toEqual(['completed', FILINGS]);
  });
});
