/** docs/reference/settings.md, made from the settings. */
import { SETTING_VARIABLES } from '../../src/core/environment/index.ts';

/** The text of docs/reference/settings.md. */
export function settingsDocument(): string {
  const rows = SETTING_VARIABLES.map(
    (variable) => `| \`${variable.name}\` | ${plain(variable.default)} | ${plain(variable.meaning)} |`,
  );
  return `# Settings

<!-- Made by npm run docs. -->

Every setting is an environment variable. Commands have options if one is wanted for a single run.

| variable | default | meaning |
|---|---|---|
${rows.join('\n')}

Keys are hidden in logs. They are passed neither to the Temporal server nor to its supervisor.

With \`TEMPORAL_ADDRESS\` the namespace must exist. The search attributes \`ExportName\` and \`ExportState\` (both \`Keyword\`) are added
if they are missing and the server allows it.
`;
}

const plain = (text: string) => text.replaceAll('’', "'").replaceAll('*', '…');
