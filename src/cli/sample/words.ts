/** Places, names and trades of invented companies. */

export interface Place {
  city: string;
  state: string;
  stateName: string;
  zip: string;
  area: string;
}

export interface Industry {
  sic: string;
  /** EDGAR's description of the SIC code */
  sicDescription: string;
  /** EDGAR's review office, in headers since 2024 as ORGANIZATION NAME */
  office: string;
  /** what names end in: `Northfield Instruments Corp` */
  nameWords: readonly string[];
  segments: readonly string[];
  /** nouns of the trade */
  nouns: readonly string[];
}

const words = (text: string): readonly string[] => text.trim().split(/\s+/);

/** The last has one of EDGAR's own codes for places abroad. */
export const PLACES: readonly Place[] = `
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
Toronto|A6|Ontario, Canada|M5H 2N2|416`
  .trim()
  .split('\n')
  .map((row) => {
    const [city, state, stateName, zip, area] = row.split('|') as [string, string, string, string, string];
    return { city, state, stateName, zip, area };
  });

/** SIC code, its description, office, words of names, segments; then the nouns. */
export const INDUSTRIES: readonly Industry[] = `
3823 | INDUSTRIAL INSTRUMENTS FOR MEASUREMENT, DISPLAY, AND CONTROL | 08 Industrial Applications and Services | Instruments, Controls, Measurement, Gauge | Process Instruments, Flow Measurement, Laboratory Systems, Field Services
  sensor valve meter gauge transmitter controller calibration actuator probe analyzer flowmeter thermocouple recorder panel firmware enclosure
  refinery pipeline telemetry spectrometer regulator diaphragm manifold transducer circuit converter thermostat nozzle gasket bearing
3674 | SEMICONDUCTORS & RELATED DEVICES | 04 Manufacturing | Semiconductor, Microdevices, Silicon, Circuits | Analog, Power Devices, Embedded Processors, Memory Interfaces
  wafer chip transistor foundry die mask lithography package substrate amplifier oscillator processor node fab yield etch reticle solder bandwidth
  latency voltage diode photodiode interposer cleanroom ingot dopant bitline testbench
7372 | SERVICES-PREPACKAGED SOFTWARE | 06 Technology | Software, Systems, Dataworks, Logic | Subscription, Professional Services, Licenses
  subscription subscriber module database server interface workload algorithm tenant developer integration dashboard renewal user seat cloud
  container script encryption authentication query backup workflow repository plugin browser firewall endpoint token sandbox
6022 | STATE COMMERCIAL BANKS | 02 Finance | Bancorp, Bancshares, Financial, Savings | Community Banking, Wealth Management, Mortgage Banking
  deposit loan mortgage branch borrower delinquency charge-off overdraft certificate appraisal refinancing origination servicing foreclosure
  teller passbook escrow checking liquidity duration repricing homeowner brokerage trust fiduciary examiner capital-ratio
2834 | PHARMACEUTICAL PREPARATIONS | 03 Life Sciences | Therapeutics, Pharma, Biologics, Biosciences | Specialty Medicines, Vaccines, Contract Development
  patient dose trial compound molecule antibody tablet formulation clinic endpoint cohort biomarker placebo toxicity receptor enzyme indication
  label exclusivity generic pharmacy wholesaler formulary vial injection infusion assay pathogen vaccine adjuvant
1311 | CRUDE PETROLEUM & NATURAL GAS | 01 Energy & Transportation | Petroleum, Energy, Resources, Exploration | Exploration and Production, Midstream, Marketing
  well acreage reservoir barrel basin rig wellbore formation shale condensate gathering compressor royalty drilling completion frac proppant
  lateral borehole seismic flaring methane wellhead separator tank-battery brine
4911 | ELECTRIC SERVICES | 01 Energy & Transportation | Electric, Power, Utilities, Light | Regulated Electric, Transmission, Unregulated Generation
  turbine generator substation transformer feeder ratepayer tariff megawatt outage boiler emission scrubber interconnection conductor rate-case
  commission reactor cooling-tower ash-pond wind-farm solar-array battery dispatch peak-load easement pole
3841 | SURGICAL & MEDICAL INSTRUMENTS & APPARATUS | 08 Industrial Applications and Services | Medical, Surgical, Devices, Diagnostics | Surgical Devices, Diagnostics, Consumables
  catheter implant surgeon hospital device clearance stent electrode monitor ventilator scalpel suture sterilization reagent cartridge clinician
  reimbursement procedure imaging guidewire polymer coating biopsy glucose dialysis syringe cannula endoscope tourniquet`
  .trim()
  .split(/\n(?=\d)/)
  .map((row) => {
    const [first, ...nouns] = row.split('\n') as [string, ...string[]];
    const [sic, sicDescription, office, names, segments] = first.split(' | ') as [
      string,
      string,
      string,
      string,
      string,
    ];
    return {
      sic,
      sicDescription,
      office,
      nameWords: names.split(', '),
      segments: segments.split(', '),
      nouns: words(nouns.join(' ')),
    };
  });

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
  'Ohio Texas Canada Germany California Mexico Japan Georgia France Brazil India Poland Illinois Spain Italy Korea Sweden Chile Oregon Taiwan',
);
