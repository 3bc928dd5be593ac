/** The words that every filing shares, commonest first: they are drawn with Zipf's frequencies. Regular nouns and verbs only, so that endings can be made. */

const list = (text: string): readonly string[] => text.trim().split(/\s+/);

export const NOUNS = list(`
product customer market cost service operation agreement result period expense price risk asset rate change increase
revenue sale program contract supplier facility regulation requirement employee system process estimate interest
decision investment factor term condition amount payment demand plan project order level claim loss benefit
obligation decline charge adjustment segment region transaction acquisition partner technology standard approval
application business industry competitor performance capability resource distributor volume margin component vendor
inventory license patent trademark review audit control policy practice procedure report statement disclosure
assumption model trend cycle season shipment delivery warranty return credit loan note bond debt lease property
building site plant warehouse office laboratory line network platform channel store outlet dealer agent
representative consultant contractor manager director officer committee board shareholder investor lender creditor
bank insurer carrier authority agency court government state county community union association standard
objective strategy initiative priority target forecast budget allocation reserve provision allowance accrual
impairment write-down gain dividend repurchase issuance offering conversion redemption maturity covenant
default waiver amendment extension renewal termination expiration notice consent dispute proceeding lawsuit
complaint settlement judgment appeal investigation inquiry subpoena penalty fine sanction violation remedy
material shortage disruption delay interruption failure defect recall accident incident outage breach attack
threat vulnerability exposure uncertainty volatility fluctuation inflation tariff tax duty quota restriction
sanction currency exchange index benchmark spread yield premium discount rebate incentive promotion campaign
brand design feature function quality reliability safety efficiency capacity throughput utilization output
yield batch unit item category class group division subsidiary affiliate venture alliance relationship
commitment guarantee indemnity warranty representation schedule exhibit appendix section paragraph table figure
valuation appraisal measurement observation input method approach technique framework principle rule guideline
standard interpretation pronouncement update adoption transition effect impact outcome consequence response
action measure step effort activity event circumstance situation environment climate weather storm flood
drought fire earthquake pandemic outbreak shutdown restart recovery rebound expansion contraction slowdown
recession boom growth momentum share position advantage strength weakness opportunity challenge obstacle barrier
hurdle entrant rival substitute alternative innovation invention discovery improvement enhancement upgrade
replacement retrofit installation deployment rollout launch introduction release version generation prototype
trial test sample survey study analysis assessment evaluation comparison benchmark metric indicator threshold
ceiling floor range band limit cap minimum maximum average median total balance surplus deficit backlog pipeline
lead prospect inquiry quotation bid tender proposal award engagement assignment mandate retainer fee commission
royalty salary wage bonus pension annuity option warrant grant award unit vesting tenure retirement severance
relocation training recruitment retention turnover headcount shift overtime vacation holiday leave
absence injury illness insurance coverage deductible premium underwriter broker custodian trustee depositary
registrar transferee nominee beneficiary sponsor founder successor predecessor registrant issuer holder owner
tenant landlord lessee lessor mortgage lien pledge security collateral escrow deposit advance draw facility
tranche syndicate participant counterparty hedge swap forward future collar derivative instrument portfolio
holding position exposure concentration diversification correlation sensitivity scenario simulation stress
disposal closure exit wind-down liquidation bankruptcy reorganization restructuring consolidation integration
synergy overlap redundancy dependency bottleneck constraint backlog surcharge freight tonnage pallet container
vessel truck railcar route terminal port hub depot corridor fleet crew driver operator technician engineer
scientist analyst accountant attorney auditor adviser specialist expert professional associate trainee
`);

export const VERBS = list(`
increase decrease expect provide require include result continue maintain develop reduce operate manage record
report review recognize evaluate assess determine consider estimate measure allocate charge defer accrue amortize
capitalize expense collect invoice ship deliver install test market price promote license design manufacture
assemble produce purchase acquire transfer convert redeem retire repay borrow finance fund support expand extend
renew amend terminate cancel delay suspend resume restore improve enhance upgrade replace introduce launch release
complete achieve exceed satisfy address monitor supervise control restrict limit prevent avoid mitigate hedge
offset absorb recover recoup realize anticipate forecast project plan schedule organize coordinate integrate
consolidate restructure streamline automate simplify standardize outsource relocate close open lease sublease
renovate construct occupy own pledge guarantee indemnify insure settle resolve contest appeal challenge
dispute allege assert deny disclose publish announce discuss negotiate approve authorize adopt implement apply
enforce comply observe obtain retain attract recruit hire train reward compensate grant award vest exercise issue
register list trade repurchase distribute declare earn generate yield contribute affect influence impair harm
damage disrupt interrupt threaten expose protect secure verify validate audit document identify classify
segregate analyze compare adjust revise update correct restate reclassify translate remeasure discount
accelerate intensify compete enter penetrate serve supply source procure stock store transport import
export sample survey inspect certify reject accept return refund rebate credit debit reconcile confirm
`);

export const ADJECTIVES = list(`
new significant certain other additional material current future financial operating net total annual domestic
foreign international principal primary major minor key general specific common preferred outstanding available
applicable related similar different various several substantial adverse favorable higher lower greater lesser
recent prior previous subsequent initial final temporary permanent long-term short-term fixed variable floating
direct indirect internal external independent consolidated separate joint mutual exclusive non-exclusive
competitive commercial industrial residential institutional regional local national global worldwide seasonal
cyclical volatile stable steady gradual rapid sharp moderate modest slight minimal maximum reasonable
appropriate adequate sufficient effective efficient reliable flexible scalable proprietary patented licensed
certified qualified skilled experienced technical scientific electronic digital automated manual mechanical
thermal structural environmental regulatory legal contractual statutory fiscal monetary economic political
geographic demographic strategic tactical critical essential important incremental recurring non-recurring
unusual infrequent unexpected anticipated potential probable possible remote contingent conditional unconditional
restricted unrestricted secured unsecured senior subordinated convertible redeemable callable taxable deductible
deferred accrued prepaid unearned unrealized realized impaired intangible tangible fair nominal gross
aggregate cumulative comparable comprehensive diluted basic weighted historical pro-forma unaudited audited
corporate administrative clerical managerial supervisory executive managed leased owned idle surplus obsolete
excess scarce abundant complex simple modular custom integrated innovative advanced mature emerging
established leading dominant fragmented concentrated diversified specialized narrow broad extensive limited
`);

export const ADVERBS = list(`
generally typically currently primarily approximately significantly materially adversely substantially partially
previously subsequently periodically regularly annually quarterly promptly timely gradually rapidly sharply
moderately slightly largely mainly mostly solely jointly severally directly indirectly independently internally
externally locally globally increasingly consistently historically potentially reasonably sufficiently effectively
efficiently successfully favorably negatively positively temporarily permanently voluntarily
`);
