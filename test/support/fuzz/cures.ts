/**
 * Cures of faults that the fuzz must find: with one taken out of the source when it is loaded, a scenario differs. So it is known that
 * the fuzz still sees that kind of fault.
 */
import { readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { fileURLToPath } from 'node:url';

export interface Cure {
  /** Without it. */
  fault: string;
  file: string;
  /** The cure in the source, and what stands there without it. */
  cure: string;
  without: string;
}

export const CURES: Readonly<Record<string, Cure>> = {
  'section-codes': {
    fault: 'chosen sections are absent if the service writes `Item 1A`',
    file: 'src/export/client/section-codes.ts',
    cure: '=> sectionCode(section, family) ?? section;',
    without: '=> section;',
  },
  'known-sizes': {
    fault: 'a text that is shorter than the size in `filing_info` is stored',
    file: 'src/export/client/document-validation.ts',
    cure: 'if (!size) return;',
    without: 'return;',
  },
  'lookup-failures': {
    fault: 'a retry drops the failure of a record that only a lookup reads',
    file: 'src/export/pipeline/failures/reported-failures.ts',
    cure: "f.step <> 'filing' AND ",
    without: '',
  },
  'moved-filings': {
    fault: 'a filing that moved counts twice, and hides one that was not read',
    file: 'src/export/windows/found-records.ts',
    cure: 'variant === undefined || moved',
    without: 'variant === undefined',
  },
  'text-formats': {
    fault: 'texts stay Markdown in a lake whose definition no longer says so',
    file: 'src/export/selectors/document-choice.ts',
    cure: '(10-[KQ]|20-F|section_contents)(?::|$)',
    without: '(10-[KQ]|20-F)(?::|$)',
  },
  'counted-requests': {
    fault: 'requests of activities that run at the same time are counted twice',
    file: 'src/export/run/progress.ts',
    cure: 'Math.max(progress[count], progress.reported[count],',
    without: 'Math.max(progress[count] + outcome.spent[count],',
  },
  'earlier-failures': {
    fault: 'an export counts failures that only its earlier definition wanted',
    file: 'src/export/pipeline/failures/earlier-failures.ts',
    cure: 'return isAsked !== null;',
    without: 'return false;',
  },
  'annual-20f': {
    fault: 'sections of 20-Fs that a service lists are not requested',
    file: 'src/filings/api/forms.ts',
    cure: 'return isListed ? family : null;',
    without: 'return null;',
  },
  'failures-of-others': {
    fault: "an export counts what an answer lacks of another one's sections",
    file: 'src/export/pipeline/fetch/decide-step.ts',
    cure: 'areSome(all) ? faultsOf(own,',
    without: 'areSome(all) ? faultsOf(of,',
  },
};

/** Before the module is loaded. @throws if the source does not have the cure */
export function takeOut(name: string): void {
  const { file, cure, without } = CURES[name] ?? unknownCure(name);
  const url = new URL(`../../../${file}`, import.meta.url).href;
  if (!readFileSync(fileURLToPath(url), 'utf8').includes(cure)) throw new Error(`${file} has no ${cure}`);
  registerHooks({
    load(from, context, next) {
      const loaded = next(from, context);
      if (from !== url) return loaded;
      return {
        ...loaded,
        source: Buffer.from(loaded.source as Buffer)
          .toString('utf8')
          .replace(cure, () => without),
      };
    },
  });
}

function unknownCure(name: string): never {
  throw new Error(`no cure is called ${name}: ${Object.keys(CURES).join(', ')}`);
}
