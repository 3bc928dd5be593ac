/** Names that SEC's transformations know: countries, states, provinces, stock exchanges. */
import type { Transformation } from './numbers.ts';

/** ISO's code, EDGAR's code (- if it has none), names. Parts in brackets may be missing; accents do not count. */
const COUNTRIES = `
AF B2 afghanistan; AX Y6 aland islands; AL B3 albania; DZ B4 algeria; AS B5 american samoa; AD B6 andorra; AO B7 angola; AI 1A anguilla; AQ B8 antarctica; AG B9 antigua and barbuda; AR C1 [[the ]republic of ]argentina; AM 1B armenia; AW 1C aruba; AU C3 australia; AT C4 austria; AZ 1D azerbaijan; BS C5 bahamas; BH C6 bahrain; BD C7 bangladesh; BB C8 barbados; BY 1F belarus; BE C9 belgium; BZ D1 belize; BJ G6 benin;
BM D0 bermuda; BT D2 bhutan; BO D3 bolivia; BQ - bonaire, sint eustatius and saba; BA 1E bosnia and herzegovina; BW B1 botswana; BV D4 bouvet island; BR D5 [[the ]federative republic of ]brasil|[[the ]federative republic of ]brazil; IO D6 british indian ocean territory; BN D9 brunei darussalam; BG E0 bulgaria; BF X2 burkina faso; BI E2 burundi; CV E8 cabo verde; KH E3 cambodia; CM E4 cameroon; CA Z4 canada;
KY E9 cayman islands; CF F0 central african republic; TD F2 chad; CL F3 chile; CN F4 [[the ]people[']s republic of ]china; CX F6 christmas island; CC F7 cocos [(keeling) ]islands; CO F8 [[the ]republic of ]colombia; KM F9 comoros; CD Y3 democratic republic of [the ]congo; CG G0 congo; CK G1 cook islands; CR G2 costa rica; CI L7 cote d'ivoire; HR 1M croatia; CU G3 cuba; CW - curacao; CY G4 cyprus;
CZ 2N czechia|czech republic; DK G7 [[the ]kingdom of ]denmark; DJ 1G djibouti; DM G9 dominica; DO G8 dominican republic; EC H1 ecuador; EG H2 egypt; SV H3 el salvador; GQ H4 equatorial guinea; ER 1J eritrea; EE 1H estonia; SZ - eswatini; ET H5 ethiopia; FK H7 [the ]falkland islands[ (malvinas)]|[islas ]malvinas[ islands]; FO H6 faroe islands; FJ H8 fiji; FI H9 finland; FR I0 france; GF I3 french guiana;
PF I4 french polynesia; TF 2C french southern territories; GA I5 gabon; GM I6 gambia; GE 2Q georgia; DE 2M germany; GH J0 ghana; GI J1 gibraltar; GR J3 greece; GL J4 greenland; GD J5 grenada; GP J6 guadeloupe; GU GU guam; GT J8 guatemala; GG Y7 guernsey; GN J9 guinea; GW S0 guinea-bissau; GY K0 guyana; HT K1 haiti; HM K4 heard island and mcdonald islands; VA X4 [the ]holy see|vatican city; HN K2 honduras;
HK K3 hong kong; HU K5 hungary; IS K6 iceland; IN K7 india; ID K8 indonesia; IR K9 [[the ]islamic republic of ]iran; IQ L0 iraq; IE L2 ireland; IM Y8 isle of man; IL L3 israel; IT L6 italy; JM L8 jamaica; JP M0 japan; JE Y9 jersey; JO M2 jordan; KZ 1P kazakhstan; KE M3 kenya; KI J2 kiribati; KP M4 north korea|democratic people[']s republic of korea; KR M5 south korea|republic of korea; KW M6 kuwait; KG 1N kyrgyzstan;
LA M7 lao people[']s democratic republic; LV 1R latvia; LB M8 lebanon; LS M9 lesotho; LR N0 liberia; LY N1 [[the ]state of ]libya; LI N2 liechtenstein; LT 1Q lithuania; LU N4 [[the ][grand ]duchy of ]luxembourg; MO N5 macao|macau; MG N6 madagascar; MW N7 malawi; MY N8 malaysia; MV N9 maldives; ML O0 mali; MT O1 malta; MH 1T [[the ]republic of [the ]]marshall islands; MQ O2 martinique; MR O3 mauritania; MU O4 mauritius;
YT 2P mayotte; MX O5 mexico|united mexican states; FM 1K [[the ]federated states of ]micronesia; MD 1S [[the ]republic of ]moldova; MC O9 monaco; MN P0 mongolia; ME Z5 montenegro; MS P1 montserrat; MA P2 morocco; MZ P3 mozambique; MM E1 myanmar; NA T6 namibia; NR P5 nauru; NP P6 nepal; NL P7 netherlands; NC 1W new caledonia; NZ Q2 new zealand; NI Q3 nicaragua; NE Q4 niger; NG Q5 nigeria; NU Q6 niue;
NF Q7 norfolk island; MK 1U [[the ]republic of ]north macedonia; MP 1V northern mariana islands; NO Q8 norway; OM P4 oman; PK R0 pakistan; PW 1Y palau; PS 1X [[the ]state of ]palestine; PA R1 panama; PG R2 papua new guinea; PY R4 paraguay; PE R5 peru; PH R6 philippines; PN R8 pitcairn; PL R9 poland; PT S1 portugal; PR PR puerto rico; QA S3 qatar; RE S4 reunion; RO S5 romania; RU 1Z russian federation; RW S6 rwanda;
BL Z0 saint barthelemy; SH U8 saint helena[, ascension[,] and tristan[ da cunha]]; KN U7 saint kitts and nevis; LC U9 saint lucia; MF Z1 saint martin; PM V0 saint pierre and miquelon; VC V1 saint vincent[ and [the ]grenadines]; WS Y0 samoa; SM S8 san marino; ST S9 sao tome and principe; SA T0 saudi arabia; SN T1 senegal; RS Z2 serbia; SC T2 seychelles; SL T8 sierra leone; SG U0 singapore; SX - sint maarten;
SK 2B slovakia; SI 2A slovenia; SB D7 solomon islands; SO U1 somalia; ZA T3 [[the ]republic of ]south africa; GS 1L south georgia and [the ]south sandwich islands; SS - south sudan; ES U3 [[the ]kingdom of ]spain|espana; LK F1 sri lanka; SD V2 sudan; SR V3 suriname; SJ L9 svalbard and jan mayen; SE V7 sweden; CH V8 switzerland; SY V9 syria[n arab republic]; TW F5 taiwan[[,] province of china]; TJ 2D tajikistan;
TZ W0 [[the ]united republic of ]tanzania; TH W1 thailand; TL Z3 timor-leste; TG W2 togo; TK W3 tokelau; TO W4 tonga; TT W5 trinidad and tobago; TN W6 tunisia; TR W8 turkey|turkiye; TM 2E turkmenistan; TC W7 turks and caicos islands; TV 2G tuvalu; UG W9 uganda; UA 2H ukraine; AE C0 uae|united arab emirates; GB X0 u[.]k[.]|[great ]britain|united kingdom[ of great britain and northern ireland]|england[ and wales];
UM 2J united states minor outlying islands; US X1 u[.]s[.]a[.]|united states[ of america]; UY X3 uruguay; UZ 2K uzbekistan; VU 2L vanuatu; VE X5 venezuela; VN Q1 viet nam; VG D8 british virgin islands; VI VI u[.]s[.] virgin islands; WF X8 wallis and futuna; EH U5 western sahara; YE T7 yemen; ZM Y4 zambia; ZW Y5 zimbabwe`;

