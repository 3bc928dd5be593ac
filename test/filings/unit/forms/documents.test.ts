/** Small made-up documents of every form except 13F: the special cases of each. */
import { describe, expect, it } from 'vitest';
import { decodeText } from '../../../../src/filings/documents/index.ts';
import { groupOfForm, neededDocuments } from '../../../../src/filings/forms/index.ts';
import { mapped, rowsOf, said } from '../../../support/forms/mapped.ts';

describe('ownership', () => {
  const value = (name: string, text: string, notes = '') =>
    `<${name}>${text === '' ? '' : `<value>${text}</value>`}${notes}</${name}>`;
  const document = (body: string) => `<ownershipDocument><documentType>4</documentType>${body}</ownershipDocument>`;

  it('counts transactions and holdings of a table together, and keeps joint owners apart from them', () => {
    const rows = mapped(
      document(
        '<reportingOwner/><reportingOwner/><nonDerivativeTable><nonDerivativeTransaction/><nonDerivativeHolding/><nonDerivativeTransaction/></nonDerivativeTable><derivativeTable><derivativeHolding/></derivativeTable>',
      ),
    );
    expect(rows.ownership_owners!.map((row) => row.owner)).toEqual([0, 1]);
    expect(rows.ownership_transactions!.map((row) => [row.derivative, row.line])).toEqual([
      [false, 0],
      [false, 2],
    ]);
    expect(rows.ownership_holdings!.map((row) => [row.derivative, row.line])).toEqual([
      [false, 1],
      [true, 0],
    ]);
    expect(rows.ownership_reports![0]).toMatchObject({ transactions: 2, holdings: 2 });
  });

  it('ties each note to its field, a value there or not', () => {
    const notes = '<footnoteId id="F1"/><footnoteId id="F2"/>';
    const rows = mapped(
      document(
        `<derivativeTable><derivativeTransaction>${value('exerciseDate', '', notes)}<transactionCoding><transactionCode>A</transactionCode><footnoteId id="F9"/></transactionCoding><transactionAmounts>${value('transactionShares', '5', '<footnoteId id="F1"/>')}</transactionAmounts></derivativeTransaction></derivativeTable><footnotes><footnote id="F1">a</footnote><footnote id="F1">b</footnote></footnotes>`,
      ),
    );
    expect(
      rows.ownership_footnote_refs!.map(({ field, position, footnote_id }) => [field, position, footnote_id]),
    ).toEqual([
      ['exercise_date', 0, 'F1'],
      ['exercise_date', 1, 'F2'],
      ['transaction_coding', 0, 'F9'],
      ['shares', 0, 'F1'],
    ]);
    expect(rows.ownership_transactions![0]).toMatchObject({ exercise_date: null, shares: '5', transaction_code: 'A' });
    expect(rows.ownership_footnotes!.map(({ footnote_id, text }) => [footnote_id, text])).toEqual([['F1', 'a\nb']]);
    expect(rows.form_unknown_elements).toBeUndefined();
  });

  it('numbers the notes of a field through, even if a line repeats its element', () => {
    const twice =
      value('exerciseDate', '', '<footnoteId id="F1"/>') + value('exerciseDate', '', '<footnoteId id="F2"/>');
    const rows = mapped(
      document(`<derivativeTable><derivativeTransaction>${twice}</derivativeTransaction></derivativeTable>`),
    );
    expect(
      rows.ownership_footnote_refs!.map(({ field, position, footnote_id }) => [field, position, footnote_id]),
    ).toEqual([
      ['exercise_date', 0, 'F1'],
      ['exercise_date', 1, 'F2'],
    ]);
  });

  it('counts an element that no mapping knows, by path', () => {
    const rows = mapped(
      document(
        '<nonDerivativeTable><nonDerivativeHolding><newBox>1</newBox></nonDerivativeHolding><nonDerivativeHolding><newBox a="2">1</newBox></nonDerivativeHolding></nonDerivativeTable>',
      ),
    );
    expect(rows.form_unknown_elements!.map(({ path, occurrences, example }) => [path, occurrences, example])).toEqual([
      ['ownershipDocument/nonDerivativeTable/nonDerivativeHolding/newBox', 2, '1'],
      ['ownershipDocument/nonDerivativeTable/nonDerivativeHolding/newBox/@a', 1, '2'],
    ]);
  });

  it('takes the first that is not empty of a repeated element, and names the other', () => {
    const rows = mapped(document('<remarks/><remarks>one</remarks><remarks>two</remarks>'));
    expect(rows.ownership_reports![0]!.remarks).toBe('one');
    expect(rows.form_problems!.map(({ reason, value }) => [reason, value])).toEqual([
      ['repeated', 'one'],
      ['repeated', 'two'],
    ]);
  });

  it('reads 0/1 and true/false alike; an absent box is null', () => {
    const owner = (boxes: string) =>
      `<reportingOwner><reportingOwnerRelationship>${boxes}</reportingOwnerRelationship></reportingOwner>`;
    const rows = mapped(document(owner('<isDirector>1</isDirector><isOfficer>false</isOfficer>')));
    expect(rows.ownership_owners![0]).toMatchObject({ is_director: true, is_officer: false, is_other: null });
  });

  it('leaves out a second document of the kind, with a problem', () => {
    const rows = mapped([document(''), document('')], {
      accessionNumber: '0000000000-24-000001',
      filingDate: '2024-05-01',
    });
    expect(rows.ownership_reports).toHaveLength(1);
    expect(said(rows.form_problems![0])).toMatchObject({ reason: 'left_out', document: 'doc2.xml' });
  });
});

