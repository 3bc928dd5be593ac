-- What exports want of each filing's documents (`statements`, `XBRL facts`, `tables of their form`, `sections`), and `reason` why the filing has none of it: null if it has. `filings` is the kind of form
-- By coverage and, of what is not fetched yet, by the plans of runs, also of one that waits or was killed and has no row in export_runs. Without a failure, no export asks for a failed step any more.
-- reads: coverage, filings, export_failures, export_plans, export_runs
CREATE OR REPLACE TEMP VIEW wanted_rows AS
WITH steps AS (
  SELECT accession_number, step, selector, CASE WHEN status <> 'done' THEN coalesce(reason, 'request_failed') END AS reason
  FROM coverage c
  WHERE step IN ('forms', 'sections') AND (status <> 'failed' OR EXISTS
    (SELECT 1 FROM export_failures e WHERE e.accession_number = c.accession_number AND e.step = c.step))
  UNION ALL
  SELECT DISTINCT p.accession_number, p.pass,
    CASE WHEN contains(r.definition, '"fundamentals"') OR contains(o.selector, 'fundamentals') THEN 'fundamentals'
      WHEN contains(r.definition, '"xbrl_facts"') OR contains(o.selector, 'xbrl_facts') THEN 'xbrl_facts' ELSE '' END,
    'not_yet_fetched'
  FROM export_plans p LEFT JOIN export_runs r USING (run_id)
  LEFT JOIN (SELECT run_id, max(selector) AS selector FROM coverage WHERE step = 'forms' GROUP BY run_id) o USING (run_id)
  WHERE p.pass IN ('forms', 'sections') AND NOT EXISTS
    (SELECT 1 FROM coverage c WHERE c.accession_number = p.accession_number AND c.step = p.pass)
)
SELECT accession_number, cik, form_type,
  CASE WHEN regexp_matches(upper(form_type), '^(10-?K|[24]0-F)') THEN 'annual report'
    WHEN regexp_matches(upper(form_type), '^10-?Q') THEN 'quarterly report' WHEN upper(form_type) LIKE '8-K%' THEN '8-K filing'
    ELSE 'other filing' END AS filings,
  CASE WHEN step = 'sections' THEN 'sections' WHEN list_contains(string_split(selector, ','), 'fundamentals') THEN 'statements'
    WHEN list_has_any(string_split(selector, ','), ['fundamentals', 'xbrl_facts', 'ex27_facts']) THEN 'XBRL facts'
    ELSE 'tables of their form' END AS rows,
  reason
FROM steps JOIN filings USING (accession_number) WHERE removed_at IS NULL;
