/** Industries: SIC code and office as EDGAR has them, and the words that filings of the industry use. */

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

const list = (text: string): readonly string[] => text.trim().split(/\s+/);
const names = (text: string): readonly string[] => text.trim().split(/\s*,\s*/);

export const INDUSTRIES: readonly Industry[] = [
  {
    sic: '3823',
    sicDescription: 'INDUSTRIAL INSTRUMENTS FOR MEASUREMENT, DISPLAY, AND CONTROL',
    office: '08 Industrial Applications and Services',
    nameWords: ['Instruments', 'Controls', 'Measurement', 'Gauge'],
    segments: names('Process Instruments, Flow Measurement, Laboratory Systems, Field Services, Calibration'),
    nouns: list(
      'sensor valve meter gauge transmitter controller calibration actuator probe analyzer flowmeter thermocouple recorder panel firmware enclosure refinery pipeline telemetry spectrometer regulator diaphragm manifold transducer circuit converter thermostat nozzle gasket bearing',
    ),
  },
  {
    sic: '3674',
    sicDescription: 'SEMICONDUCTORS & RELATED DEVICES',
    office: '04 Manufacturing',
    nameWords: ['Semiconductor', 'Microdevices', 'Silicon', 'Circuits'],
    segments: names('Analog, Power Devices, Embedded Processors, Memory Interfaces'),
    nouns: list(
      'wafer chip transistor foundry die mask lithography package substrate amplifier oscillator processor controller node fab yield etch reticle solder bandwidth latency voltage diode photodiode interposer cleanroom ingot dopant bitline testbench',
    ),
  },
  {
    sic: '7372',
    sicDescription: 'SERVICES-PREPACKAGED SOFTWARE',
    office: '06 Technology',
    nameWords: ['Software', 'Systems', 'Dataworks', 'Logic'],
    segments: names('Subscription, Professional Services, Licenses'),
    nouns: list(
      'subscription subscriber module database server interface workload algorithm tenant developer integration dashboard renewal user seat cloud container script encryption authentication query backup workflow repository plugin browser firewall endpoint token sandbox',
    ),
  },
  {
    sic: '6022',
    sicDescription: 'STATE COMMERCIAL BANKS',
    office: '02 Finance',
    nameWords: ['Bancorp', 'Bancshares', 'Financial', 'Savings'],
    segments: names('Community Banking, Wealth Management, Mortgage Banking'),
    nouns: list(
      'deposit loan mortgage branch borrower delinquency charge-off reserve overdraft certificate appraisal refinancing origination servicing foreclosure teller passbook escrow checking lender liquidity duration repricing core-deposit homeowner brokerage trust fiduciary examiner capital-ratio',
    ),
  },
  {
    sic: '2834',
    sicDescription: 'PHARMACEUTICAL PREPARATIONS',
    office: '03 Life Sciences',
    nameWords: ['Therapeutics', 'Pharma', 'Biologics', 'Biosciences'],
    segments: names('Specialty Medicines, Vaccines, Contract Development'),
    nouns: list(
      'patient dose trial compound molecule antibody tablet formulation clinic endpoint cohort biomarker placebo toxicity receptor enzyme indication label exclusivity generic pharmacy wholesaler formulary vial injection infusion assay pathogen vaccine adjuvant',
    ),
  },
  {
    sic: '1311',
    sicDescription: 'CRUDE PETROLEUM & NATURAL GAS',
    office: '01 Energy & Transportation',
    nameWords: ['Petroleum', 'Energy', 'Resources', 'Exploration'],
    segments: names('Exploration and Production, Midstream, Marketing'),
    nouns: list(
      'well acreage reservoir barrel basin rig wellbore lease formation shale condensate gathering compressor pipeline royalty drilling completion frac proppant lateral borehole seismic flaring methane royalty-interest wellhead separator tank-battery brine injection',
    ),
  },
  {
    sic: '5411',
    sicDescription: 'RETAIL-GROCERY STORES',
    office: '07 Trade & Services',
    nameWords: ['Markets', 'Foods', 'Provisions', 'Stores'],
    segments: names('Supermarkets, Convenience, Wholesale'),
    nouns: list(
      'store aisle shelf grocer produce bakery deli pharmacy checkout coupon loyalty basket perishable freezer dairy meat seafood label shopper cashier planogram distribution-center pallet refrigeration shrink markdown circular curbside kiosk fuel-station',
    ),
  },
  {
    sic: '4911',
    sicDescription: 'ELECTRIC SERVICES',
    office: '01 Energy & Transportation',
    nameWords: ['Electric', 'Power', 'Utilities', 'Light'],
    segments: names('Regulated Electric, Transmission, Unregulated Generation'),
    nouns: list(
      'turbine generator substation transformer feeder ratepayer tariff megawatt outage boiler coal-unit emission scrubber interconnection conductor meter rate-case commission transmission-line reactor cooling-tower ash-pond wind-farm solar-array battery dispatch peak-load reserve-margin easement pole',
    ),
  },
  {
    sic: '3714',
    sicDescription: 'MOTOR VEHICLE PARTS & ACCESSORIES',
    office: '04 Manufacturing',
    nameWords: ['Motor Parts', 'Driveline', 'Castings', 'Axle'],
    segments: names('Powertrain, Chassis, Aftermarket'),
    nouns: list(
      'axle gearbox casting forging brake piston camshaft stamping die foundry tooling vehicle automaker truck clutch bearing weld paint-line bumper radiator harness wheel drivetrain coupling spring suspension alternator manifold plating robot-cell',
    ),
  },
  {
    sic: '4213',
    sicDescription: 'TRUCKING (NO LOCAL)',
    office: '01 Energy & Transportation',
    nameWords: ['Freight', 'Lines', 'Logistics', 'Carriers'],
    segments: names('Truckload, Less-Than-Truckload, Brokerage'),
    nouns: list(
      'trailer tractor driver terminal dock freight lane shipper fuel-surcharge mileage dispatcher axle tire load broker intermodal container railroad pickup linehaul tonnage backhaul deadhead logbook weigh-station yard cross-dock bill-of-lading insurance-claim odometer',
    ),
  },
  {
    sic: '1040',
    sicDescription: 'GOLD & SILVER ORES',
    office: '01 Energy & Transportation',
    nameWords: ['Mining', 'Minerals', 'Metals', 'Ores'],
    segments: names('Open Pit, Underground, Development'),
    nouns: list(
      'ore mine shaft tailing mill ounce grade assay concentrate heap-leach pit haul-truck crusher drill-core vein deposit royalty reclamation smelter bullion stope ramp overburden cyanide permit exploration-claim conveyor blasting ventilation dewatering',
    ),
  },
  {
    sic: '3841',
    sicDescription: 'SURGICAL & MEDICAL INSTRUMENTS & APPARATUS',
    office: '08 Industrial Applications and Services',
    nameWords: ['Medical', 'Surgical', 'Devices', 'Diagnostics'],
    segments: names('Surgical Devices, Diagnostics, Consumables'),
    nouns: list(
      'catheter implant surgeon hospital device clearance stent electrode monitor ventilator scalpel suture sterilization reagent cartridge clinician reimbursement procedure imaging probe guidewire polymer coating biopsy glucose dialysis syringe cannula endoscope tourniquet',
    ),
  },
];