/** Postal codes of states and provinces. */
const STATES = `
AL alabama; AK alaska; AZ arizona; AR arkansas; CA california; CO colorado; CT connecticut; DE delaware; FL florida; GA georgia; HI hawaii; ID idaho; IL illinois; IN indiana; IA iowa; KS kansas; KY kentucky; LA louisiana; ME maine; MD maryland; MA massachusetts; MI michigan; MN minnesota; MS mississippi; MO missouri; MT montana; NE nebraska; NV nevada; NH new hampshire; NJ new jersey; NM new mexico; NY new york;
NC north carolina; ND north dakota; OH ohio; OK oklahoma; OR oregon; PA pennsylvania; RI rhode island; SC south carolina; SD south dakota; TN tennessee; TX texas; UT utah; VT vermont; VA virginia; WA washington; WV west virginia; WI wisconsin; WY wyoming; DC district of columbia; AS [american ]samoa; GU guam; MP northern mariana islands; PR puerto rico; UM united states minor outlying islands; VI virgin islands, u.s.;
AB alberta; BC british columbia; MB manitoba; NB new brunswick; NL newfoundland[ and labrador]; NS nova scotia; NT northwest territories; NU nunavut; ON ontario; PE prince edward island; QC quebec; SK saskatchewan; YT yukon`;

