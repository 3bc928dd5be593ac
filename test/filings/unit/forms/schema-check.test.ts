import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { checkSchema } from '../../../../src/filings/forms/index.ts';
import { commandLine } from '../../../support/command-line.ts';
import { temporaryFolder } from '../../../support/lake/temporary-folder.ts';

const SCHEMA = `<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema">
  <xs:include schemaLocation="common.xsd"/>
  <xs:element name="edgarSubmission"><xs:complexType><xs:sequence>
    <xs:element name="schemaVersion" type="xs:string"/>
    <xs:element name="primaryIssuer" type="ISSUER"/>
    <xs:element ref="afterthought"/>
  </xs:sequence></xs:complexType></xs:element>
  <xs:element name="afterthought"><xs:complexType><xs:simpleContent><xs:extension base="xs:string">
    <xs:attribute name="since"/>
  </xs:extension></xs:simpleContent></xs:complexType></xs:element>
</xs:schema>`;
const COMMON = `<s:schema xmlns:s="http://www.w3.org/2001/XMLSchema">
  <s:complexType name="PARTY"><s:sequence><s:element name="cik"/><s:element name="favouriteColour"/></s:sequence></s:complexType>
  <s:complexType name="ISSUER"><s:complexContent><s:extension base="PARTY"><s:choice>
    <s:element name="entityName" type="s:string"/><s:group ref="OTHER"/>
  </s:choice></s:extension></s:complexContent></s:complexType>
  <s:group name="OTHER"><s:sequence><s:element name="parent" type="ISSUER"/></s:sequence></s:group>
</s:schema>`;

const named = (...texts: string[]) => texts.map((text, k) => ({ name: `${k}.xsd`, text }));

describe('the check of a schema', () => {
  it('says which leaves no table reads: through includes, references, groups, extensions and types in themselves', () => {
    expect(checkSchema(named(SCHEMA, COMMON), 'D')!.unread).toEqual([
      'edgarSubmission/afterthought',
      'edgarSubmission/afterthought/@since',
      'edgarSubmission/primaryIssuer/favouriteColour',
    ]);
  });

  it('says which paths of the mapping no version has', () => {
    const { form, absent } = checkSchema(named(SCHEMA, COMMON), 'D')!;
    expect(form).toBe('formd');
    expect(absent).toContain('edgarSubmission/primaryIssuer/jurisdictionOfInc');
    expect(absent).not.toContain('edgarSubmission/primaryIssuer/entityName');
    const later = COMMON.replace('favouriteColour', 'jurisdictionOfInc');
    expect(checkSchema(named(SCHEMA, COMMON, later), 'D')!.absent).not.toContain(
      'edgarSubmission/primaryIssuer/jurisdictionOfInc',
    );
  });

  it('names a file that is not XML', () => {
    expect(() => checkSchema(named(SCHEMA, '<a>'), 'D')).toThrow(/1\.xsd is not well-formed XML/);
  });

  it('is printed by the command, and needs a form', async () => {
    const folder = temporaryFolder();
    const files = [SCHEMA, COMMON].map((text, k) => {
      writeFileSync(join(folder, `${k}.xsd`), text);
      return join(folder, `${k}.xsd`);
    });
    const printed = await commandLine(['map', '--json', '--form', 'D', '--schema', ...files]);
    expect(printed.stdout).toContain(
      '{"form":"formd","is":"unread","path":"edgarSubmission/primaryIssuer/favouriteColour"}',
    );
    expect((await commandLine(['map', '--schema', ...files])).status).not.toBe(0);
    expect((await commandLine(['map', '--form', 'NO-FORM', '--schema', ...files])).stderr).toContain('NO-FORM');
  });
});
