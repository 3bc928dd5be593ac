/** docs/internals/questions.md, made from the questions that tests ask through every door. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CHECKOUT } from '../steps.ts';

interface Question {
  corpus: 'real' | 'made';
  question: string;
  filing: string;
  place: string;
  answer: string | number;
}

export function questionsDocument(): string {
  const path = 'test/support/doors/questions.json';
  const all = JSON.parse(readFileSync(join(CHECKOUT, path), 'utf8')) as Question[];
  const cell = (text: string) => text.replaceAll('|', '\\|');
  const table = (corpus: Question['corpus']) =>
    all
      .filter((one) => one.corpus === corpus)
      .map(({ question, answer, filing, place }) => {
        const shown =
          typeof answer === 'number' ? answer.toLocaleString('en-US', { maximumFractionDigits: 3 }) : answer;
        return `| ${[question, shown, filing, place].map(cell).join(' | ')} |`;
      })
      .join('\n');
  return `# Questions with known answers

<!-- Made by npm run docs from ${path}. -->

${all.length} questions, whose answers were read in the filings by eye, not in what filinglake made of them. \`test/library/slow/doors/questions.test.ts\` asks each through
every door that can answer it: SQL in the command, in Python, in DuckDB and of agents; panels, sections, \`map\`, the tools of agents, \`/v2\` and the page of the company.
All give the same value. If a door has no answer, the test says why. The quick tests ask the made filings.

## Real filings

The answer to a question about a section is its beginning.

| question | answer | filing | place in the filing |
|---|---|---|---|
${table('real')}

## Made filings

\`test/support/doors/corpus.ts\` makes them.

| question | answer | filing | place in the filing |
|---|---|---|---|
${table('made')}
`;
}
