/** Places of sample companies, and the parts of their invented names. */

export interface Place {
  city: string;
  state: string;
  stateName: string;
  zip: string;
  area: string;
}

const PLACE_ROWS = `
Hartford|CT|Connecticut|06103|860
Columbus|OH|Ohio|43215|614
Tulsa|OK|Oklahoma|74103|918
Portland|OR|Oregon|97204|503
Omaha|NE|Nebraska|68102|402
Raleigh|NC|North Carolina|27601|919
Denver|CO|Colorado|80202|303
Boise|ID|Idaho|83702|208
Houston|TX|Texas|77002|713
Spokane|WA|Washington|99201|509
Rochester|NY|New York|14604|585
Madison|WI|Wisconsin|53703|608
Nashville|TN|Tennessee|37219|615
Wilmington|DE|Delaware|19801|302
Fresno|CA|California|93721|559
San Jose|CA|California|95113|408
Boston|MA|Massachusetts|02110|617
Duluth|MN|Minnesota|55802|218
Tampa|FL|Florida|33602|813
Reno|NV|Nevada|89501|775
Pittsburgh|PA|Pennsylvania|15222|412
Toledo|OH|Ohio|43604|419
Savannah|GA|Georgia|31401|912
Santa Fe|NM|New Mexico|87501|505
`;
export const PLACES: readonly Place[] = PLACE_ROWS.trim()
  .split('\n')
  .map((row) => {
    const [city, state, stateName, zip, area] = row.split('|') as [string, string, string, string, string];
    return { city, state, stateName, zip, area };
  });

/** Foreign places have EDGAR's own codes, which are not those of any state. */
export const FOREIGN_PLACES: readonly Place[] = [
  { city: 'Toronto', state: 'A6', stateName: 'Ontario, Canada', zip: 'M5H 2N2', area: '416' },
  { city: 'London', state: 'X0', stateName: 'United Kingdom', zip: 'EC2V 7HH', area: '44 20' },
  { city: 'Hamilton', state: 'D0', stateName: 'Bermuda', zip: 'HM 11', area: '441' },
  { city: 'Tel Aviv', state: 'L3', stateName: 'Israel', zip: '6688314', area: '972 3' },
];

const words = (text: string): readonly string[] => text.trim().split(/\s+/);

export const NAME_STARTS = words(`
North East South West Silver Cedar Maple Birch Granite Copper Amber Crystal Harbor Summit Prairie Canyon Lake
River Ridge Meadow Orchard Falcon Heron Otter Juniper Willow Aspen Laurel Quartz Slate Marble Cobalt Indigo
Crimson Autumn Winter Spring Morning Evening Lantern Anchor Compass Beacon Bramble Clover Thistle Sage Hazel
Pebble Timber Mill Bridge Glen Fern Moss Reed Plum Linden Rowan Alder Elder Tamarack Hickory
`);
export const NAME_ENDS = words(`
field haven port ford dale wick stead crest gate mere holt brook vale moor shore point view land wood ton bury
worth ley combe den fell garth hurst leigh strand thorpe toft wold water bank cross
`);
export const STREETS = words(
  'Cedar Industrial Commerce Foundry Harbor Prospect Canal Depot Exchange Orchard Quarry Mill',
);
export const STREET_KINDS = words('Road Street Avenue Parkway Drive Boulevard');

/** Products are named by syllables, so that each company has words that no other has. */
export const SYLLABLES = words(
  'ar vo lin tek so ra mi dex qua pro cel an tri ver no lu zan fi or bel ka sto ny um eth al pho ro gen ix tor da',
);
/** Of companies and plants abroad, commonest first. */
export const MARKETS = words(
  'Ohio Texas Canada Germany California Mexico Japan Georgia France Brazil India Poland Illinois Spain Italy Korea Sweden Chile Oregon Taiwan Ireland Vietnam Turkey Norway',
);
