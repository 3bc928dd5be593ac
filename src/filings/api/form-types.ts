/** Names of EDGAR's form types, to find misspelt ones. A name that is missing here is not an error. */
import { nearestWord } from '../../core/index.ts';

/** Without the amendment mark: each may have `/A`. Current and former forms, spelled as in EDGAR's indexes. */
const FORM_TYPES: readonly string[] = `
1|1-A|1-A POS|1-A-W|1-E|1-K|1-N|1-SA|1-U|1-Z|2-A|2-AF|2-E|3|4|5|6-K|6B NTC|8-A12B|8-A12G|8-B12B|8-B12G|8-K|8-K12B|8-K12G3|8-K15D5|8-M|8A12BEF|8F-2 NTC|8F-2 ORDR|9-M|10-12B|10-12G|10-C|10-D|10-K|10-K405|10-KSB|10-KSB40|10-KT|10-KT405|10-M|10-Q|10-QSB|10-QT|10KSB|10KSB40|10KT405|10QSB|10SB12B|10SB12G|11-K|11-KT|12G3-2B|13F-E|13F-HR|13F-NT|13FCONP|13H|13H-Q|13H-A|13H-I|13H-R|13H-T|13HA|144|15-12B|15-12G|15-15D|15F-12B|15F-12G|15F-15D|18-12B
18-12G|18-K|19B-4E|20-F|20FR12B|20FR12G|24F-2NT|24F-2EL|24F-2TM|25|25-NSE|253G1|253G2|253G3|253G4|305B2|34-12H|34-36MRF|35-APP|35-CERT|39-304D|39-310B|40-17F1|40-17F2|40-17G|40-17GCS|40-202A|40-203A|40-206A|40-24B2|40-33|40-6B|40-6C|40-8B25|40-8F-2|40-8F-A|40-8F-B|40-8F-L|40-8F-M|40-APP|40-F|40-OIP|40-RPT|40FR12B|40FR12G|424A|424B1|424B2|424B3|424B4|424B5|424B6|424B7|424B8|424H|424I|425|45B-3|485A24E|485A24F|485APOS|485B24E|485B24F
485BPOS|485BXT|485BXTF|486APOS|486BPOS|486BXT|487|497|497AD|497H2|497J|497K|497K1|497K2|497K3A|497K3B|497VPI|497VPU|ABS-15G|ABS-EE|ADB|ADN-MTL|ADV-E|ADV-H-C|ADV-H-T|ADV-NR|AFDB|ANNLRPT|APP NTC|APP ORDR|APP WD|APP WDG|ARS|ATS-N|ATS-N-C|ATS-N-W|ATS-N/CA|ATS-N/MA|ATS-N/OFA|ATS-N/UA|AW|AW WD|BDCO|BW-2|BW-3|C|C-AR|C-AR-W|C-TR|C-TR-W|C-U|C-U-W|C-W|CB|CERT|CERTAMX|CERTARCA|CERTBATS|CERTBSE|CERTCBO|CERTCSE|CERTNAS|CERTNYS|CERTPAC|CERTPBS
CERTPHLX|CFPORTAL|CFPORTAL-W|CORRESP|CT ORDER|D|DEF 14A|DEF 14C|DEF13E3|DEFA14A|DEFA14C|DEFC14A|DEFC14C|DEFM14A|DEFM14C|DEFN14A|DEFR14A|DEFR14C|DEFS14A|DEFS14C|DEL AM|DFAN14A|DFRN14A|DOS|DOSLTR|DRS|DRSLTR|DSTRBRPT|EBRD|EFFECT|F-1|F-10|F-10EF|F-10POS|F-1MEF|F-2|F-2D|F-2DPOS|F-2MEF|F-3|F-3ASR|F-3D|F-3DPOS|F-3MEF|F-4|F-4 POS|F-4EF|F-4MEF|F-6|F-6 POS|F-6EF|F-7|F-7 POS|F-8|F-8 POS|F-80|F-80POS|F-9|F-9 POS|F-9EF|F-N|F-X|FOCUSN|FWP|G-405|G-405N
G-FIN|G-FINW|IADB|ID-NEWCIK|IFC|IRANNOTICE|LETTER|LTR|MA|MA-A|MA-I|MA-W|MSD|MSDCO|MSDW|N-1|N-14|N-14 8C|N-14AE|N-14EL24|N-14MEF|N-18F1|N-1A|N-1A EL|N-2|N-2 POSASR|N-2ASR|N-2MEF|N-23C-1|N-23C-2|N-23C3A|N-23C3B|N-23C3C|N-27D-1|N-27E-1|N-27F-1|N-3|N-3 EL|N-30B-2|N-30D|N-4|N-4 EL|N-5|N-54A|N-54C|N-6|N-6F|N-8A|N-8B-2|N-8B-3|N-8B-4|N-8F|N-8F NTC|N-8F ORDR|N-CEN|N-CR|N-CSR|N-CSRS|N-LIQUID|N-MFP|N-MFP1|N-MFP2|N-MFP3|N-PX|N-PX-CR|N-PX-FM|N-PX-NT
N-PX-VR|N-Q|N-RN|N-VP|N-VPFS|NO ACT|NPORT-EX|NPORT-NP|NPORT-P|NRSRO-CE|NRSRO-UPD|NSAR-A|NSAR-AT|NSAR-B|NSAR-BT|NSAR-U|NT 10-D|NT 10-K|NT 10-Q|NT 11-K|NT 15D2|NT 20-F|NT N-MFP|NT-NCEN|NT-NCSR|NT-NPORT-EX|NT-NPORT-P|NT-NSAR|NTFNCEN|NTFNCSR|NTFNSAR|NTN 10D|NTN 10K|NTN 10Q|NTN 11K|NTN 20F|NTN15D2|OIP NTC|OIP ORDR|POS 8C|POS AM|POS AMC|POS AMI|POS EX|POS462B|POS462C|POSASR|PRE 14A|PRE 14C|PRE13E3|PREA14A|PREA14C|PREC14A|PREC14C|PREM14A
PREM14C|PREN14A|PRER14A|PRER14C|PRES14A|PRES14C|PRRN14A|PX14A6G|PX14A6N|QRTLYRPT|QUALIF|REG-NR|REGDEX|REVOKED|RW|RW WD|S-1|S-11|S-11MEF|S-1MEF|S-2|S-20|S-2MEF|S-3|S-3ASR|S-3D|S-3DPOS|S-3MEF|S-4|S-4 POS|S-4EF|S-4MEF|S-6|S-6EL24|S-8|S-8 POS|S-B|S-BMEF|SB-1|SB-1MEF|SB-2|SB-2MEF|SBSE|SBSE-A|SBSE-BD|SBSE-C|SBSE-CCO-RPT|SBSE-W|SBSEF|SC 13D|SC 13E1|SC 13E3|SC 13E4|SC 13G|SC 14D1|SC 14D9|SC 14F1|SC 14N|SC 14N-S|SC TO-C|SC TO-I|SC TO-T|SC13E4F
SC14D1F|SC14D9C|SC14D9F|SCHEDULE 13D|SCHEDULE 13G|SD|SDR|SDR-CCO|SEC ACTION|SEC STAFF ACTION|SEC STAFF LETTER|SF-1|SF-3|SL|SP 15D2|STOP ORDER|SUPPL|T-3|T-6|T-7|TA-1|TA-2|TA-W|TACO|TH|TTW|U-1|U-12-IA|U-12-IB|U-13-1|U-13-60|U-13E-1|U-33-S|U-3A-2|U-3A3-1|U-57|U-6B-2|U-7D|U-9C-3|U-R-1|U5A|U5B|U5S|UNDER|UPLOAD|WDL-REQ|X-17A-5
`
  .trim()
  .split(/[|\n]/);

