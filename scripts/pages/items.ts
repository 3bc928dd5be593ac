/** docs/reference/items.md, made from config/statements.yaml. */
import { statementRules } from '../../src/filings/statements/rules.ts';

const STATEMENT_NAMES = {
  income: 'Income statement',
  balance: 'Balance sheet',
  cash_flow: 'Cash flows',
  cover: 'Cover',
};
const UNIT_NAMES = { money: 'money', per_share: 'per share', shares: 'shares' };

/** The text of docs/reference/items.md. */
export function itemsDocument(): string {
  const { items, industries } = statementRules();
  const shown = [...items.values()].filter(({ hidden }) => !hidden);
  const sections = Object.entries(STATEMENT_NAMES).map(([statement, title]) => {
    const lines = shown
      .filter((item) => item.statement === statement)
      .map(({ name, means, unit, industry }) => {
        const only = industry === null ? '' : industry.replaceAll('_', ' ');
        return `| \`${name}\` | ${means} | ${UNIT_NAMES[unit]} | ${only} |`;
      });
    return `## ${title}\n\n| item | meaning | unit | only of |\n|---|---|---|---|\n${lines.join('\n')}`;
  });
  return `# Items of fundamentals

<!-- Made by npm run docs from config/statements.yaml. -->

The ${shown.length} items of [fundamentals](../guide/fundamentals.md). \`config/statements.yaml\` has the ways to find each, with reasons.

Items of one industry have rows only for companies whose statements show it (${[...industries.keys()].map((name) => name.replaceAll('_', ' ')).join(', ')}).

${sections.join('\n\n')}
`;
}
