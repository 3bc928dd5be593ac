/** Places, names and trades of invented companies. */

const words = (text: string): readonly string[] => text.trim().split(/\s+/);
/** Rows of a table whose cells a bar separates, by the names of its columns. */
function table<K extends string>(columns: readonly K[], rows: string): Record<K, string>[] {
  const cells = rows
    .trim()
    .split('\n')
    .map((row) => row.split('|'));
  return cells.map((row) => Object.fromEntries(columns.map((name, i) => [name, row[i]!])) as Record<K, string>);
}

/** The last has one of EDGAR's own codes for places abroad. */
export const PLACES = table(
  ['city', 'state', 'stateName', 'zip', 'area'],
  `
Hartford|CT|Connecticut|06103|860
Columbus|OH|Ohio|43215|614
Tulsa|OK|Oklahoma|74103|918
Portland|OR|Oregon|97204|503
Raleigh|NC|North Carolina|27601|919
Denver|CO|Colorado|80202|303
Houston|TX|Texas|77002|713
Madison|WI|Wisconsin|53703|608
Wilmington|DE|Delaware|19801|302
San Jose|CA|California|95113|408
Boston|MA|Massachusetts|02110|617
Duluth|MN|Minnesota|55802|218
Tampa|FL|Florida|33602|813
Pittsburgh|PA|Pennsylvania|15222|412
Toronto|A6|Ontario, Canada|M5H 2N2|416`,
);

/** EDGAR names its review office in headers since 2024; names of companies end with `nameWords`; `rule` is what the rules are about. */
export const INDUSTRIES = table(
  ['sic', 'sicDescription', 'office', 'nameWords', 'segments', 'goods', 'buyers', 'inputs', 'rule'],
  `
3823|INDUSTRIAL INSTRUMENTS FOR MEASUREMENT, DISPLAY, AND CONTROL|08 Industrial Applications and Services|Instruments, Controls, Measurement, Gauge|Process Instruments, Flow Measurement, Laboratory Systems, Field Services|pressure transmitters, flow meters, gas analyzers|refineries, water utilities and food producers|sensor elements, castings and circuit boards|the certification of instruments for hazardous areas
3674|SEMICONDUCTORS & RELATED DEVICES|04 Manufacturing|Semiconductor, Microdevices, Silicon, Circuits|Analog, Power Devices, Embedded Processors, Memory Interfaces|power converters, signal amplifiers, embedded processors|makers of cars, telephones and industrial drives|silicon wafers, photomasks and substrates|the export of semiconductor technology
7372|SERVICES-PREPACKAGED SOFTWARE|06 Technology|Software, Systems, Dataworks, Logic|Subscription, Professional Services, Licenses|planning software, data integration tools, workflow subscriptions|hospitals, retailers and local governments|hosting capacity, network bandwidth and licensed code|the protection of personal data
6022|STATE COMMERCIAL BANKS|02 Finance|Bancorp, Bancshares, Financial, Savings|Community Banking, Wealth Management, Mortgage Banking|commercial loans, residential mortgages, deposit accounts|households, farms and small businesses|wholesale funding, payment processing and data systems|the capital and liquidity of banks
2834|PHARMACEUTICAL PREPARATIONS|03 Life Sciences|Therapeutics, Pharma, Biologics, Biosciences|Specialty Medicines, Vaccines, Contract Development|injectable medicines, vaccines, inhaled therapies|wholesalers, hospitals and public health agencies|active ingredients, glass vials and sterile filling|the approval and labeling of medicines
1311|CRUDE PETROLEUM & NATURAL GAS|01 Energy & Transportation|Petroleum, Energy, Resources, Exploration|Exploration and Production, Midstream, Marketing|crude oil, natural gas, gathering services|refiners, pipeline companies and power plants|drilling rigs, steel casing and proppant|the drilling of wells and the emission of methane
4911|ELECTRIC SERVICES|01 Energy & Transportation|Electric, Power, Utilities, Light|Regulated Electric, Transmission, Unregulated Generation|electric service, transmission capacity, wholesale power|households, factories and municipal systems|natural gas, transformers and conductor|electric rates and the emissions of power plants
3841|SURGICAL & MEDICAL INSTRUMENTS & APPARATUS|08 Industrial Applications and Services|Medical, Surgical, Devices, Diagnostics|Surgical Devices, Diagnostics, Consumables|catheters, surgical staplers, diagnostic cartridges|hospitals, outpatient clinics and laboratories|medical polymers, electrodes and reagents|the clearance of medical devices`,
);

export const NAME_STARTS = words(`
North East South West Silver Cedar Maple Birch Granite Copper Amber Crystal Harbor Summit Prairie Canyon Lake River Ridge Meadow Orchard Falcon
Heron Otter Juniper Willow Aspen Laurel Quartz Slate Marble Cobalt Indigo Crimson Autumn Winter Spring Morning Evening Lantern Anchor Compass Beacon
Bramble Clover Thistle Sage Hazel Pebble Timber Mill Bridge Glen Fern Moss Reed Plum Linden Rowan Alder Elder Tamarack Hickory`);
export const NAME_ENDS = words(`
field haven port ford dale wick stead crest gate mere holt brook vale moor shore point view land wood ton bury worth ley combe den fell garth hurst
leigh strand thorpe toft wold water bank cross`);
export const STREETS = words('Cedar Industrial Commerce Foundry Harbor Prospect Canal Depot Exchange Orchard Quarry');
/** Products are named by syllables, so that each company has words that no other has. */
export const SYLLABLES = words(
  'ar vo lin tek so ra mi dex qua pro cel an tri ver no lu zan fi or bel ka sto ny um eth al pho ro gen ix tor da',
);
export const MARKETS = words(
  'Canada Germany Mexico Japan France Brazil India Poland Spain Italy Korea Sweden Chile Taiwan Norway Ireland Austria Denmark Portugal Peru',
);