describe('Form D', () => {
  it('keeps Indefinite apart from null, and None from names', () => {
    const rows = mapped(
      '<edgarSubmission><submissionType>D</submissionType><primaryIssuer><issuerPreviousNameList><previousName>None</previousName><previousName>Old</previousName></issuerPreviousNameList><yearOfInc><overFiveYears>true</overFiveYears></yearOfInc></primaryIssuer><offeringData><offeringSalesAmounts><totalOfferingAmount>Indefinite</totalOfferingAmount><totalRemaining>5</totalRemaining></offeringSalesAmounts></offeringData></edgarSubmission>',
    );
    expect(said(rows.formd_offerings![0])).toMatchObject({
      total_offering_indefinite: true,
      total_remaining: '5',
      total_remaining_indefinite: false,
    });
    expect(rows.formd_offerings![0]!.total_offering_amount).toBeNull();
    expect(rows.formd_issuer_names!.map(({ kind, position, name }) => [kind, position, name])).toEqual([
      ['issuer', 0, 'Old'],
    ]);
    expect(said(rows.formd_issuers![0])).toMatchObject({
      issuer: 0,
      is_primary: true,
      year_of_inc_choice: 'over_five_years',
    });
    expect(rows.form_problems).toBeUndefined();
  });

  it('ties words to the state before them, even if some are missing', () => {
    const rows = mapped(
      '<edgarSubmission><submissionType>D</submissionType><offeringData><salesCompensationList><recipient><statesOfSolicitationList><state>AL</state><state>FL</state><description>FLORIDA</description></statesOfSolicitationList></recipient></salesCompensationList></offeringData></edgarSubmission>',
    );
    expect(rows.formd_recipient_states!.map(({ state, description }) => [state, description])).toEqual([
      ['AL', null],
      ['FL', 'FLORIDA'],
    ]);
    expect(rows.formd_recipients![0]!.all_states).toBe(false);
  });
});

