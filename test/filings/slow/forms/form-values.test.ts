/** form_values of every real XML document against another reader. */
import { globSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { mapFiling } from '../../../../src/filings/forms/index.ts';
import { filingOf } from '../../../support/forms/real-files.ts';
import { valuesBySaxes } from '../../../support/forms/values-by-saxes.ts';
import { sharedFolder } from '../../../support/shared.ts';

const OTHERS = /^(xbrl|linkbase|schema|html|instancereport|filingsummary|myreports|financialreport|stylesheet|svg)$/i;

describe.skipIf(sharedFolder === null)('form_values of real filings', () => {
  it('has every text and attribute of every XML form once', () => {
    const files = globSync('{forms/files,edgar}/**/*.{xml,txt,nc,gz}', { cwd: sharedFolder! });
    const roots = new Map<string, number>();
    let values = 0;
    for (const file of files.sort()) {
      const filing = filingOf(file);
      const rows = [...mapFiling(filing, new Set(['form_values']))];
      const byDocument = Map.groupBy(
        rows.filter(({ table }) => table === 'form_values'),
        ({ row }) => row.document,
      );
      for (const [k, { name, text }] of filing.documents.entries()) {
        const label = name ?? String(k + 1);
        const content = text();
        if (!/^[\s\uFEFF]*<(\?xml|ownershipDocument|edgarSubmission|informationTable)/.test(content)) continue;
        let expected: [string, string, string | null][];
        try {
          expected = valuesBySaxes(content.replace(/^\uFEFF/, ''));
        } catch {
          expect(byDocument.get(label), label).toBeUndefined();
          continue;
        }
        const root = expected[0]![0].split('/')[0]!;
        if (OTHERS.test(root)) continue;
        const found = byDocument.get(label) ?? [];
        expect(
          found.map(({ row }) => [row.path, row.indices, row.value]),
          `${file} ${label}`,
        ).toEqual(expected);
        roots.set(root, (roots.get(root) ?? 0) + 1);
        values += found.length;
        byDocument.delete(label);
      }
      expect([...byDocument.keys()], file).toEqual([]);
    }
    expect(values).toBeGreaterThan(10_000);
    expect(roots.get('ownershipDocument')).toBeGreaterThan(10);
    expect(roots.get('edgarSubmission')).toBeGreaterThan(20);
  });
});
