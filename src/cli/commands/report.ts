/** `filinglake report`: one HTML page about a lake. */
import { Command } from 'commander';
import { lakeReport, reportPage } from '../../lake/report/index.ts';
import { terminalMemoryBytes, withLake } from '../terminal/lake-folder.ts';
import { openOutput } from '../terminal/output.ts';
import { formatByName } from '../terminal/output-format.ts';
import { formatBytes, printJson } from '../terminal/terminal.ts';

interface Options {
  lake?: string;
  output: string;
  json?: boolean;
}

export function command(): Command {
  return new Command('report')
    .description('Write an HTML report about a lake: contents by form and month, failures, runs, requests')
    .option('--lake <place>', 'folder or URL of the lake (default: this folder if it is a lake, else ./lake)')
    .option('--output <file>', 'the page; - is standard output', 'lake-report.html')
    .option('--json', 'print the figures as JSON instead')
    .addHelpText(
      'after',
      `
The report is one file that needs no network. Send it, print it, or put it on a web server.

Examples:
  filinglake report --lake /data/lake
  filinglake report --output /srv/www/lake.html
  filinglake report --json | jq .coverage.sum`,
    )
    .action(async (options: Options) => {
      formatByName('--output', options.output, { html: ['html', 'htm'] });
      const figures = await withLake(options.lake, { queryMemoryBytes: terminalMemoryBytes() }, (lake) =>
        lakeReport(lake),
      );
      if (options.json) return printJson(figures);
      const page = reportPage(figures);
      const toScreen = options.output === '-';
      await using output = await openOutput(toScreen ? undefined : options.output);
      await output.write(whole(page));
      await output.done();
      if (!toScreen)
        process.stderr.write(
          `${options.output}: ${formatBytes(Buffer.byteLength(page))} about version ${figures.version}\n`,
        );
    });
}

async function* whole(page: string): AsyncIterable<string> {
  yield page;
}
