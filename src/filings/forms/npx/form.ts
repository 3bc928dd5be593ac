/** Form N-PX: a primary document, and tables of votes that may have 100,000 rows. */
import type { Form } from '../map/form.ts';
import { HEADER_DATA } from '../map/header-data.ts';
import {
  npxCategories,
  npxManagers,
  npxMatterManagers,
  npxMatters,
  npxReports,
  npxSeries,
  npxVotes,
} from './tables.ts';

export const npx: Form = {
  name: 'npx',
  types: npxReports.forms,
  family: /^N-PX/,
  namespace: /^npx$/,
  root: 'edgarSubmission',
  tables: [npxReports, npxManagers, npxSeries, npxMatters, npxCategories, npxVotes, npxMatterManagers],
  sources: [
    { table: npxReports, at: '' },
    { table: npxManagers, at: 'formData/summaryPage/otherManagers2/investmentManagers' },
    { table: npxSeries, at: 'formData/seriesPage/seriesDetails/seriesReports' },
  ],
  ignored: [
    'schemaVersion',
    ...HEADER_DATA,
    `formData/coverPage/agentForService/**`,
    'formData/signaturePage/reportingPerson',
    'documents/**',
  ],
};

export const proxyVoteTable: Form = {
  name: 'npx',
  types: ['PROXY VOTING RECORD'],
  root: 'proxyVoteTable',
  tables: [],
  joined: true,
  sources: [
    {
      table: npxMatters,
      at: 'proxyTable',
      below: 'matter',
      streamed: true,
      rule: (element) => ({ votes: element.all(['vote', 'voteRecord']).length }),
      sources: [
        { table: npxCategories, at: 'voteCategories/voteCategory' },
        { table: npxVotes, at: 'vote/voteRecord' },
        { table: npxMatterManagers, at: 'voteManager/otherManagers/otherManager' },
      ],
    },
  ],
};
