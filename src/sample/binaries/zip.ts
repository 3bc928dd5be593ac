/**
 * A small real ZIP archive, and a spreadsheet (xlsx), which is one too. Times are fixed, so that the same input gives the same
 * bytes.
 */
import { constants, crc32, deflateRawSync } from 'node:zlib';

const DOS_DATE = ((2020 - 1980) << 9) | (1 << 5) | 1;

export function zip(files: readonly { name: string; bytes: Buffer }[]): Buffer {
  const pieces: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const { name, bytes } of files) {
    // No search for matches, which differs between builds of zlib: the same input must give the same bytes everywhere.
    const packed = deflateRawSync(bytes, { strategy: constants.Z_HUFFMAN_ONLY });
    const fields = Buffer.alloc(26);
    fields.writeUInt16LE(20, 0);
    fields.writeUInt16LE(0, 2);
    fields.writeUInt16LE(8, 4);
    fields.writeUInt16LE(0, 6);
    fields.writeUInt16LE(DOS_DATE, 8);
    fields.writeUInt32LE(crc32(bytes), 10);
    fields.writeUInt32LE(packed.length, 14);
    fields.writeUInt32LE(bytes.length, 18);
    fields.writeUInt16LE(name.length, 22);
    const local = Buffer.concat([Buffer.from('PK\x03\x04', 'latin1'), fields, Buffer.from(name, 'latin1'), packed]);
    const tail = Buffer.alloc(14);
    tail.writeUInt32LE(offset, 10);
    directory.push(
      Buffer.concat([Buffer.from('PK\x01\x02\x14\x00', 'latin1'), fields, tail, Buffer.from(name, 'latin1')]),
    );
    pieces.push(local);
    offset += local.length;
  }
  const central = Buffer.concat(directory);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(files.length, 4);
  end.writeUInt16LE(files.length, 6);
  end.writeUInt32LE(central.length, 8);
  end.writeUInt32LE(offset, 12);
  return Buffer.concat([...pieces, central, Buffer.from('PK\x05\x06', 'latin1'), end]);
}

const escapeXml = (text: string) => text.replace(/&/g, '&amp;').replace(/</g, '&lt;');

/** A workbook of one sheet. */
export function workbook(rows: readonly (readonly (string | number)[])[]): Buffer {
  const cells = rows
    .map(
      (row) =>
        `<row>${row.map((v) => (typeof v === 'number' ? `<c><v>${v}</v></c>` : `<c t="inlineStr"><is><t>${escapeXml(v)}</t></is></c>`)).join('')}</row>`,
    )
    .join('');
  const xml = (name: string, text: string) => ({
    name,
    bytes: Buffer.from(`<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n${text}`, 'latin1'),
  });
  const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
  const relations = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
  const packages = 'http://schemas.openxmlformats.org/package/2006';
  return zip([
    xml(
      '[Content_Types].xml',
      `<Types xmlns="${packages}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/xl/workbook.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml"/></Types>`,
    ),
    xml(
      '_rels/.rels',
      `<Relationships xmlns="${packages}/relationships"><Relationship Id="rId1" Type="${relations}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
    ),
    xml(
      'xl/workbook.xml',
      `<workbook xmlns="${main}" xmlns:r="${relations}"><sheets><sheet name="Statements" sheetId="1" r:id="rId1"/></sheets></workbook>`,
    ),
    xml(
      'xl/_rels/workbook.xml.rels',
      `<Relationships xmlns="${packages}/relationships"><Relationship Id="rId1" Type="${relations}/worksheet" Target="worksheets/sheet1.xml"/></Relationships>`,
    ),
    xml('xl/worksheets/sheet1.xml', `<worksheet xmlns="${main}"><sheetData>${cells}</sheetData></worksheet>`),
  ]);
}
