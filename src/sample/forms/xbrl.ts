/** Schema, rendered pages and archive of an inline XBRL filing. The rendered ones are EDGAR's own additions: type XML, description IDEA: XBRL DOCUMENT. */

import { grouped } from '../amounts.ts';
import { workbook, zip } from '../binaries/zip.ts';
import { isoDay } from '../calendar.ts';
import type { PlannedFiling } from '../filing.ts';
import { statementOf } from '../finances.ts';
import type { Random } from '../random.ts';
import { filePrefix } from '../reports/context.ts';
import type { DocumentList } from './document.ts';

const RENDERED = 'IDEA: XBRL DOCUMENT';

export function addXbrlDocuments(list: DocumentList, plan: PlannedFiling, r: Random): void {
  const prefix = filePrefix(plan.company);
  const day = isoDay(plan.period ?? plan.filed).replaceAll('-', '');
  const schema = schemaOf(prefix, day);
  const extension = (type: string, name: string, text: string, what: string) =>
    list.text(type, name, text, { description: `XBRL TAXONOMY EXTENSION ${what} DOCUMENT`, wrapper: 'XBRL' });
  extension('EX-101.SCH', `${prefix}-${day}.xsd`, schema, 'SCHEMA');
  extension('EX-101.LAB', `${prefix}-${day}_lab.xml`, labelsOf(prefix), 'LABEL LINKBASE');
  if (!r.chance(0.6)) return;
  const s = statementOf(plan.company, plan.fiscalYear, plan.fiscalQuarter);
  const rows: [string, number][] = [
    ['Revenue', s.revenue],
    ['Cost of sales', s.costOfSales],
    ['Operating income', s.operatingIncome],
    ['Net income', s.netIncome],
    ['Total assets', s.totalAssets],
    ["Stockholders' equity", s.equity],
  ];
  const page = (name: string, text: string) => list.text('XML', name, text, { description: RENDERED });
  const cover = [
    ['Entity registrant name', plan.company.name],
    ['Document type', plan.form],
  ];
  page('R1.htm', rendered('Cover', cover));
  page(
    'R2.htm',
    rendered(
      'Statements',
      rows.map(([label, n]) => [label, grouped(n)]),
    ),
  );
  page('report.css', 'table.report { border: 1px solid black; }\ntd.nump { text-align: right; }\n');
  list.text(
    'XML',
    'FilingSummary.xml',
    `<?xml version='1.0' encoding='utf-8'?>\n<FilingSummary>\n  <Version>3.24</Version>\n  <MyReports>\n    <Report><HtmlFileName>R1.htm</HtmlFileName><ShortName>Cover</ShortName></Report>\n    <Report><HtmlFileName>R2.htm</HtmlFileName><ShortName>Statements</ShortName></Report>\n  </MyReports>\n</FilingSummary>\n`,
    { description: RENDERED, wrapper: 'XML' },
  );
  if (r.chance(0.3)) list.skip();
  list.binary('EXCEL', 'Financial_Report.xlsx', workbook([['', isoDay(plan.period ?? plan.filed)], ...rows]), RENDERED);
  list.binary(
    'ZIP',
    `${plan.accessionNumber}-xbrl.zip`,
    zip([{ name: `${prefix}-${day}.xsd`, bytes: Buffer.from(schema) }]),
    RENDERED,
  );
}

function schemaOf(prefix: string, day: string): string {
  return `<?xml version="1.0" encoding="UTF-8"?>\n<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema" xmlns:xbrli="http://www.xbrl.org/2003/instance" targetNamespace="http://www.${prefix}.example/${day}" elementFormDefault="qualified">\n  <xs:import namespace="http://www.xbrl.org/2003/instance" schemaLocation="http://www.xbrl.org/2003/xbrl-instance-2003-12-31.xsd"/>\n  <xs:element id="${prefix}_SegmentRevenue" name="SegmentRevenue" type="xbrli:monetaryItemType" substitutionGroup="xbrli:item" xbrli:periodType="duration"/>\n</xs:schema>\n`;
}

function labelsOf(prefix: string): string {
  return `<?xml version="1.0" encoding="UTF-8"?>\n<link:linkbase xmlns:link="http://www.xbrl.org/2003/linkbase" xmlns:xlink="http://www.w3.org/1999/xlink">\n  <link:labelLink xlink:type="extended" xlink:role="http://www.xbrl.org/2003/role/link">\n    <link:label xlink:type="resource" xlink:label="lab_${prefix}_SegmentRevenue" xml:lang="en-US">Revenue of a segment</link:label>\n  </link:labelLink>\n</link:linkbase>\n`;
}

function rendered(title: string, rows: readonly (readonly string[])[]): string {
  const lines = rows
    .map(
      ([label, value]) =>
        `<tr class="re"><td class="pl">${label!.replace(/&/g, '&amp;')}</td><td class="nump">${value!.replace(/&/g, '&amp;')}<span></span></td></tr>`,
    )
    .join('\n');
  return `<html>\n<head>\n<title></title>\n<link rel="stylesheet" type="text/css" href="report.css">\n</head>\n<body>\n<table class="report" border="0" cellspacing="2">\n<tr><th class="tl" colspan="1" rowspan="1"><strong>${title}</strong></th></tr>\n${lines}\n</table>\n</body>\n</html>\n`;
}
