-- Statements and notes as filed: lines in the order of reading, with labels and values. A line without a value is a heading; shown has the sign that the reader sees. Opening and closing balances have the period that they open and close
-- A fact is on a page that has its concept, its axes and their members. An axis without members in the role is typed. Opening and closing
-- balances stand in the columns of their periods. A statement leaves out a column of values that all belong to other statements too, if it has
-- less than a quarter of the fullest one's. Examples are net income of the quarter beside cash flows of the half year, and equity of earlier
-- years below a balance sheet. Of equal facts the one with most places after the point counts.
-- Labels: one of each role, in English if a filing has several languages.
-- reads: xbrl_presentation, xbrl_labels, xbrl_facts
CREATE OR REPLACE TEMP VIEW statements AS
WITH labels AS NOT MATERIALIZED (
  SELECT accession_number, concept, role,
    arg_min(label, (CASE WHEN lower(language) = 'en-us' THEN 0 WHEN language ILIKE 'en%' OR language IS NULL THEN 1 ELSE 2 END, label)) AS label
  FROM xbrl_labels GROUP BY ALL
), roles AS NOT MATERIALIZED (
  SELECT accession_number, role, statement_kind(any_value(role_definition), any_value(role), arg_min(parent, line) FILTER (WHERE depth = 0)) AS stmt,
    regexp_matches(coalesce(any_value(role_definition), role), 'PARENTHETICAL', 'i') AS is_parenthetical,
    list_distinct(list(concept) || list(parent)) AS elements, list(DISTINCT parent) AS parents
  FROM xbrl_presentation GROUP BY accession_number, role
), lines AS NOT MATERIALIZED (
  SELECT p.accession_number, p.file AS page_file, p.position AS page_position, p.role, p.concept, p.preferred_label, r.stmt, r.elements, r.parents,
    r.stmt <> 'CP' AND min(p.role) FILTER (WHERE r.stmt <> 'CP') OVER same <> max(p.role) FILTER (WHERE r.stmt <> 'CP') OVER same AS is_repeated
  FROM xbrl_presentation p JOIN roles r USING (accession_number, role)
  WINDOW same AS (PARTITION BY p.accession_number, p.concept)
), facts AS NOT MATERIALIZED (
  SELECT *, CASE WHEN dimensions <> '{}' THEN map_entries(CAST(CAST(dimensions AS JSON) AS MAP(VARCHAR, VARCHAR))) END AS members FROM xbrl_facts
), cells AS NOT MATERIALIZED (
  SELECT p.accession_number, p.page_file, p.page_position, p.role, p.stmt, f.file, f.position, f.entity_cik, f.period_start, f.period_end,
    CASE WHEN f.period_start IS NULL THEN nullif(regexp_extract(p.preferred_label, 'periodStart|periodEnd'), '') END AS balance,
    count(*) OVER period AS size, bool_and(coalesce(p.is_repeated, false)) OVER period AS is_repeated
  FROM lines p JOIN facts f ON f.accession_number = p.accession_number AND f.concept = p.concept
  WHERE f.members IS NULL OR len(list_filter(f.members, lambda d:
    NOT list_contains(p.elements, d.key) OR (list_contains(p.parents, d.key) AND NOT list_contains(p.elements, d.value)))) = 0
  WINDOW period AS (PARTITION BY p.accession_number, p.role, f.entity_cik, f.period_start, f.period_end)
), kept AS NOT MATERIALIZED (
  SELECT *, NOT (is_repeated AND NOT (stmt = 'EQ' AND period_start IS NULL)
      AND 4 * size < max(size) OVER (PARTITION BY accession_number, role, period_start IS NULL)) AS is_kept
  FROM cells
), periods AS NOT MATERIALIZED (
  SELECT DISTINCT accession_number, role, entity_cik, period_start, period_end FROM kept WHERE is_kept AND period_start IS NOT NULL
), edges AS NOT MATERIALIZED (
  SELECT *, unnest(['periodStart', 'periodEnd']) AS balance, unnest([period_start - 1, period_end]) AS day FROM periods
), paged AS NOT MATERIALIZED (
  SELECT *, bool_or(is_kept AND period_start IS NOT NULL) OVER (PARTITION BY accession_number, role) AS has_periods FROM kept
), shown AS NOT MATERIALIZED (
  SELECT k.accession_number, k.page_file, k.page_position, k.file, k.position, coalesce(e.period_start, k.period_start) AS period_start,
    coalesce(e.period_end, k.period_end) AS period_end
  FROM paged k LEFT JOIN edges e ON e.accession_number = k.accession_number AND e.role = k.role
    AND e.entity_cik IS NOT DISTINCT FROM k.entity_cik AND e.balance = k.balance AND e.day = k.period_end
  WHERE CASE WHEN k.balance IS NULL THEN k.is_kept ELSE e.day IS NOT NULL OR NOT k.has_periods END
)
SELECT p.accession_number, p.role, p.role_definition, p.line, p.depth, p.concept, coalesce(preferred.label, usual.label) AS label,
  f.entity_cik, s.period_start, s.period_end, f.unit, f.dimensions, f.decimals, f.value,
  CASE WHEN p.preferred_label ILIKE '%negated%' THEN -f.value_number ELSE f.value_number END AS shown, f.file, f.position
FROM xbrl_presentation p
LEFT JOIN labels preferred
  ON preferred.accession_number = p.accession_number AND preferred.concept = p.concept AND preferred.role = p.preferred_label
LEFT JOIN labels usual
  ON usual.accession_number = p.accession_number AND usual.concept = p.concept AND usual.role = 'http://www.xbrl.org/2003/role/label'
LEFT JOIN shown s ON s.accession_number = p.accession_number AND s.page_file = p.file AND s.page_position = p.position
LEFT JOIN xbrl_facts f ON f.accession_number = s.accession_number AND f.file = s.file AND f.position = s.position
QUALIFY row_number() OVER (
  PARTITION BY p.accession_number, p.role, p.line, p.concept, f.entity_cik, s.period_start, s.period_end, f.unit, f.dimensions
  ORDER BY f.value IS NULL, exactness(f.decimals) DESC NULLS LAST, f.position
) = 1;
