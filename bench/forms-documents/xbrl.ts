/**
 * Made-up XBRL reports, shaped and sized as real ones: 1,400 bytes and 20 tags of a web page for each fact, a context for every second.
 * Like EDGAR's documents, they have ASCII only.
 */

const NAMESPACES =
  'xmlns:ix="http://www.xbrl.org/2013/inlineXBRL" xmlns:ixt="http://www.xbrl.org/inlineXBRL/transformation/2020-02-12" xmlns:xbrli="http://www.xbrl.org/2003/instance" xmlns:xbrldi="http://xbrl.org/2006/xbrldi" xmlns:iso4217="http://www.xbrl.org/2003/iso4217" xmlns:us-gaap="http://fasb.org/us-gaap/2024" xmlns:made="http://made.example/20241231" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"';
const CELL = 'padding:2px 1pt;text-align:right;vertical-align:bottom;background-color:#cceeff';
const FONT = "color:#000000;font-family:'Times New Roman',sans-serif;font-size:10pt;font-weight:400;line-height:120%";

const context = (k: number) =>
  `<xbrli:context id="c-${k}"><xbrli:entity><xbrli:identifier scheme="http://www.sec.gov/CIK">0000000001</xbrli:identifier>${k % 3 === 0 ? '' : `<xbrli:segment><xbrldi:explicitMember dimension="us-gaap:StatementBusinessSegmentsAxis">made:Segment${k}Member</xbrldi:explicitMember></xbrli:segment>`}</xbrli:entity><xbrli:period><xbrli:startDate>2024-01-01</xbrli:startDate><xbrli:endDate>2024-12-31</xbrli:endDate></xbrli:period></xbrli:context>\n`;
const UNIT = '<xbrli:unit id="usd"><xbrli:measure>iso4217:USD</xbrli:measure></xbrli:unit>';

const contexts = (facts: number) =>
  Array.from({ length: Math.max(1, facts >> 1) }, (_, k) => context(k)).join('') + UNIT;

const money = (k: number) => (1000 + ((k * 7919) % 99_991)).toLocaleString('en-US');

function line(k: number, facts: number): string {
  const empty = `<td style="${CELL}"></td>`.repeat(4);
  const number = `<ix:nonFraction unitRef="usd" contextRef="c-${k % Math.max(1, facts >> 1)}" decimals="-6" name="us-gaap:Concept${k % 400}Value" format="ixt:num-dot-decimal" scale="6" id="f-${k}"${k % 9 === 0 ? ' sign="-"' : ''}>${money(k)}</ix:nonFraction>`;
  return `<tr><td colspan="3" style="${CELL}"><span style="${FONT}">Line ${k} &#8212; described in words</span></td>${empty}<td style="${CELL}"><span style="${FONT}">$</span></td><td style="${CELL}"><span style="${FONT}">${number}</span></td></tr>\n`;
}

function block(k: number, lines: string): string {
  const start = `<ix:nonNumeric contextRef="c-0" name="us-gaap:Note${k}TextBlock" id="b-${k}" escape="true" continuedAt="b-${k}-1">`;
  return `${start}<div><span style="${FONT}">Note ${k} of the statements, &amp; more</span></div></ix:nonNumeric><div>page ${k}</div><ix:continuation id="b-${k}-1"><table>\n${lines}</table></ix:continuation>\n`;
}

/** An inline report. */
export function inlineReport(facts: number): string {
  const blocks: string[] = [];
  for (let k = 0; k < facts; k += 40) {
    const lines = Array.from({ length: Math.min(40, facts - k) - 1 }, (_, i) => line(k + i, facts)).join('');
    blocks.push(block(k, lines));
  }
  return `<?xml version='1.0' encoding='UTF-8'?>\n<html xmlns="http://www.w3.org/1999/xhtml" ${NAMESPACES} xml:lang="en-US"><head><title>made</title></head><body><div style="display:none"><ix:header><ix:resources>${contexts(facts)}</ix:resources></ix:header></div>\n${blocks.join('')}</body></html>`;
}

/** An instance of the years before. */
export function instanceReport(facts: number): string {
  const fact = (k: number) =>
    k % 40 === 0
      ? `<us-gaap:Note${k}TextBlock contextRef="c-0">${`&lt;div style="${FONT}"&gt;Words &amp;amp; more&lt;/div&gt;`.repeat(100)}</us-gaap:Note${k}TextBlock>\n`
      : `<us-gaap:Concept${k % 400}Value contextRef="c-${k % Math.max(1, facts >> 1)}" unitRef="usd" decimals="-6" id="f-${k}">${(1000 + k) * 1_000_000}</us-gaap:Concept${k % 400}Value>\n`;
  return `<?xml version="1.0" encoding="UTF-8"?>\n<xbrli:xbrl ${NAMESPACES}>${contexts(facts)}${Array.from({ length: facts }, (_, k) => fact(k)).join('')}</xbrli:xbrl>`;
}
