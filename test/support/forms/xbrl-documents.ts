/** Small XBRL documents made by hand. */

const NAMESPACES = [
  'xmlns="http://www.w3.org/1999/xhtml"',
  'xmlns:ix="http://www.xbrl.org/2013/inlineXBRL"',
  'xmlns:ixt="http://www.xbrl.org/inlineXBRL/transformation/2020-02-12"',
  'xmlns:ixt3="http://www.xbrl.org/inlineXBRL/transformation/2015-02-26"',
  'xmlns:ixt-sec="http://www.sec.gov/inlineXBRL/transformation/2015-08-31"',
  'xmlns:xbrli="http://www.xbrl.org/2003/instance"',
  'xmlns:xbrldi="http://xbrl.org/2006/xbrldi"',
  'xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"',
  'xmlns:link="http://www.xbrl.org/2003/linkbase"',
  'xmlns:xlink="http://www.w3.org/1999/xlink"',
  'xmlns:iso4217="http://www.xbrl.org/2003/iso4217"',
  'xmlns:gaap="http://fasb.org/us-gaap/2024"',
  'xmlns:dei="http://xbrl.sec.gov/dei/2024"',
  'xmlns:MARA="http://www.mara.example/20241231"',
].join(' ');

export const CONTEXTS = `
<xbrli:context id="year"><xbrli:entity><xbrli:identifier scheme="http://www.sec.gov/CIK">0000320193</xbrli:identifier></xbrli:entity>
<xbrli:period><xbrli:startDate>2024-01-01</xbrli:startDate><xbrli:endDate>2025-01-01T00:00:00</xbrli:endDate></xbrli:period></xbrli:context>
<xbrli:context id="day"><xbrli:entity><xbrli:identifier scheme="http://www.sec.gov/CIK">0000320193</xbrli:identifier>
<xbrli:segment><xbrldi:explicitMember dimension="gaap:StatementClassOfStockAxis"> MARA:Big.Member </xbrldi:explicitMember></xbrli:segment></xbrli:entity>
<xbrli:period><xbrli:instant>2024-12-31</xbrli:instant></xbrli:period>
<xbrli:scenario><xbrldi:typedMember dimension="MARA:StartAxis"><MARA:Start>2025
  January</MARA:Start></xbrldi:typedMember><xbrldi:typedMember dimension="MARA:EndAxis"><MARA:End xsi:nil="true"/></xbrldi:typedMember></xbrli:scenario></xbrli:context>`;

export const UNITS = `
<xbrli:unit id="usd"><xbrli:measure>iso4217:USD</xbrli:measure></xbrli:unit>
<xbrli:unit id="per"><xbrli:divide><xbrli:unitNumerator><xbrli:measure>iso4217:USD</xbrli:measure></xbrli:unitNumerator><xbrli:unitDenominator><xbrli:measure>xbrli:shares</xbrli:measure></xbrli:unitDenominator></xbrli:divide></xbrli:unit>
<xbrli:unit id="area"><xbrli:measure>MARA:foot</xbrli:measure><xbrli:measure>MARA:foot</xbrli:measure></xbrli:unit>`;

interface InlineParts {
  hidden?: string;
  contexts?: string;
  units?: string;
  resources?: string;
}

export function inlineDocument(
  body: string,
  { hidden = '', contexts = CONTEXTS, units = UNITS, resources = '' }: InlineParts = {},
): string {
  return `<?xml version="1.0" encoding="UTF-8"?>
<html ${NAMESPACES} xml:lang="en-US"><head><title>x</title></head><body><div style="display:none"><ix:header><ix:hidden>${hidden}</ix:hidden>
<ix:references><link:schemaRef xlink:type="simple" xlink:href="x.xsd"/></ix:references><ix:resources>${contexts}${units}${resources}</ix:resources></ix:header></div>
${body}</body></html>`;
}

export function instance(body: string): string {
  return `<?xml version="1.0"?>
<xbrl ${NAMESPACES.replace('xmlns="http://www.w3.org/1999/xhtml"', 'xmlns="http://www.xbrl.org/2003/instance"')}>${CONTEXTS.replaceAll('xbrli:', '')}${UNITS}${body}</xbrl>`;
}
