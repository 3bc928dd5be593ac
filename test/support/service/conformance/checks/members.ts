/** Which members the records have. */
import { type Check, type CheckContext, may, must, need } from '../check.ts';
import {
  publishedEntities,
  publishedEntity,
  publishedFiling,
  publishedInfo,
  publishedSections,
  typeFault,
} from '../published-types.ts';

type Records = readonly Readonly<Record<string, unknown>>[];

interface RecordKind {
  name: string;
  members: readonly string[];
  recordsOf(context: CheckContext): Promise<Records>;
}

const KINDS: readonly RecordKind[] = [
  {
    name: 'entity_lookup',
    members: Object.keys(publishedEntity.shape),
    async recordsOf({ wire }) {
      const query = { entity_types: ['OPERATING', 'INVESTMENT', 'OTHER'], to: 50 };
      const { data } = publishedEntities.safeParse((await wire.ask('entity_lookup', query)).json);
      return need(data?.entities, 'entities in the published form');
    },
  },
  {
    name: 'filing_lookup',
    members: Object.keys(publishedFiling.shape),
    recordsOf: async ({ sample }) => sample.filings,
  },
  {
    name: 'filing_info',
    members: Object.keys(publishedInfo.shape),
    recordsOf: async ({ sample }) => [sample.annualInfo, sample.currentInfo].filter((info) => info !== null),
  },
];

/** A member that is missing in every record (`all`) or in one of them (`any`); null if all are there. */
function missingMember(members: readonly string[], records: Records, where: 'all' | 'any'): string | null {
  const lacks = (member: string) => (record: Readonly<Record<string, unknown>>) => record[member] === undefined;
  const missing = members.find((member) =>
    where === 'all' ? records.every(lacks(member)) : records.some(lacks(member)),
  );
  return missing === undefined ? null : `${where === 'all' ? 'no record has' : 'a record lacks'} the member ${missing}`;
}

function memberChecks({ name, members, recordsOf }: RecordKind): Check[] {
  const someRecords = async (context: CheckContext) => {
    const records = await recordsOf(context);
    return need(records.length > 0 ? records : null, `records of ${name}`);
  };
  return [
    must(`${name}.members`, 'records have the published members', async (context) =>
      missingMember(members, await someRecords(context), 'all'),
    ),
    may(
      `${name}.members-without-value`,
      'a member without a value is null or [], and is not left out',
      async (context) => missingMember(members, await someRecords(context), 'any'),
    ),
  ];
}

export const MEMBER_CHECKS: readonly Check[] = [
  ...KINDS.flatMap(memberChecks),
  may(
    'entity_lookup.response-bytes',
    'response_bytes is the length of the JSON of entities',
    async ({ wire, sample }) => {
      const answer = await wire.ask('entity_lookup', { ciks: [need(sample.entity, 'entity').cik] });
      const fault = typeFault(publishedEntities, answer.json);
      if (fault !== null) return fault;
      const { entities, response_bytes } = answer.json as { entities: unknown[]; response_bytes: number };
      const bytes = Buffer.byteLength(JSON.stringify(entities));
      return response_bytes === bytes ? null : `response_bytes is ${response_bytes}, and entities has ${bytes} bytes`;
    },
  ),
  may(
    'filing_sections.as-listed',
    'filing_sections has the sections that filing_info lists, in this order',
    async ({ wire, sample }) => {
      const info = need(sample.annualInfo, '10-K');
      const parameters = { accession_number: info.accession_number, form_type: '10-K' };
      const answer = await wire.ask('filing_sections', parameters);
      const fault = typeFault(publishedSections, answer.json);
      if (fault !== null) return fault;
      const codes = publishedSections.parse(answer.json).sections.map(({ section }) => section);
      const listed = (info.sections ?? []).map(({ section }) => section);
      return String(codes) === String(listed) ? null : `filing_info lists ${listed}, filing_sections gives ${codes}`;
    },
  ),
];