describe('13D and 13G', () => {
  it('give one set of columns, whatever the spelling', () => {
    const d = mapped(
      '<edgarSubmission><headerData><submissionType>SCHEDULE 13D/A</submissionType></headerData><formData><coverPageHeader><dateOfEvent>01/31/2025</dateOfEvent><issuerInfo><issuerCIK>0000000007</issuerCIK><issuerCUSIP>12345678X</issuerCUSIP></issuerInfo></coverPageHeader><reportingPersons><reportingPersonInfo><aggregateAmountOwned>5</aggregateAmountOwned><percentOfClass>5.1%</percentOfClass></reportingPersonInfo></reportingPersons></formData></edgarSubmission>',
    );
    const g = mapped(
      '<edgarSubmission><headerData><submissionType>SCHEDULE 13G</submissionType></headerData><formData><coverPageHeader><eventDateRequiresFilingThisStatement>01/31/2025</eventDateRequiresFilingThisStatement><issuerInfo><issuerCik>7</issuerCik><issuerCusips><issuerCusipNumber>12345678X</issuerCusipNumber></issuerCusips></issuerInfo></coverPageHeader><coverPageHeaderReportingPersonDetails><reportingPersonBeneficiallyOwnedAggregateNumberOfShares>5</reportingPersonBeneficiallyOwnedAggregateNumberOfShares><classPercent>5.1</classPercent></coverPageHeaderReportingPersonDetails></formData></edgarSubmission>',
    );
    const { form_type: _, ...report } = said(d.beneficial_reports![0]);
    expect(said(g.beneficial_reports![0])).toEqual({ form_type: 'SCHEDULE 13G', ...report });
    expect(report).toEqual({ event_date: '2025-01-31', issuer_cik: '7' });
    expect(d.beneficial_cusips).toEqual(g.beneficial_cusips);
    expect(d.beneficial_persons).toEqual(g.beneficial_persons);
    expect(said(d.beneficial_persons![0])).toEqual({ person: 0, aggregate_amount: '5', percent_of_class: '5.1' });
  });

  it('give the texts of items by path; a carriage return is a line end', () => {
    const rows = mapped(
      '<edgarSubmission><headerData><submissionType>SCHEDULE 13G</submissionType></headerData><formData><items><item4><a>x&#13;\ny</a><n><b>1</b><b>2</b></n></item4></items></formData></edgarSubmission>',
    );
    expect(rows.beneficial_items!.map(({ item, field, position, text }) => [item, field, position, text])).toEqual([
      ['4', 'a', 0, 'x\ny'],
      ['4', 'n.b', 0, '1'],
      ['4', 'n.b', 1, '2'],
    ]);
  });
});

describe('N-PORT', () => {
  const report = (holdings: string) =>
    `<edgarSubmission><headerData><submissionType>NPORT-P</submissionType></headerData><formData><invstOrSecs>${holdings}</invstOrSecs></formData></edgarSubmission>`;

  it('takes N/A, XXXX and a CUSIP of zeros for nothing, and none of them for a problem', () => {
    const rows = mapped(
      report(
        '<invstOrSec><name>N/A</name><cusip>000000000</cusip><balance>N/A</balance><fairValLevel>N/A</fairValLevel><debtSec><maturityDt>N/A</maturityDt><delta>XXXX</delta></debtSec></invstOrSec>',
      ),
    );
    expect(said(rows.nport_holdings![0])).toEqual({ position: 0 });
    expect(said(rows.nport_debt![0])).toEqual({ holding: 0, delta_text: 'XXXX' });
    expect(rows.form_problems).toBeUndefined();
  });

  it('counts holdings and adds their values exactly', () => {
    const holding = (value: string) => `<invstOrSec><valUSD>${value}</valUSD></invstOrSec>`;
    const rows = mapped(report([holding('0.1'), holding('0.2'), holding('-1000000000000000')].join('')));
    expect(rows.nport_funds![0]).toMatchObject({ holdings: 3, value_sum: '-999999999999999.7' });
  });

  it('follows derivatives that refer to derivatives', () => {
    const swap =
      '<swapDeriv derivCat="SWP"><counterparties><counterpartyName>B</counterpartyName></counterparties><descRefInstrmnt><indexBasketInfo><components><component><identifiers><isin value="X"/></identifiers></component></components></indexBasketInfo></descRefInstrmnt><floatingRecDesc fixedOrFloating="Floating"><rtResetTenors><rtResetTenor rateTenor="Month" rateTenorUnit="3"/></rtResetTenors></floatingRecDesc></swapDeriv>';
    const rows = mapped(
      report(
        `<invstOrSec/><invstOrSec><derivativeInfo><fwdDeriv derivCat="FWD"><descRefInstrmnt><nestedDerivInfo>${swap}</nestedDerivInfo></descRefInstrmnt></fwdDeriv></derivativeInfo></invstOrSec>`,
      ),
    );
    expect(rows.nport_holdings!.map((row) => row.derivative_category)).toEqual([null, 'FWD']);
    expect(
      rows.nport_derivatives!.map(({ holding, path, category, reference_kind }) => [
        holding,
        path,
        category,
        reference_kind,
      ]),
    ).toEqual([
      [1, '0', 'FWD', 'nested'],
      [1, '0.0', 'SWP', 'index'],
    ]);
    expect(said(rows.nport_counterparties![0])).toEqual({ holding: 1, path: '0.0', position: 0, name: 'B' });
    expect(said(rows.nport_index_components![0])).toMatchObject({ path: '0.0', id_kind: 'isin', id_value: 'X' });
    expect(said(rows.nport_rate_resets![0])).toEqual({
      holding: 1,
      path: '0.0',
      leg: 'receipt',
      position: 0,
      tenor: 'Month',
      tenor_unit: 3,
    });
  });
});