/** EDGAR's codes that are not countries. */
const EDGAR_PLACES = `
A0 alberta[[,] canada]; A1 british columbia[[,] canada]; A2 manitoba[[,] canada]; A3 new brunswick[[,] canada]; A4 newfoundland[ and labrador][[,] canada]; A5 nova scotia[[,] canada]; A6 ontario[[,] canada]; A7 prince edward island[[,] canada]; A8 quebec[[,] canada]; A9 saskatchewan[[,] canada]; B0 yukon[[,] canada]; E8 cape verde; P8 netherlands antilles; V6 swaziland; 1U [[the ]republic of ]macedonia;
VI virgin islands, u[.]s[.]; VI u.[ ]s[.] virgin islands; D8 virgin islands[,] british; XX unknown`;

const EXCHANGES = `
BOX [the ]box exchange[[,] llc]; CboeBYX [the ]cboe byx exchange[[,] inc[.]]; CboeBZX [the ]cboe bzx exchange[[,] inc[.]]; C2 [the ]cboe c2 exchange[[,] inc[.]]; CboeEDGA [the ]cboe edga exchange[[,] inc[.]]; CboeEDGX [the ]cboe edgx exchange[[,] inc[.]]; CBOE [the ]cboe exchange[[,] inc[.]]; CHX [the ]chicago stock exchange[[,] inc[.]]; IEX [the ]investors exchange[[,] llc];
MIAX [the ]miami international securities exchange[[,] llc]; PEARL [the ]miax pearl[[,] llc]; BX [the ]nasdaq bx[[,] inc[.]]; GEMX [the ]nasdaq gemx[[,] llc]; ISE [the ]nasdaq ise[[,] llc]; MRX [the ]nasdaq mrx[[,] llc]; Phlx nasdaq phlx[[,] llc]; NYSE [the ]nyse|[the ]new york stock exchange[[,] llc]; NYSEAMER [the ]nyse american[[,] llc]; NYSEArca [the ]nyse arca[[,] inc[.]]; NYSENAT [the ]nyse national[[,] inc[.]];
NASDAQ [the ]nasdaq[ stock market[[,] llc]]|[the ]nasdaq global[ select] market[[,] llc]`;

/** `[the ]cook islands` as both names. */
function expanded(name: string): string[] {
  const optional = /\[([^[\]]*)\]/.exec(name);
  if (optional === null) return [name];
  const before = name.slice(0, optional.index);
  const after = name.slice(optional.index + optional[0].length);
  return [...expanded(before + after), ...expanded(before + optional[1]! + after)];
}

/** @param list `CODE name|name; CODE name` */
function codesByName(list: string): [string, string][] {
  return list
    .trim()
    .split(/;\s*/)
    .flatMap((entry) => {
      const code = entry.slice(0, entry.indexOf(' '));
      return entry
        .slice(code.length + 1)
        .split('|')
        .flatMap(expanded)
        .map((name): [string, string] => [name, code]);
    });
}

/** White space of XML is removed at the ends. Inside, any white space is a space. @param capitals names may be written in them */
function byName(codes: () => [string, string][], capitals = false): Transformation {
  let made: Map<string, string> | null = null;
  return (text) => {
    made ??= new Map(codes());
    const name = text.replace(/^[ \t\n\r]+|[ \t\n\r]+$/g, '');
    if (/^\s|\s$/.test(name) || (!capitals && /[A-Z]{4}/.test(name))) return null;
    const plain = name
      .replace(/\s+/g, ' ')
      .toLowerCase()
      .normalize('NFD')
      .replace(/\p{M}/gu, '')
      .replaceAll('\u2019', "'")
      .replace(/ [^\w ](keeling|malvinas)[^\w ]/, ' ($1)');
    return made.get(plain) ?? null;
  };
}

/** Countries by ISO's code or EDGAR's. */
function countries(place: 0 | 1): [string, string][] {
  const entry = place === 0 ? '$1$2' : '$1$3';
  return codesByName(COUNTRIES.trim().replace(/(^|;\s*)(\S+) (\S+)/g, entry)).filter(([, code]) => code !== '-');
}

export const PLACES: Readonly<Record<string, Transformation>> = {
  countrynameen: byName(() => countries(0)),
  edgarprovcountryen: byName(() => [...countries(1), ...codesByName(EDGAR_PLACES)]),
  exchnameen: byName(() => codesByName(EXCHANGES), true),
  stateprovnameen: byName(() => codesByName(STATES)),
};
