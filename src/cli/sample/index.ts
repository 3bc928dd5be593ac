/** A deterministic generator of EDGAR-shaped files: all texts, companies and persons are invented. */
export { type SampleFile, sampleSubmissions } from './generate.ts';
export { type WrittenSample, writeSample } from './write.ts';
