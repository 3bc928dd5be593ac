/** First and last days of fiscal periods in a made-up company's calendar year. */
export const SPANS = {
  Q1: ['01-01', '03-31'],
  Q2: ['04-01', '06-30'],
  H1: ['01-01', '06-30'],
  Q3: ['07-01', '09-30'],
  '9M': ['01-01', '09-30'],
  Q4: ['10-01', '12-31'],
  FY: ['01-01', '12-31'],
  day: [null, '12-31'],
} as const;
