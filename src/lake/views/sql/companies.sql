-- Names of companies over time, by the headers of filings: first and last filing under each name, and EDGAR's day of change of a former name. A name that was taken twice is one row
-- A header lists former names, so names from before the first filing are known too. Its day of change is mostly the day on which EDGAR began the name.
-- reads: parties, party_former_names, filings
CREATE OR REPLACE TEMP VIEW company_names AS
WITH used AS (
  SELECT p.cik, p.name, min(f.filing_date) AS first_filing_date, max(f.filing_date) AS last_filing_date,
    count(DISTINCT p.accession_number) AS filings
  FROM parties p JOIN filings f USING (accession_number) WHERE p.cik IS NOT NULL AND p.name IS NOT NULL AND stood_at(f.removed_at, NULL)
  GROUP BY ALL
), former AS (
  SELECT p.cik, n.name, max(n.date_of_change) AS changed_on
  FROM party_former_names n JOIN parties p USING (accession_number, position) WHERE p.cik IS NOT NULL AND n.name IS NOT NULL GROUP BY ALL
)
SELECT cik, name, first_filing_date, last_filing_date, coalesce(filings, 0) AS filings, changed_on
FROM used FULL JOIN former USING (cik, name);

-- SIC codes in the headers of filings, with the newest description, and the number of companies and filings
-- reads: parties, filings
CREATE OR REPLACE TEMP VIEW industries AS
SELECT p.sic, arg_max(p.sic_description, (f.filing_date, p.accession_number))
    FILTER (p.sic_description IS NOT NULL) AS sic_description,
  count(DISTINCT p.cik) AS companies, count(DISTINCT p.accession_number) AS filings
FROM parties p JOIN filings f USING (accession_number) WHERE p.sic IS NOT NULL AND stood_at(f.removed_at, NULL) GROUP BY p.sic;