describe('a swap with two legs on one side', () => {
  it('gives the first, and names the other', () => {
    const rows = mapped(
      '<edgarSubmission><headerData><submissionType>NPORT-P</submissionType></headerData><formData><invstOrSecs><invstOrSec><derivativeInfo><swapDeriv derivCat="SWP"><fixedRecDesc fixedOrFloating="Fixed"/><otherRecDesc fixedOrFloating="Other">x</otherRecDesc></swapDeriv></derivativeInfo></invstOrSec></invstOrSecs></formData></edgarSubmission>',
    );
    expect(rows.nport_swap_legs!.map((row) => row.kind)).toEqual(['Fixed']);
    expect(rows.form_problems!.map(({ reason, value }) => [reason, value])).toEqual([['repeated', 'otherRecDesc']]);
  });
});

describe('Form 144', () => {
  it('keeps dates that occur twice as two rows', () => {
    const rows = mapped(
      '<edgarSubmission><headerData><submissionType>144</submissionType></headerData><formData><noticeSignature><planAdoptionDates><planAdoptionDate>01/02/2025</planAdoptionDate><planAdoptionDate>01/02/2025</planAdoptionDate></planAdoptionDates></noticeSignature></formData></edgarSubmission>',
    );
    expect(rows.form144_plan_dates!.map(({ position, plan_adoption_date }) => [position, plan_adoption_date])).toEqual([
      [0, '2025-01-02'],
      [1, '2025-01-02'],
    ]);
  });
});

const LOOSE = { accessionNumber: null, filingDate: null, formType: null };

