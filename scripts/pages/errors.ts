/** docs/reference/errors.md, made from the table of errors. */
import { ERROR_AREAS, errorsOf, HTTP_ERRORS } from '../../src/core/index.ts';

/** The text of docs/reference/errors.md. */
export function errorsDocument(): string {
  const areas = Object.entries(ERROR_AREAS);
  return `# Errors

<!-- Made by npm run docs from src/core/errors/. -->

A command that fails prints what happened, and on the next line what to do. Its [exit code](json-output.md#exit-codes) says which kind
of error it was. In the library an error is a \`FilinglakeError\` with \`code\`, \`exitCode\`, \`message\` and \`remedy\`.
The table \`export_failures\` of a lake keeps the code of each failed step.

A code is a subject and its state, as in \`lake-missing\`. The message names the input. The remedy of a message is often more exact
than the one here.

${[...areas.map(([area]) => area), 'Answers of the service'].map((area) => `[${area}](#${anchorOf(area)})`).join(' · ')}

${areas.map(([area, errors]) => `## ${area}\n\n${errorTable(errors)}`).join('\n\n')}

## Answers of the service

The \`/v2\` service answers an error as \`{"error": "<message>"}\` with an HTTP status. [The contract](../api.md#errors) has the messages.
These codes of the tables above also become an answer:

${areas
  .flatMap(([, errors]) => errorsOf(errors))
  .flatMap(([code, { httpStatus }]) => (httpStatus === null ? [] : [`\`${code}\` ${httpStatus}`]))
  .join(' · ')}

| status | meaning | what to do |
|---|---|---|
${Object.entries(HTTP_ERRORS)
  .map(([status, [meaning, remedy]]) => `| ${status} | ${meaning} | ${remedy} |`)
  .join('\n')}
`;
}

function errorTable(errors: Parameters<typeof errorsOf>[0]): string {
  const rows = errorsOf(errors).map(
    ([code, { exitCode, meaning, remedy }]) =>
      `| <a id="${code}"></a>\`${code}\` | ${exitCode} | ${meaning} | ${remedy} |`,
  );
  return `| code | exit code | meaning | what to do |\n|---|---|---|---|\n${rows.join('\n')}`;
}

function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\w\s-]/g, '')
    .replaceAll(' ', '-');
}
