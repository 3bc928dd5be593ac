/**
 * What the invented companies write, by subject. A star begins a passage, a bar ends its heading. Slots are filled by prose.ts; verbs
 * are such that "we" and "the Company" fit.
 */
export const TEXTS = {
  business: `
* Customers and Markets | {Our} customers are mainly {buyers}. No customer accounted for more than {pct} of revenue in {year}. {Co} sold through
  {our} own staff in {place} and through independent distributors elsewhere. Most orders can be canceled on {num} days' notice.
* Competition | The market for {good} is competitive. Some competitors are larger than {us} and have greater resources. Customers compare price,
  reliability, delivery time and service after the sale. In {place}, lower prices of local suppliers continued to take business from {us} in {year}.
* Suppliers | {Co} bought {inputs} from about {num} suppliers. Most of what {co} bought is available from several sources, but a few items
  come from one supplier in {place}. {Co} kept a reserve of such items, and qualified a second source for two of them in {year}.
* Research and Development | Spending on research and development was {money} in {year}. Most of it went into {p}, which is intended for
  {buyers} that want lower operating costs. The first deliveries of {p} were made in {place}.
* Intellectual Property | {Co} held {num} patents in the United States and others abroad, which expire at various dates. {Co} also relied on trade
  secrets and on agreements with employees. {p} is a registered trademark. No single patent is material to the {seg} segment.
* Regulation | {Our} operations are subject to laws about {rule}. Compliance did not require material capital spending in {year}, and {co} did not
  expect it to in the following year. Permits in {place} must be renewed every few years.`,
  risk: `
* A slowdown of the economy could reduce the demand for {goods}. | {Our} customers are {buyers}. When they expect lower income, they postpone
  spending. In earlier slowdowns orders fell within one quarter, while {our} costs could be reduced only over several. A long slowdown would reduce
  {our} revenue and could lead to charges for sites that are no longer needed.
* {Co} may not obtain the supplies that {our} business needs. | {Co} bought {inputs} from a limited number of suppliers. Shortages,
  strikes or fires at these suppliers have delayed deliveries before. If a supplier in {place} stopped deliveries, another one might not be found
  for {num} weeks or longer, and {co} might lose customers to competitors.
* Competitors may offer better products or lower prices. | The market for {good} attracts new competitors, some of which accept losses to gain
  customers. If {co} lowered prices to keep customers, margins of the {seg} segment would fall. If {co} did not, revenue would.
* The loss of a large customer would harm {our} results. | {Our} ten largest customers accounted for {pct} of revenue in {year}. Contracts with
  them do not oblige them to buy a minimum. A merger of two customers, or the decision of one to supply itself, could reduce {our} revenue quickly.
* {Co} may be unable to protect {our} intellectual property. | Patents may be challenged, and trade secrets may become known. A lawsuit about
  patents is expensive whatever its outcome. If others could copy {p} freely, the prices of the {seg} segment would be under pressure.
* Interruptions of information systems could stop {our} operations. | {Co} depended on computer systems, some of which are operated by others, to
  take orders, make deliveries and report results. An attack on these systems could disclose data of customers, and {our} insurance, which is limited
  to {money}, might not cover the loss.
* Changes of laws about {rule} could raise {our} costs. | Rules differ between states and countries, and they change. New rules may
  require equipment that {co} did not plan to buy, or may keep {p} from being sold in {place}. Penalties for violations can be severe.
* {Our} operations abroad are exposed to additional risks. | Customers in {place} and {place} are billed in their own currencies. Exchange
  rates, tariffs and limits on the transfer of cash could reduce the value of what {co} earned there. Political events could make it impossible to
  collect what customers owe {us}.
* {Co} may not find or keep the employees that {our} business needs. | Engineers and experienced managers are in demand, and several competitors
  have offices near {our} own in {place}. The departure of an officer could delay the development of {p}.`,
  results: `
* The increase in the {seg} segment came mainly from {good}, whose volume grew by {pct}. Average prices changed little. Demand was strongest in
  {place}, where {buyers} resumed orders that they had postponed.
* Gross margin reflects lower costs of delivery and a better mix, partly offset by higher prices of {inputs}. {Co} raised list prices
  in the second half of the year by {pct}, and the full effect was not yet visible.
* Selling, general and administrative expense included {money} for the closing of an office in {place}. Without this item it changed in line with
  revenue. {Co} employed fewer people in administration than a year before.
* Research and development expense rose because of the work on {p}. {Co} expected a similar level in the next year.
* Foreign currencies reduced revenue by {money} compared with the rates of the year before. Most of the effect came from sales in {place}.`,
  liquidity: `
* Cash from operations was the main source of funds. Receivables rose with revenue, and days outstanding were {num}, about the same as a year
  before. Payables were reduced by {money} as suppliers offered discounts for early payment.
* Capital spending was {money}. The largest project was the extension of the site in {place}, which will serve the {seg} segment. {Co} planned
  to finance it from cash on hand.
* At the end of the period {money} was available under the credit agreement, which matures in {num} months. All covenants
  of the agreement were met.
* The board authorized the repurchase of up to {money} of common stock. No time limit was set. Purchases depend on the price of the stock and on other
  needs for cash.`,
  market: `
* {Our} exposure to market risk comes from interest rates and exchange rates. A change of one percentage point in interest rates would change annual
  interest expense by {money}. {Co} did not use derivatives for trading.
* A change of ten percent in the value of the dollar against the currencies in which {co} billed customers in {place} would change annual revenue by
  about {money}. Forward contracts covered part of this exposure for the next {num} months.`,
  notes: `
* Basis of Presentation | The statements include the accounts of the registrant and of its subsidiaries. Balances and transactions between them were
  eliminated. Certain amounts of earlier years were reclassified to agree with the current presentation.
* Revenue | Revenue is recognized when control of {good} passes to the customer, in most cases upon delivery. Payment is due within {num} days.
  Amounts that were billed in advance are deferred; they were {money} at the end of the period.
* Property and Equipment | Buildings are depreciated over {num} years, machinery over shorter periods, by the straight-line method. Depreciation
  expense was {money} in {year}. Repairs are expensed as they occur.
* Debt | Borrowings under the credit agreement bear interest at a variable rate. The weighted average rate was {pct} in {year}. Scheduled repayments
  within the next year amount to {money}.
* Income Taxes | Deferred taxes reflect differences between the carrying amounts of assets and liabilities and their tax bases. A valuation allowance
  of {money} was recorded against losses in {place}, whose use is uncertain.
* Segments | Segments are reported as management reviews them. The {seg} segment sells to {buyers}. Costs of headquarters, which were {money}
  in {year}, are not allocated.`,
  legal: `
* A former customer in {place} claims that {good} which {co} delivered did not meet its specifications, and demands {money}. {Co} denied the claim
  and will defend the lawsuit. A hearing is set for the coming year.
* Various claims are made against {us} in the ordinary course of business. In the opinion of management, none of them is likely to have a material
  effect on {our} financial condition.`,
  property: `
* {Our} principal offices and the largest site of the {seg} segment are on land that {co} owned. {Co} leased {num} other sites, of which the largest are in
  {place} and {place}. {Co} considered them suitable and adequate for {our} needs.
* A building in {place} of {num},000 square feet was vacant at the end of the year and is offered for sale.`,
  governance: `
* The board met {num} times in {year}. Each director attended at least three quarters of the meetings of the board and of the committees on which
  the director served. A majority of the directors are independent under the rules of the exchange.
* The audit committee reviewed the financial statements with management and with the independent accountants, and recommended their inclusion in the
  annual report. All of its members are financially literate.
* Compensation consists of salary, an annual bonus and equity awards. The bonus of {year} depended on revenue, operating income and safety. Awards
  vest over four years, so that officers hold shares for a long time.`,
  agreement: `
* Delivery | The supplier shall deliver {good} to the sites in {place} within {num} days of an order. Title passes upon delivery.
* Price and Payment | The price of each order is that of the price list on its day. Invoices are payable within {num} days. Late payments bear
  interest at {pct} a year.
* Warranty | The supplier warrants for {num} months that what it delivers is free of defects of material and workmanship.
* Termination | A party may end this agreement at once if the other is insolvent, or if it does not cure a material breach within {num} days.`,
  news: `
* The company said that {p}, its newest line of {good}, will be available to {buyers} in {place} within {num} days. Several customers tested it
  during the past year.
* "Our customers asked for shorter delivery times, and we listened," the chief executive officer said. "The new site in {place} lets us serve
  {buyers} from nearby."
* Forward-looking statements in this release involve risks, which are described in the reports that the company files with the Commission. The company
  does not undertake to update them.`,
} as const;
