/** Made-up documents of structured forms, shaped and sized like real ones. */

const head = '<?xml version="1.0" encoding="UTF-8"?>\n';

/** A Form 4 with ten transactions in each table and twelve footnotes, about 23 kB. */
export function form4(seed: number): string {
  const value = (name: string, text: string, note = '') => `<${name}>\n<value>${text}</value>${note}\n</${name}>\n`;
  const note = (k: number) => `<footnoteId id="F${k}"/>`;
  const amounts = (k: number) =>
    `<transactionAmounts>\n${value('transactionShares', String(100 + k * seed))}${value('transactionPricePerShare', `${k}.${seed % 100}`, note(k))}${value('transactionAcquiredDisposedCode', 'D')}</transactionAmounts>\n`;
  const after = `<postTransactionAmounts>\n${value('sharesOwnedFollowingTransaction', String(9000 + seed))}</postTransactionAmounts>\n<ownershipNature>\n${value('directOrIndirectOwnership', 'D')}</ownershipNature>\n`;
  const coding =
    '<transactionCoding>\n<transactionFormType>4</transactionFormType>\n<transactionCode>S</transactionCode>\n<equitySwapInvolved>0</equitySwapInvolved>\n</transactionCoding>\n';
  const plain = (k: number) =>
    `<nonDerivativeTransaction>\n${value('securityTitle', 'Common Stock')}${value('transactionDate', '2024-05-01')}${coding}${amounts(k)}${after}</nonDerivativeTransaction>\n`;
  const derived = (k: number) =>
    `<derivativeTransaction>\n${value('securityTitle', 'Stock Option')}${value('conversionOrExercisePrice', '12.50')}${value('transactionDate', '2024-05-01')}${coding}${amounts(k)}<exerciseDate>${note(1)}</exerciseDate>\n${value('expirationDate', '2030-01-01')}<underlyingSecurity>\n${value('underlyingSecurityTitle', 'Common Stock')}${value('underlyingSecurityShares', '100')}</underlyingSecurity>\n${after}</derivativeTransaction>\n`;
  const ten = Array.from({ length: 10 }, (_, k) => k + 1);
  const notes = Array.from(
    { length: 12 },
    (_, k) => `<footnote id="F${k + 1}">${'The price is a weighted average. '.repeat(8)}</footnote>\n`,
  );
  return `${head}<ownershipDocument>\n<schemaVersion>X0508</schemaVersion>\n<documentType>4</documentType>\n<periodOfReport>2024-05-01</periodOfReport>\n<issuer>\n<issuerCik>0000${seed}</issuerCik>\n<issuerName>Made Up &amp; Co.</issuerName>\n<issuerTradingSymbol>MADE</issuerTradingSymbol>\n</issuer>\n<reportingOwner>\n<reportingOwnerId>\n<rptOwnerCik>0001${seed}</rptOwnerCik>\n<rptOwnerName>Somebody</rptOwnerName>\n</reportingOwnerId>\n<reportingOwnerRelationship>\n<isDirector>1</isDirector>\n</reportingOwnerRelationship>\n</reportingOwner>\n<nonDerivativeTable>\n${ten.map(plain).join('')}</nonDerivativeTable>\n<derivativeTable>\n${ten.map(derived).join('')}</derivativeTable>\n<footnotes>\n${notes.join('')}</footnotes>\n<ownerSignature>\n<signatureName>/s/ Somebody</signatureName>\n<signatureDate>2024-05-02</signatureDate>\n</ownerSignature>\n</ownershipDocument>`;
}

export const form13f = `${head}<edgarSubmission><schemaVersion>X0202</schemaVersion><headerData><submissionType>13F-HR</submissionType><filerInfo><filer><credentials><cik>0000000001</cik></credentials></filer><periodOfReport>03-31-2024</periodOfReport></filerInfo></headerData><formData><coverPage><reportType>13F HOLDINGS REPORT</reportType></coverPage></formData></edgarSubmission>`;

export function informationTable(rows: number): string {
  const row = (k: number) =>
    `  <infoTable>\n    <nameOfIssuer>COMPANY NUMBER ${k % 6000} INC</nameOfIssuer>\n    <titleOfClass>COM</titleOfClass>\n    <cusip>${String(100000000 + k).slice(0, 9)}</cusip>\n    <value>${1000 + ((k * 7919) % 9973) * 1000}</value>\n    <shrsOrPrnAmt>\n      <sshPrnamt>${10 + (k % 997)}</sshPrnamt>\n      <sshPrnamtType>SH</sshPrnamtType>\n    </shrsOrPrnAmt>\n    <investmentDiscretion>DFND</investmentDiscretion>\n    <otherManager>1,2</otherManager>\n    <votingAuthority>\n      <Sole>${k % 997}</Sole>\n      <Shared>0</Shared>\n      <None>0</None>\n    </votingAuthority>\n  </infoTable>\n`;
  return `${head}<informationTable xmlns="http://www.sec.gov/edgar/document/thirteenf/informationtable">\n${Array.from({ length: rows }, (_, k) => row(k)).join('')}</informationTable>`;
}

export function nportOf(holdings: number): string {
  const holding = (k: number) =>
    `      <invstOrSec>\n        <name>Issuer ${k} PLC</name>\n        <lei>54930000000000000${String(k % 1000).padStart(3, '0')}</lei>\n        <title>Issuer ${k} 4.5% ${2030 + (k % 9)}</title>\n        <cusip>000000000</cusip>\n        <identifiers>\n          <isin value="US${String(1000000000 + k)}"/>\n        </identifiers>\n        <balance>${k}000.00</balance>\n        <units>PA</units>\n        <curCd>USD</curCd>\n        <valUSD>${k}123.45</valUSD>\n        <pctVal>0.0${k}</pctVal>\n        <payoffProfile>Long</payoffProfile>\n        <assetCat>DBT</assetCat>\n        <issuerCat>CORP</issuerCat>\n        <invCountry>US</invCountry>\n        <isRestrictedSec>N</isRestrictedSec>\n        <fairValLevel>2</fairValLevel>\n        <debtSec>\n          <maturityDt>2031-05-01</maturityDt>\n          <couponKind>Fixed</couponKind>\n          <annualizedRt>4.5</annualizedRt>\n          <isDefault>N</isDefault>\n          <areIntrstPmntsInArrs>N</areIntrstPmntsInArrs>\n          <isPaidKind>N</isPaidKind>\n        </debtSec>\n        <securityLending>\n          <isCashCollateral>N</isCashCollateral>\n          <isNonCashCollateral>N</isNonCashCollateral>\n          <isLoanByFund>N</isLoanByFund>\n        </securityLending>\n      </invstOrSec>\n`;
  return `${head}<edgarSubmission xmlns="http://www.sec.gov/edgar/nport"><headerData><submissionType>NPORT-P</submissionType></headerData><formData><genInfo><seriesName>Made Up Bonds</seriesName></genInfo><invstOrSecs>\n${Array.from({ length: holdings }, (_, k) => holding(k)).join('')}</invstOrSecs></formData></edgarSubmission>`;
}
