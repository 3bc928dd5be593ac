/** `verify`: citations, read again. */
import { describe, expect, it } from 'vitest';
import { AFTER, agentLakeOfFile, RISKS_AFTER } from '../../../support/agents/agent-lake.ts';
import { keepsLaws } from '../../../support/agents/tool-laws.ts';

const agents = agentLakeOfFile();

describe('verify', () => {
  const citation = async () => (await agents.ask('read', { accession_number: AFTER, section: '1A' })).citation;
  const passage = {
    accession_number: AFTER,
    document_id: `${AFTER}-1`,
    start: 0,
    end: 4,
    sha256: '0'.repeat(64),
    source: 'lake',
  };
  keepsLaws(agents, 'verify', {
    args: { citations: [passage] },
    paged: { citations: Array.from({ length: 40 }, () => passage) },
    before: null,
  });

  it('says of each citation whether its content is the same, and why not', async () => {
    const right = await citation();
    const { rows: verdicts } = await agents.ask('verify', {
      citations: [right, { ...right, end: right.end - 1 }, { ...right, end: 99_999 }, { ...right, release: 'none' }],
    });
    expect(verdicts).toMatchObject([
      { equal: true },
      { equal: false, why: 'the content differs' },
      { equal: false, why: expect.stringContaining(`${RISKS_AFTER.length} characters`) },
      { equal: false, why: expect.stringContaining('release') },
    ]);
  });

  it('wants citations as they were given', async () => {
    const { sha256: _, ...without } = await citation();
    for (const citations of [[], [without], [{ url: 'https://www.sec.gov' }], 'all'])
      expect((await agents.ask('verify', { citations })).error).toMatchObject({
        code: 'tool-input-invalid',
        message: expect.stringMatching(/citations/),
      });
  });
});
