/** Industries: SIC code and office as in EDGAR, and the words that filings of the industry use. */

export interface Industry {
  sic: string;
  /** EDGAR's description of the SIC code */
  sicDescription: string;
  /** EDGAR's review office, in headers since 2024 as ORGANIZATION NAME */
  office: string;
  /** what names end in: `Northfield Instruments Corp` */
  nameWords: readonly string[];
  segments: readonly string[];
  /** nouns of the trade, commonest first */
  nouns: readonly string[];
}

/** SIC code, its description, office, words of names, segments; then the nouns, on lines of their own. */
const INDUSTRY_ROWS = `
3823 | INDUSTRIAL INSTRUMENTS FOR MEASUREMENT, DISPLAY, AND CONTROL | 08 Industrial Applications and Services | Instruments, Controls, Measurement, Gauge | Process Instruments, Flow Measurement, Laboratory Systems, Field Services, Calibration
  sensor valve meter gauge transmitter controller calibration actuator probe analyzer flowmeter thermocouple recorder
  panel firmware enclosure refinery pipeline telemetry spectrometer regulator diaphragm manifold transducer circuit
  converter thermostat nozzle gasket bearing
3674 | SEMICONDUCTORS & RELATED DEVICES | 04 Manufacturing | Semiconductor, Microdevices, Silicon, Circuits | Analog, Power Devices, Embedded Processors, Memory Interfaces
  wafer chip transistor foundry die mask lithography package substrate amplifier oscillator processor controller node
  fab yield etch reticle solder bandwidth latency voltage diode photodiode interposer cleanroom ingot dopant bitline
  testbench
7372 | SERVICES-PREPACKAGED SOFTWARE | 06 Technology | Software, Systems, Dataworks, Logic | Subscription, Professional Services, Licenses
  subscription subscriber module database server interface workload algorithm tenant developer integration dashboard
  renewal user seat cloud container script encryption authentication query backup workflow repository plugin browser
  firewall endpoint token sandbox
6022 | STATE COMMERCIAL BANKS | 02 Finance | Bancorp, Bancshares, Financial, Savings | Community Banking, Wealth Management, Mortgage Banking
  deposit loan mortgage branch borrower delinquency charge-off reserve overdraft certificate appraisal refinancing
  origination servicing foreclosure teller passbook escrow checking lender liquidity duration repricing core-deposit
  homeowner brokerage trust fiduciary examiner capital-ratio
2834 | PHARMACEUTICAL PREPARATIONS | 03 Life Sciences | Therapeutics, Pharma, Biologics, Biosciences | Specialty Medicines, Vaccines, Contract Development
  patient dose trial compound molecule antibody tablet formulation clinic endpoint cohort biomarker placebo toxicity
  receptor enzyme indication label exclusivity generic pharmacy wholesaler formulary vial injection infusion assay
  pathogen vaccine adjuvant
1311 | CRUDE PETROLEUM & NATURAL GAS | 01 Energy & Transportation | Petroleum, Energy, Resources, Exploration | Exploration and Production, Midstream, Marketing
  well acreage reservoir barrel basin rig wellbore lease formation shale condensate gathering compressor pipeline
  royalty drilling completion frac proppant lateral borehole seismic flaring methane royalty-interest wellhead separator
  tank-battery brine injection
5411 | RETAIL-GROCERY STORES | 07 Trade & Services | Markets, Foods, Provisions, Stores | Supermarkets, Convenience, Wholesale
  store aisle shelf grocer produce bakery deli pharmacy checkout coupon loyalty basket perishable freezer dairy meat
  seafood label shopper cashier planogram distribution-center pallet refrigeration shrink markdown circular curbside
  kiosk fuel-station
4911 | ELECTRIC SERVICES | 01 Energy & Transportation | Electric, Power, Utilities, Light | Regulated Electric, Transmission, Unregulated Generation
  turbine generator substation transformer feeder ratepayer tariff megawatt outage boiler coal-unit emission scrubber
  interconnection conductor meter rate-case commission transmission-line reactor cooling-tower ash-pond wind-farm
  solar-array battery dispatch peak-load reserve-margin easement pole
3714 | MOTOR VEHICLE PARTS & ACCESSORIES | 04 Manufacturing | Motor Parts, Driveline, Castings, Axle | Powertrain, Chassis, Aftermarket
  axle gearbox casting forging brake piston camshaft stamping die foundry tooling vehicle automaker truck clutch bearing
  weld paint-line bumper radiator harness wheel drivetrain coupling spring suspension alternator manifold plating
  robot-cell
4213 | TRUCKING (NO LOCAL) | 01 Energy & Transportation | Freight, Lines, Logistics, Carriers | Truckload, Less-Than-Truckload, Brokerage
  trailer tractor driver terminal dock freight lane shipper fuel-surcharge mileage dispatcher axle tire load broker
  intermodal container railroad pickup linehaul tonnage backhaul deadhead logbook weigh-station yard cross-dock
  bill-of-lading insurance-claim odometer
1040 | GOLD & SILVER ORES | 01 Energy & Transportation | Mining, Minerals, Metals, Ores | Open Pit, Underground, Development
  ore mine shaft tailing mill ounce grade assay concentrate heap-leach pit haul-truck crusher drill-core vein deposit
  royalty reclamation smelter bullion stope ramp overburden cyanide permit exploration-claim conveyor blasting
  ventilation dewatering
3841 | SURGICAL & MEDICAL INSTRUMENTS & APPARATUS | 08 Industrial Applications and Services | Medical, Surgical, Devices, Diagnostics | Surgical Devices, Diagnostics, Consumables
  catheter implant surgeon hospital device clearance stent electrode monitor ventilator scalpel suture sterilization
  reagent cartridge clinician reimbursement procedure imaging probe guidewire polymer coating biopsy glucose dialysis
  syringe cannula endoscope tourniquet
`;

export const INDUSTRIES: readonly Industry[] = INDUSTRY_ROWS.trim()
  .split(/\n(?=\d)/)
  .map((row) => {
    const [first, ...nouns] = row.split('\n') as [string, ...string[]];
    const [sic, sicDescription, office, nameWords, segments] = first.split(' | ') as [
      string,
      string,
      string,
      string,
      string,
    ];
    return {
      ...{ sic, sicDescription, office, nameWords: nameWords.split(', '), segments: segments.split(', ') },
      nouns: nouns.join(' ').trim().split(/\s+/),
    };
  });
