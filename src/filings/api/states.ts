/** State codes of EDGAR: two characters. Names of U.S. states and Canadian provinces, to suggest a code for a name. */

const CODES: Readonly<Record<string, string>> = Object.fromEntries(
  `AL Alabama|AK Alaska|AZ Arizona|AR Arkansas|CA California|CO Colorado|CT Connecticut|DE Delaware|DC District of Columbia|FL Florida|GA Georgia|HI Hawaii|ID Idaho|IL Illinois|IN Indiana|IA Iowa|KS Kansas|KY Kentucky|LA Louisiana|ME Maine|MD Maryland|MA Massachusetts|MI Michigan|MN Minnesota|MS Mississippi|MO Missouri|MT Montana|NE Nebraska|NV Nevada|NH New Hampshire|NJ New Jersey|NM New Mexico
NY New York|NC North Carolina|ND North Dakota|OH Ohio|OK Oklahoma|OR Oregon|PA Pennsylvania|RI Rhode Island|SC South Carolina|SD South Dakota|TN Tennessee|TX Texas|UT Utah|VT Vermont|VA Virginia|WA Washington|WV West Virginia|WI Wisconsin|WY Wyoming|PR Puerto Rico|VI Virgin Islands|GU Guam|A0 Alberta|A1 British Columbia|A2 Manitoba|A3 New Brunswick|A4 Newfoundland|A5 Nova Scotia|A6 Ontario
A7 Prince Edward Island|A8 Quebec|A9 Saskatchewan|B0 Yukon|D0 Bermuda|E9 Cayman Islands|C3 Australia|F4 China|K3 Hong Kong|L2 Ireland|L3 Israel|M0 Japan|N4 Luxembourg|P7 Netherlands|U0 Singapore|V8 Switzerland|X0 United Kingdom|D8 British Virgin Islands|1T Marshall Islands`
    .split(/[|\n]/)
    .map((line) => [line.slice(3).toLowerCase(), line.slice(0, 2)]),
);

export function looksLikeStateCode(text: string): boolean {
  return /^[A-Z][A-Z0-9]$|^[0-9][A-Z]$/i.test(text.trim());
}

/** The code of a state by its name, in any case. Null if the name is unknown here. */
export function stateCodeOf(name: string): string | null {
  return CODES[name.trim().toLowerCase()] ?? null;
}
