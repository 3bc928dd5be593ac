/** The pages of a service as texts, made from records. They know nothing of HTTP. */
export { accountPage, linkPage, logInPage, type Message } from './account.ts';
export { type DocumentedOperation, docsPage, triedPage } from './docs.ts';
export { type ExportSelection, exportYaml } from './export-yaml.ts';
export type { SearchTerms } from './facets.ts';
export { changesPart, type FormPart, filedPage, filingPage, itemPart, sectionDocument } from './filing.ts';
export { homePage } from './home.ts';
export { count, formName, messagePage, type PageContent, pageText } from './layout.ts';
export { plansPage } from './plans.ts';
export { companyPage, type OwnersReport, searchPage } from './search.ts';
export type { StatementValue } from './statements.ts';
export { STYLE } from './style.ts';
