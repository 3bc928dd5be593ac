/** A deterministic generator of EDGAR-shaped files: all texts, companies and persons are invented. */
export {
  type GeneratedFiling,
  generateFilings,
  SAMPLE_VERSION,
  type SampleFile,
  type SampleOptions,
  type SampleTruth,
  sampleSubmissions,
} from './generate.ts';
export { type SampleSummary, type WriteSampleOptions, type WrittenSample, writeSample } from './write.ts';