describe('a form without a mapping', () => {
  const reasons = (text: string) =>
    (mapped(text).form_problems ?? []).map(({ reason, value }) => `${reason}: ${value}`);
  const submission = (type: string, namespace = '') =>
    `<?xml version="1.0"?><edgarSubmission${namespace}><headerData><submissionType>${type}</submissionType></headerData></edgarSubmission>`;

  it('gives no row, and a problem that names its type, or its root', () => {
    expect(reasons(submission('1-A'))).toEqual(['no_mapping: 1-A']);
    expect(reasons(submission('N-MFP3', ' xmlns="http://www.sec.gov/edgar/nmfp"'))).toEqual(['no_mapping: N-MFP3']);
    expect(reasons('<edgarSubmission><formData/></edgarSubmission>')).toEqual(['no_mapping: edgarSubmission']);
    expect(reasons('<?xml version="1.0"?><assetData/>')).toEqual(['no_mapping: assetData']);
  });

  it('is not XBRL, a page of it, a web page or a text', () => {
    const xml = (root: string) => `<?xml version="1.0"?><${root}/>`;
    for (const root of [
      'xbrl',
      'link:linkbase',
      'xs:schema',
      'html',
      'InstanceReport',
      'FilingSummary',
      'xsl:stylesheet',
    ])
      expect(mapped(xml(root)), root).toEqual({});
    for (const text of ['not XML', '<xbrl/>']) expect(mapped(text), text).toEqual({});
    expect(rowsOf({ ...LOOSE, documents: [{ name: 'a.txt', type: null, text: () => '<PAGE>\n1' }] })).toEqual({});
  });

  it('is mapped if its type or its namespace is that of a mapped one, and is named', () => {
    const nport = ' xmlns="http://www.sec.gov/edgar/nport" xmlns:com="http://www.sec.gov/edgar/common"';
    for (const [type, namespace, table] of [
      ['NPORT-P3', '', 'nport_funds'],
      ['PORTFOLIO', nport, 'nport_funds'],
      ['ATS-N-C', '', 'atsn_reports'],
      ['13F-HR2', '', 'f13_reports'],
      ['N-PX-CR', '', 'npx_reports'],
      ['SCHEDULE 13G/B', '', 'beneficial_reports'],
    ] as const) {
      const rows = mapped(submission(type, namespace));
      expect(rows[table], type).toHaveLength(1);
      expect(
        rows.form_problems!.map(({ reason, value }) => `${reason}: ${value}`),
        type,
      ).toContain(`unlisted_type: ${type}`);
    }
    expect(reasons(submission('NPORT-P', nport))).not.toContainEqual(expect.stringContaining('unlisted'));
  });

  it('is requested in an export, if its type is that of a mapped one', () => {
    const documents = [{ filename: 'primary_doc.xml', type: 'NPORT-P3' }];
    expect(neededDocuments('NPORT-P3', documents)).toEqual(documents);
    for (const [form, group] of [
      ['NPORT-P3', 'nport'],
      ['NPORT-EX', null],
      ['13F-E', null],
      ['CORRESP', null],
      ['D', 'formd'],
      ['DEF 14A', null],
      ['4', 'ownership'],
      ['40-F', null],
    ])
      expect(groupOfForm(form!), form!).toBe(group);
  });
});

describe('a form that can not be read as it is', () => {
  const reasons = (text: string) =>
    (mapped(text).form_problems ?? []).map(({ reason, value }) => `${reason}: ${value}`.slice(0, 60));
  const form = '<ownershipDocument><documentType>4</documentType></ownershipDocument>';

  it('is named: entities of its own, UTF-16, a root in other letters, the wrapper of a submission', () => {
    expect(reasons(form)).toEqual([]);
    const entities = '<!DOCTYPE ownershipDocument [<!ENTITY a "b>"> <!-- > -->\n] >';
    expect(reasons(`<?xml version="1.0"?>${entities}${form}`)).toEqual([
      expect.stringContaining('malformed: a document type with declarations'),
    ]);
    for (const swapped of [false, true]) {
      const bytes = Buffer.from(`\uFEFF${form}`, 'utf16le');
      const { text } = decodeText(swapped ? bytes.swap16() : bytes);
      expect(reasons(text)).toEqual(['malformed: a text in UTF-16: convert it to UTF-8']);
    }
    expect(reasons(form.replaceAll('ownershipD', 'OwnershipD'))).toEqual(['no_mapping: OwnershipDocument']);
    expect(reasons(`<XML>\n<?xml version="1.0"?>${form}</XML>`)).toEqual([
      'no_mapping: XML',
      expect.stringContaining('malformed: not well-formed XML: an XML declaration'),
    ]);
  });

  it('is none of them: pages, taxonomies, texts', () => {
    for (const text of ['<!DOCTYPE html [ ]><html></html>', '<!DOCTYPE a', '<!DOCTYPE a [ ', '\xFF'])
      expect(mapped(text)).toEqual({});
  });
});
