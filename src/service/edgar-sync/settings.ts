/** EDGAR's hosts, and the name of the user. */
import { FilinglakeError, invalidValue } from '../../core/index.ts';

export interface EdgarSettings {
  /** Host of indexes, feeds and submissions, without a slash at its end */
  baseUrl: string;
  /** Host of SEC's JSON */
  dataUrl: string;
  /** Name and e-mail of the user: SEC requires both in each request */
  agent: string;
  blockSeconds: number;
  /** Folder whose processes share one request rate: FILINGLAKE_HOME */
  homeFolder: string;
}

/** As SEC's own page asks. */
const BLOCK_SECONDS = 601;
const EMAIL = /[^\s@()<>]+@[^\s@()<>]+\.[^\s@()<>.]+/;

/** An empty variable counts as not set. @throws FilinglakeError `edgar-agent-missing`, `setting-invalid` */
export function readEdgarSettings(
  env: Readonly<Record<string, string | undefined>>,
  homeFolder: string,
): EdgarSettings {
  const agent = env.FILINGLAKE_EDGAR_AGENT?.trim() ?? '';
  const remedy = 'Set it to your name and e-mail address: `export FILINGLAKE_EDGAR_AGENT="Your Name you@your.domain"`.';
  if (agent === '') {
    throw new FilinglakeError(
      'edgar-agent-missing',
      'FILINGLAKE_EDGAR_AGENT is not set. SEC refuses requests without a name',
      { remedy },
    );
  }
  // A header holds one line of Latin-1.
  const isHeader = [...agent].every((character) => character >= ' ' && character <= 'ÿ' && character !== '\x7f');
  if (!EMAIL.test(agent) || agent.replace(EMAIL, '').trim() === '' || !isHeader) {
    throw invalid('FILINGLAKE_EDGAR_AGENT', agent, 'a name and an e-mail address', remedy);
  }
  return {
    baseUrl: hostOf(env, 'FILINGLAKE_EDGAR_URL', 'https://www.sec.gov'),
    dataUrl: hostOf(env, 'FILINGLAKE_EDGAR_URL', 'https://data.sec.gov'),
    agent,
    blockSeconds: BLOCK_SECONDS,
    homeFolder,
  };
}

function hostOf(env: Readonly<Record<string, string | undefined>>, name: string, fallback: string): string {
  const text = env[name]?.trim() || fallback;
  if (!URL.canParse(text) || !/^https?:$/.test(new URL(text).protocol)) {
    throw invalid(name, text, 'an http or https address', `Set it to an address such as ${fallback}.`);
  }
  return text.replace(/\/+$/, '');
}

function invalid(name: string, value: string, what: string, remedy: string): FilinglakeError {
  return invalidValue('setting-invalid', name, what, value, remedy);
}
