/** `filinglake remap`: starts or joins the workflow of a remap, works on it, and shows its progress. */
import { readSettings } from '../../environment/index.ts';
import type { RemapReport } from '../../export/index.ts';
import type { RemapRequest } from '../../runtime/index.ts';
import { workOnWorkers } from './lake-on-workers.ts';
import { counted, formatCount } from './terminal.ts';
import { withRuns } from './with-runs.ts';

/**
 * @param worker whether this process works on it too
 * @returns null if Ctrl-C ended the watching: the remap continues on other workers, or with the next command
 */
export async function remapOnWorkers(
  request: RemapRequest,
  { json, worker }: { json: boolean; worker: boolean },
): Promise<RemapReport | null> {
  // Without a key, only commands for the same lake take part: they find each other by its identity.
  const key = readSettings().apiKey ?? `remap of ${request.lakeId}`;
  return withRuns({ command: 'remap', apiKey: worker ? key : null, silent: json }, ({ remaps, interrupted }) =>
    workOnWorkers(
      {
        lake: request.lake,
        label: 'mapping',
        start: () => remaps.start(request, key),
        async look(handle) {
          const { running, report, active, bytes, id } = await remaps.status(handle);
          return {
            ...{ running, isServed: report !== null, event: report && { id, active, ...report } },
            show(progress) {
              const { bytes: all, bytes_examined, examined, filings, stretches } = report!;
              const words = `${formatCount(examined)} of ${counted(filings, 'filing')}, ${counted(active, 'worker')}`;
              if (stretches > 0) progress.update(Math.min(all, bytes_examined + bytes), words, all);
            },
          };
        },
        result: (handle) => remaps.result(handle),
        joined({ otherKey }) {
          if (otherKey) return 'following it; workers of another key do it';
          return worker ? 'taking part in it' : 'following it';
        },
        left: (id) => `${id} continues with its workers, or with the same command`,
        unserved: { afterMs: 10_000, text: 'no worker answers: it continues when a worker of its key runs' },
      },
      interrupted,
      json,
    ),
  );
}
