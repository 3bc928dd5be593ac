/** A company's accounts, in thousands of dollars: statements that add up, year after year, so that prose and tables can tell the same. */
import type { Company } from './company.ts';
import { Random } from './random.ts';

export interface Statement {
  segments: { name: string; revenue: number }[];
  revenue: number;
  costOfSales: number;
  grossProfit: number;
  research: number;
  selling: number;
  operatingIncome: number;
  interestExpense: number;
  pretaxIncome: number;
  tax: number;
  netIncome: number;
  /** thousands */
  shares: number;
  /** dollars */
  earningsPerShare: number;
  cash: number;
  receivables: number;
  inventories: number;
  property: number;
  goodwill: number;
  totalAssets: number;
  payables: number;
  debt: number;
  equity: number;
  depreciation: number;
  operatingCash: number;
  investingCash: number;
  financingCash: number;
  employees: number;
}

const SEASONS = [0.23, 0.25, 0.24, 0.28];

function revenueOf(company: Company, fiscalYear: number): number {
  const base = new Random(company.seed, 'revenue', company.id);
  let revenue = Math.exp(base.between(Math.log(40_000), Math.log(6_000_000)));
  const drift = base.between(-0.01, 0.11);
  // Years are walked from a fixed one, so that each year is the same whatever filing asks.
  for (let year = company.foundedYear; year < fiscalYear; year++) {
    if (year < fiscalYear - 60) continue;
    revenue *= 1 + (drift + new Random(company.seed, 'growth', company.id, year).between(-0.09, 0.09)) * 0.7;
  }
  return revenue;
}

/** @param quarter 1 to 4 for a quarter, null for the whole fiscal year (whose revenue is the sum of its quarters) */
export function statementOf(company: Company, fiscalYear: number, quarter: number | null): Statement {
  const full = revenueOf(company, fiscalYear);
  const quarterly = SEASONS.map((share) => Math.round(full * share));
  const revenue = quarter === null ? quarterly.reduce((a, b) => a + b, 0) : quarterly[quarter - 1]!;
  const r = new Random(company.seed, 'margins', company.id, fiscalYear);
  const part = quarter === null ? 1 : SEASONS[quarter - 1]!;
  const costOfSales = Math.round(revenue * r.between(...company.industry.costShare));
  const research = Math.round(revenue * r.between(...company.industry.researchShare));
  const selling = Math.round(revenue * r.between(0.09, 0.17));
  const grossProfit = revenue - costOfSales;
  const operatingIncome = grossProfit - research - selling;
  const debt = Math.round(full * r.between(0.1, 0.5));
  const interestExpense = Math.round(debt * r.between(0.03, 0.07) * part);
  const pretaxIncome = operatingIncome - interestExpense;
  const tax = Math.round(pretaxIncome * r.between(0.19, 0.3));
  const netIncome = pretaxIncome - tax;
  const shares = Math.round(8_000 + full * new Random(company.seed, 'shares', company.id).between(0.02, 0.08));
  const cash = Math.round(full * r.between(0.05, 0.2));
  const receivables = Math.round(full * r.between(0.1, 0.18));
  const inventories = Math.round(full * r.between(0.06, 0.16));
  const property = Math.round(full * r.between(0.2, 0.6));
  const goodwill = Math.round(full * r.between(0.05, 0.3));
  const totalAssets = cash + receivables + inventories + property + goodwill;
  const payables = Math.round(full * r.between(0.08, 0.14));
  const depreciation = Math.round(property * 0.09 * part);
  const operatingCash = netIncome + depreciation + Math.round(full * r.between(-0.02, 0.02) * part);
  const investingCash = -Math.round(property * r.between(0.08, 0.16) * part);
  let left = revenue;
  const segments = company.segments.map((name, i) => {
    const last = i === company.segments.length - 1;
    const share = last ? left : Math.round(left * r.between(0.42, 0.66));
    left -= share;
    return { name, revenue: share };
  });
  return {
    segments,
    revenue,
    costOfSales,
    grossProfit,
    research,
    selling,
    operatingIncome,
    interestExpense,
    pretaxIncome,
    tax,
    netIncome,
    shares,
    earningsPerShare: Math.round((netIncome / shares) * 100) / 100,
    cash,
    receivables,
    inventories,
    property,
    goodwill,
    totalAssets,
    payables,
    debt,
    equity: totalAssets - payables - debt,
    depreciation,
    operatingCash,
    investingCash,
    financingCash: -Math.round(Math.abs(operatingCash + investingCash) * 0.6),
    employees: Math.round(full / r.between(180, 420)) + 12,
  };
}
