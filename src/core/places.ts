/**
 * EDGAR's codes of states, provinces and countries: the letters of the US Postal Service, and EDGAR's own codes elsewhere. Headers give
 * codes without names. The list changes once in years.
 */
type Place = readonly [code: string, name: string, country: string | null];

/** Code, the country's ISO 3166 code, name; `-`: no country. */
const LIST = `
AL US Alabama; AK US Alaska; AZ US Arizona; AR US Arkansas; CA US California; CO US Colorado;
CT US Connecticut; DE US Delaware; DC US District of Columbia; FL US Florida; GA US Georgia; HI US Hawaii;
ID US Idaho; IL US Illinois; IN US Indiana; IA US Iowa; KS US Kansas; KY US Kentucky; LA US Louisiana;
ME US Maine; MD US Maryland; MA US Massachusetts; MI US Michigan; MN US Minnesota; MS US Mississippi;
MO US Missouri; MT US Montana; NE US Nebraska; NV US Nevada; NH US New Hampshire; NJ US New Jersey;
NM US New Mexico; NY US New York; NC US North Carolina; ND US North Dakota; OH US Ohio; OK US Oklahoma;
OR US Oregon; PA US Pennsylvania; RI US Rhode Island; SC US South Carolina; SD US South Dakota;
TN US Tennessee; TX US Texas; UT US Utah; VT US Vermont; VA US Virginia; WA US Washington;
WV US West Virginia; WI US Wisconsin; WY US Wyoming; GU GU Guam; PR PR Puerto Rico;
VI VI U.S. Virgin Islands; X1 US United States; A0 CA Alberta; A1 CA British Columbia; A2 CA Manitoba;
A3 CA New Brunswick; A4 CA Newfoundland and Labrador; A5 CA Nova Scotia; A6 CA Ontario;
A7 CA Prince Edward Island; A8 CA Quebec; A9 CA Saskatchewan; B0 CA Yukon; Z4 CA Canada; B2 AF Afghanistan;
Y6 AX Åland Islands; B3 AL Albania; B4 DZ Algeria; B5 AS American Samoa; B6 AD Andorra; B7 AO Angola;
1A AI Anguilla; B8 AQ Antarctica; B9 AG Antigua and Barbuda; C1 AR Argentina; 1B AM Armenia; 1C AW Aruba;
C3 AU Australia; C4 AT Austria; 1D AZ Azerbaijan; C5 BS Bahamas; C6 BH Bahrain; C7 BD Bangladesh;
C8 BB Barbados; 1F BY Belarus; C9 BE Belgium; D1 BZ Belize; G6 BJ Benin; D0 BM Bermuda; D2 BT Bhutan;
D3 BO Bolivia; 1E BA Bosnia and Herzegovina; B1 BW Botswana; D4 BV Bouvet Island; D5 BR Brazil;
D6 IO British Indian Ocean Territory; D9 BN Brunei; E0 BG Bulgaria; X2 BF Burkina Faso; E2 BI Burundi;
E3 KH Cambodia; E4 CM Cameroon; E8 CV Cabo Verde; E9 KY Cayman Islands; F0 CF Central African Republic;
F2 TD Chad; F3 CL Chile; F4 CN China; F6 CX Christmas Island; F7 CC Cocos (Keeling) Islands; F8 CO Colombia;
F9 KM Comoros; G0 CG Congo; Y3 CD Congo, Democratic Republic; G1 CK Cook Islands; G2 CR Costa Rica;
L7 CI Côte d'Ivoire; 1M HR Croatia; G3 CU Cuba; G4 CY Cyprus; 2N CZ Czech Republic; G7 DK Denmark;
1G DJ Djibouti; G9 DM Dominica; G8 DO Dominican Republic; H1 EC Ecuador; H2 EG Egypt; H3 SV El Salvador;
H4 GQ Equatorial Guinea; 1J ER Eritrea; 1H EE Estonia; H5 ET Ethiopia; H7 FK Falkland Islands;
H6 FO Faroe Islands; H8 FJ Fiji; H9 FI Finland; I0 FR France; I3 GF French Guiana; I4 PF French Polynesia;
2C TF French Southern Territories; I5 GA Gabon; I6 GM Gambia; 2Q GE Georgia; 2M DE Germany; J0 GH Ghana;
J1 GI Gibraltar; J3 GR Greece; J4 GL Greenland; J5 GD Grenada; J6 GP Guadeloupe; J8 GT Guatemala;
Y7 GG Guernsey; J9 GN Guinea; S0 GW Guinea-Bissau; K0 GY Guyana; K1 HT Haiti;
K4 HM Heard and McDonald Islands; X4 VA Vatican City; K2 HN Honduras; K3 HK Hong Kong; K5 HU Hungary;
K6 IS Iceland; K7 IN India; K8 ID Indonesia; K9 IR Iran; L0 IQ Iraq; L2 IE Ireland; Y8 IM Isle of Man;
L3 IL Israel; L6 IT Italy; L8 JM Jamaica; M0 JP Japan; Y9 JE Jersey; M2 JO Jordan; 1P KZ Kazakhstan;
M3 KE Kenya; J2 KI Kiribati; M4 KP North Korea; M5 KR South Korea; M6 KW Kuwait; 1N KG Kyrgyzstan;
M7 LA Laos; 1R LV Latvia; M8 LB Lebanon; M9 LS Lesotho; N0 LR Liberia; N1 LY Libya; N2 LI Liechtenstein;
1Q LT Lithuania; N4 LU Luxembourg; N5 MO Macao; 1U MK North Macedonia; N6 MG Madagascar; N7 MW Malawi;
N8 MY Malaysia; N9 MV Maldives; O0 ML Mali; O1 MT Malta; 1T MH Marshall Islands; O2 MQ Martinique;
O3 MR Mauritania; O4 MU Mauritius; 2P YT Mayotte; O5 MX Mexico; 1K FM Micronesia; 1S MD Moldova;
O9 MC Monaco; P0 MN Mongolia; Z5 ME Montenegro; P1 MS Montserrat; P2 MA Morocco; P3 MZ Mozambique;
E1 MM Myanmar; T6 NA Namibia; P5 NR Nauru; P6 NP Nepal; P7 NL Netherlands; P8 AN Netherlands Antilles;
1W NC New Caledonia; Q2 NZ New Zealand; Q3 NI Nicaragua; Q4 NE Niger; Q5 NG Nigeria; Q6 NU Niue;
Q7 NF Norfolk Island; 1V MP Northern Mariana Islands; Q8 NO Norway; P4 OM Oman; R0 PK Pakistan; 1Y PW Palau;
1X PS Palestinian Territory; R1 PA Panama; R2 PG Papua New Guinea; R4 PY Paraguay; R5 PE Peru;
R6 PH Philippines; R8 PN Pitcairn; R9 PL Poland; S1 PT Portugal; S3 QA Qatar; S4 RE Réunion; S5 RO Romania;
1Z RU Russia; S6 RW Rwanda; Z0 BL Saint Barthélemy; U8 SH Saint Helena; U7 KN Saint Kitts and Nevis;
U9 LC Saint Lucia; Z1 MF Saint Martin; V0 PM Saint Pierre and Miquelon;
V1 VC Saint Vincent and the Grenadines; Y0 WS Samoa; S8 SM San Marino; S9 ST São Tomé and Príncipe;
T0 SA Saudi Arabia; T1 SN Senegal; Z2 RS Serbia; T2 SC Seychelles; T8 SL Sierra Leone; U0 SG Singapore;
2B SK Slovakia; 2A SI Slovenia; D7 SB Solomon Islands; U1 SO Somalia; T3 ZA South Africa;
1L GS South Georgia and the South Sandwich Islands; U3 ES Spain; F1 LK Sri Lanka; V2 SD Sudan;
V3 SR Suriname; L9 SJ Svalbard and Jan Mayen; V6 SZ Eswatini; V7 SE Sweden; V8 CH Switzerland; V9 SY Syria;
F5 TW Taiwan; 2D TJ Tajikistan; W0 TZ Tanzania; W1 TH Thailand; Z3 TL Timor-Leste; W2 TG Togo;
W3 TK Tokelau; W4 TO Tonga; W5 TT Trinidad and Tobago; W6 TN Tunisia; W8 TR Turkey; 2E TM Turkmenistan;
W7 TC Turks and Caicos Islands; 2G TV Tuvalu; W9 UG Uganda; 2H UA Ukraine; C0 AE United Arab Emirates;
X0 GB United Kingdom; 2J UM United States Minor Outlying Islands; X3 UY Uruguay; 2K UZ Uzbekistan;
2L VU Vanuatu; X5 VE Venezuela; Q1 VN Vietnam; D8 VG British Virgin Islands; X8 WF Wallis and Futuna;
U5 EH Western Sahara; T7 YE Yemen; Y4 ZM Zambia; Y5 ZW Zimbabwe; XX - Unknown`;

/** Code, name, the country's ISO 3166 code. */
export const PLACES: readonly Place[] = LIST.split(';').map((place) => {
  const [code, country, ...name] = place.trim().split(' ');
  return [code!, name.join(' '), country === '-' ? null : country!];
});
