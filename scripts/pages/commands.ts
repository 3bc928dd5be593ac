/** docs/reference/commands.md, made from the help of every command. */
import { Command } from 'commander';
import { COMMANDS } from '../../src/cli/command-list.ts';

const WIDTH = 110;

/** The text of docs/reference/commands.md. */
export async function commandsDocument(): Promise<string> {
  const commands = await Promise.all(COMMANDS.map(async ({ load }) => (await load()).command()));
  const program = new Command('filinglake').enablePositionalOptions();
  for (const command of commands) program.addCommand(command);
  const contents = COMMANDS.map(({ name }) => `[${name}](#filinglake-${name})`);
  return `# Commands

<!-- Made by npm run docs. -->

This is what \`filinglake COMMAND --help\` prints, without \`-h, --help\`, which every command has. [JSON output and exit codes](json-output.md) · [Settings](settings.md)

${contents.join(' · ')}

${commands.map((command) => section(command, '##')).join('')}`;
}

function section(command: Command, heading: string): string {
  const names = [command.name()];
  for (let above = command.parent; above; above = above.parent) names.unshift(above.name());
  const children = command.commands.filter((child) => child.name() !== 'help');
  return `${heading} ${names.join(' ')}
\`\`\`
${dense(helpText(command))}
\`\`\`
${children.map((child) => section(child, `${heading}#`)).join('')}`;
}

/** Without what each help repeats: the option for help, and empty lines around the lists. */
function dense(help: string): string {
  return help
    .replace(/^ {2}-h, --help .*\n/m, '')
    .replace(/^ {2}help \[command\] .*\n/m, '')
    .replace(/^Options:\n(?=\n|$)/m, '')
    .replace(/^(Usage: .*)\n\n/, '$1\n')
    .replace(/\n\n+(?=(?:Arguments|Options|Commands|Examples?):\n)/g, '\n')
    .replace(/\n{3,}/g, '\n\n')
    .trimEnd();
}

function helpText(command: Command): string {
  let text = '';
  command.configureOutput({
    writeOut: (part) => {
      text += part;
    },
    getOutHelpWidth: () => WIDTH,
    getOutHasColors: () => false,
  });
  command.outputHelp();
  return text;
}
