/** A deterministic generator of EDGAR-shaped files: all text is of its own making, all companies and persons are invented. */

export type { SampleFile, SampleOptions, SampleTruth } from './generate.ts';
export { type GeneratedFiling, generateFilings, SAMPLE_VERSION, sampleSubmissions } from './generate.ts';
export type { TrueSection } from './pages/page.ts';
