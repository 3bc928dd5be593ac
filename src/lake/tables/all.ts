/** Every table, in the order in which they are written and listed. A new table is a file, and a line here. Those of forms are in src/filings/forms/registry.ts. */
import { annualReportSections } from './annual-report-sections.ts';
import { chunks } from './chunks.ts';
import { coverage } from './coverage.ts';
import { documentContents } from './document-contents.ts';
import { documentHeadings } from './document-headings.ts';
import { documentTables } from './document-tables.ts';
import { documents } from './documents.ts';
import { edgarDays } from './edgar-days.ts';
import { entities } from './entities.ts';
import { entityAddresses } from './entity-addresses.ts';
import { entityTickers } from './entity-tickers.ts';
import { exhibits8k } from './exhibits-8k.ts';
import { exportFailures } from './export-failures.ts';
import { exportPasses } from './export-passes.ts';
import { exportPlans } from './export-plans.ts';
import { exportRuns } from './export-runs.ts';
import { exportUnknown } from './export-unknown.ts';
import { exportWindows } from './export-windows.ts';
import { filingHeaders } from './filing-headers.ts';
import { filings } from './filings.ts';
import { formTables } from './form-tables.ts';
import { headerSeries } from './header-series.ts';
import { items8k } from './items-8k.ts';
import { parties } from './parties.ts';
import { partyAddresses } from './party-addresses.ts';
import { partyFormerNames } from './party-former-names.ts';
import { riskFactors } from './risk-factors.ts';
import { sectionContents } from './section-contents.ts';
import { sectionHeadings } from './section-headings.ts';
import { sections } from './sections.ts';

export const ALL = [
  entities,
  entityTickers,
  entityAddresses,
  filings,
  filingHeaders,
  parties,
  partyAddresses,
  partyFormerNames,
  headerSeries,
  documents,
  sections,
  sectionContents,
  sectionHeadings,
  riskFactors,
  items8k,
  exhibits8k,
  documentContents,
  annualReportSections,
  chunks,
  documentHeadings,
  documentTables,
  ...formTables,
  edgarDays,
  coverage,
  exportFailures,
  exportWindows,
  exportPlans,
  exportPasses,
  exportRuns,
  exportUnknown,
] as const;
