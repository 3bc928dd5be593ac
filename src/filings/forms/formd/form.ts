/** Form D and its amendments. */
import type { Row } from '../map/descriptor.ts';
import type { Form, RowMapping, RowSource } from '../map/form.ts';
import { type Element, textOf } from '../xml/element.ts';
import {
  formdExemptions,
  formdIssuerNames,
  formdIssuers,
  formdOfferings,
  formdPersons,
  formdRecipientStates,
  formdRecipients,
  formdSignatures,
} from './tables.ts';

const previousName = (kind: 'issuer' | 'edgar'): RowSource => ({
  table: formdIssuerNames,
  at: `${kind}PreviousNameList/previousName`,
  set: { kind },
  // Filers type "None" if there is no former name.
  rule: (element) => (/^none$/i.test(textOf(element) ?? 'none') ? null : {}),
});

const YEAR_CHOICES = [
  ['withinFiveYears', 'within_five_years'],
  ['overFiveYears', 'over_five_years'],
  ['yetToBeFormed', 'yet_to_be_formed'],
] as const;

export const formd: Form = {
  name: 'formd',
  types: formdOfferings.forms,
  root: 'edgarSubmission',
  tables: [
    formdOfferings,
    formdExemptions,
    formdIssuers,
    formdIssuerNames,
    formdPersons,
    formdRecipients,
    formdRecipientStates,
    formdSignatures,
  ],
  sources: [
    {
      table: formdOfferings,
      at: '',
      rule: (root, mapping) => ({
        total_offering_indefinite: indefinite(root, 'totalOfferingAmount', mapping),
        total_remaining_indefinite: indefinite(root, 'totalRemaining', mapping),
      }),
    },
    { table: formdExemptions, at: 'offeringData/federalExemptionsExclusions/item' },
    {
      table: formdIssuers,
      at: ['primaryIssuer', 'issuerList/issuer'],
      number: 'issuer',
      below: 'issuer',
      rule: issuer,
      reads: [
        ...YEAR_CHOICES.map(([name]) => `yearOfInc/${name}`),
        'issuerPreviousNameList/value',
        'edgarPreviousNameList/value',
      ],
      sources: [previousName('issuer'), previousName('edgar')],
    },
    {
      table: formdPersons,
      at: 'relatedPersonsList/relatedPersonInfo',
      number: 'person',
      rule: relationships,
      reads: ['relatedPersonRelationshipList/relationship+'],
    },
    {
      table: formdRecipients,
      at: 'offeringData/salesCompensationList/recipient',
      number: 'recipient',
      below: 'recipient',
      rule: (element) => {
        const list = element.child('statesOfSolicitationList');
        if (list === null) return { all_states: null };
        return {
          all_states: list.children.some(
            (child) => child.name === 'value' && /^all states$/i.test(textOf(child) ?? ''),
          ),
        };
      },
      reads: ['statesOfSolicitationList/value+', 'statesOfSolicitationList/description+'],
      sources: [
        {
          table: formdRecipientStates,
          at: 'statesOfSolicitationList/state',
          reads: [''],
          rule: (element) => ({ state: textOf(element), description: descriptionBehind(element) }),
        },
      ],
    },
    { table: formdSignatures, at: 'offeringData/signatureBlock/signature' },
  ],
};

function indefinite(root: Element, name: string, mapping: RowMapping): boolean | null {
  const amount = mapping.rows.text(root, 'offeringData', 'offeringSalesAmounts', name);
  return amount === null ? null : /^indefinite$/i.test(amount);
}

function issuer(element: Element, mapping: RowMapping, given: Row): Row {
  const ticked = YEAR_CHOICES.find(([name]) =>
    /^(1|true|y|yes)$/i.test(mapping.rows.text(element, 'yearOfInc', name) ?? ''),
  );
  return {
    is_primary: given.issuer === 0 && element.name === 'primaryIssuer',
    year_of_inc_choice: ticked?.[1] ?? null,
  };
}

function relationships(element: Element, mapping: RowMapping): Row {
  const found = element.all(['relatedPersonRelationshipList', 'relationship']);
  const texts = found.map(textOf).filter((text) => text !== null);
  for (const [k, text] of texts.entries())
    if (k >= 3) mapping.rows.misfit(formdPersons, 'relationship_3', text, 'repeated', found[0]!.path);
  return { relationship_1: texts[0] ?? null, relationship_2: texts[1] ?? null, relationship_3: texts[2] ?? null };
}

/** State codes and names alternate. The names may be missing. */
function descriptionBehind(state: Element): string | null {
  const siblings = state.parent!.children;
  const next = siblings[siblings.indexOf(state) + 1];
  return next?.name === 'description' ? textOf(next) : null;
}