const KNOWN = new Set(FORM_TYPES);
const BY_LETTERS = new Map(FORM_TYPES.toReversed().map((form) => [letters(form), form]));

function letters(form: string): string {
  return form.toUpperCase().replace(/[^A-Z0-9]/g, '');
}

/**
 * The form type that an unknown name probably means: `10K` means `10-K`, `DEF14A` means `DEF 14A`. Null if the name is one of
 * EDGAR's (in any case, with or without `/A`), or if none is near it.
 */
export function meantFormType(given: string): string | null {
  const name = given.trim().toUpperCase();
  const base = name.replace(/\s*\/\s*A$/, '');
  if (KNOWN.has(name) || KNOWN.has(base)) return null;
  const mark = base === name ? '' : '/A';
  // 13D and TO-T are schedules: SC 13D, SC TO-T.
  const spelt = BY_LETTERS.get(letters(base)) ?? BY_LETTERS.get(`SC${letters(base)}`);
  if (spelt !== undefined) return `${spelt}${mark}`;
  const amended = mark === '' && name.endsWith('A') ? BY_LETTERS.get(letters(name.slice(0, -1))) : undefined;
  if (amended !== undefined) return `${amended}/A`;
  // A short name is near every other one.
  const near = base.length >= 4 ? nearestWord(base, FORM_TYPES) : null;
  return near === null ? null : `${near}${mark}`;
}

/** Letters before the star of a family: fewer would name half of EDGAR. */
const FAMILY_LETTERS = 3;

/** `10-K*` */
export function isFormFamily(given: string): boolean {
  return given.trim().endsWith('*');
}

/**
 * The form types of a family, with their amendments: `10-K*` is 10-K, 10-K405, 10-KSB, 10-KT ... A dash doesn't count, since EDGAR has 10KSB besides
 * 10-KSB. Empty if there are none.
 */
export function formsOfFamily(given: string): string[] {
  const start = given.trim().toUpperCase().slice(0, -1);
  const plain = letters(start);
  if (plain.length < FAMILY_LETTERS) return [];
  const has = (form: string) =>
    form.startsWith(start) || (start.includes('-') && !form.includes('-') && letters(form).startsWith(plain));
  return FORM_TYPES.filter(has).flatMap((form) => [form, `${form}/A`]);
}

/** Forms under which the same reports were filed until 2009, by the form of today. */
const FORMER_KIN: Readonly<Record<string, readonly string[]>> = {
  '10-K': ['10-K405', '10-KSB', '10-KT'],
  '10-Q': ['10-QSB', '10-QT'],
};

/** Forms of a named form's family, filed until 2009, that a list lacks. Empty if the list has some of them, or lacks the form itself. */
export function kinLeftOut(forms: readonly string[], form: '10-K' | '10-Q'): readonly string[] {
  const named = new Set(forms.map((one) => one.trim().toUpperCase()));
  const kin = FORMER_KIN[form]!;
  return !named.has(form) || kin.some((one) => named.has(one)) ? [] : kin;
}
