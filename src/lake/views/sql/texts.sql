-- Texts of sections with what a corpus needs beside them: company, form, dates, kind, place, length, SHA-256
-- Characters are counted as DuckDB counts them. Withdrawn filings are left out.
-- reads: section_contents, filings, sections
CREATE OR REPLACE TEMP VIEW corpus AS
SELECT c.accession_number, c.section, f.cik, f.entity_name, f.form_type, f.filing_date, f.report_date, c.title, c.kind, c.document_id,
  s.start_index, s.end_index, c.substance_start, c.substance_end, length(c.text) AS characters, sha256(c.text) AS sha256, c.text
FROM section_contents c JOIN filings f USING (accession_number) LEFT JOIN sections s USING (accession_number, section)
WHERE c.text IS NOT NULL AND stood_at(f.removed_at, NULL);

-- Sentences of the prose of sections, in their order; rows of tables and headings are left out
-- A full stop behind an abbreviation ends no sentence. Rows of a table are lines with a tab, or a bar in Markdown; in typewritten text those with an indent, with several gaps of three blanks, or with one behind a number or a label.
-- reads: section_contents
CREATE OR REPLACE TEMP VIEW section_sentences AS
SELECT accession_number, section, unnest(sentences) AS sentence, CAST(generate_subscripts(sentences, 1) AS INTEGER) AS position
FROM (
  SELECT accession_number, section, list_filter(
      string_split(regexp_replace(regexp_replace(regexp_replace(text, '\b(Inc|Corp|Co|Ltd|Nos?|Mrs?|Ms|Dr|Jr|Sr|vs|St|U\.S|i\.e|e\.g)\.', '\1', 'g'),
        '([a-z0-9)%"”’®™][.!?]["”’)]?)[^\S\n]+', '\1' || chr(31), 'g'), '\n+', chr(31), 'g'), chr(31)),
      lambda s: regexp_matches(s, '[.!?]["”’)]?\s*$') AND NOT regexp_matches(s, '^[\s|]|\t|\s{3}\S.*\s{3}\S|^\S+(?:\s{1,2}\S+)?\s{3,}[^a-z\s]')
        AND len(regexp_extract_all(s, '[A-Za-z]+')) >= 3) AS sentences
  FROM section_contents WHERE text IS NOT NULL
);

-- Words of each section in lower case, with how often it has them. Join it with a list of words of your own
-- reads: section_contents
CREATE OR REPLACE TEMP VIEW section_words AS
SELECT accession_number, section, word, count(*) AS occurrences
FROM (SELECT accession_number, section, lower(unnest(regexp_extract_all(text, '[A-Za-z]+(?:[''’-][A-Za-z]+)*'))) AS word FROM section_contents)
GROUP BY ALL;

-- Sections of annual and quarterly reports, each with the same section of the same company's report of a year before: the nearest to 365 days, at most 95 days off; amendments are left out
-- reads: section_contents, filings
CREATE OR REPLACE TEMP VIEW section_years AS
WITH reports AS (
  SELECT s.accession_number, s.section, f.cik, regexp_extract(replace(f.form_type, '-', ''), '^(10[KQ]|20F)') AS form,
    coalesce(f.report_date, f.filing_date) AS day
  FROM section_contents s JOIN filings f USING (accession_number)
  WHERE s.text IS NOT NULL AND NOT f.form_type LIKE '%/A' AND stood_at(f.removed_at, NULL)
)
SELECT r.accession_number, r.cik, r.section, r.day, b.accession_number AS before_accession_number, b.day AS before_day
FROM reports r LEFT JOIN reports b ON b.cik = r.cik AND b.section = r.section AND b.form = r.form AND b.accession_number <> r.accession_number
  AND b.day BETWEEN r.day - 460 AND r.day - 270
QUALIFY row_number() OVER (PARTITION BY r.accession_number, r.section ORDER BY abs(r.day - b.day - 365) NULLS LAST, b.accession_number DESC) = 1;

-- Measures of each section's text: words, sentences, Fog, share of numbers, length of the longest stretch without a table, and likeness to the year before
-- Any question computes all of it, a count too: count section_contents instead, or keep it as a file (sql --output). Fog is 0.4 × (words of a sentence + share of long words in percent), over sentences; a long word has three groups of vowels or more, without a silent ending.
-- reads: section_contents, filings
CREATE OR REPLACE TEMP VIEW section_measures AS
WITH counts AS (
  SELECT accession_number, section, word, occurrences AS n FROM section_words
), totals AS (
  SELECT accession_number, section, CAST(sum(n) AS BIGINT) AS words, sqrt(sum(n * n)) AS norm FROM counts GROUP BY ALL
), numbers AS (
  SELECT accession_number, section, len(regexp_extract_all(text, '\d[\d,]*(?:\.\d+)?')) AS numbers,
    list_max(list_transform(string_split_regex(text, '(?:^|\n)(?:\|[^\n]*|[^\n]*\t[^\n]*)'), lambda s: length(trim(s)))) AS longest_prose
  FROM section_contents
), sentences AS (
  SELECT accession_number, section, count(*) AS sentences, sum(len(own)) AS prose_words,
    sum(len(list_filter(own, lambda w: regexp_matches(regexp_replace(lower(w), '(?:es|ed|e)$', ''), '[aeiouy]+[^aeiouy]+[aeiouy]+[^aeiouy]+[aeiouy]')))) AS long_words
  FROM (SELECT accession_number, section, regexp_extract_all(sentence, '[A-Za-z]+') AS own FROM section_sentences) GROUP BY ALL
), distinct_sentences AS (
  SELECT DISTINCT accession_number, section, same_words(sentence) AS sentence FROM section_sentences
), fresh AS (
  SELECT y.accession_number, y.section, count(*) FILTER (WHERE b.sentence IS NULL) / count(*) AS new_share
  FROM section_years y JOIN distinct_sentences s USING (accession_number, section)
  LEFT JOIN distinct_sentences b ON b.accession_number = y.before_accession_number AND b.section = y.section AND b.sentence = s.sentence
  WHERE y.before_accession_number IS NOT NULL GROUP BY ALL
), likeness AS (
  SELECT y.accession_number, y.section, sum(a.n * b.n) AS dot
  FROM section_years y JOIN counts a USING (accession_number, section)
  JOIN counts b ON b.accession_number = y.before_accession_number AND b.section = y.section AND b.word = a.word GROUP BY ALL
)
SELECT c.accession_number, f.cik, c.section, coalesce(f.report_date, f.filing_date) AS day, coalesce(t.words, 0) AS words,
  coalesce(s.sentences, 0) AS sentences, 0.4 * (s.prose_words / s.sentences + 100 * s.long_words / s.prose_words) AS fog,
  n.numbers / nullif(n.numbers + coalesce(t.words, 0), 0) AS number_share, n.longest_prose, y.before_accession_number,
  CASE WHEN y.before_accession_number IS NOT NULL THEN coalesce(l.dot, 0) / (t.norm * p.norm) END AS cosine, r.new_share AS new_sentence_share
FROM section_contents c
JOIN filings f USING (accession_number)
LEFT JOIN totals t USING (accession_number, section)
LEFT JOIN numbers n USING (accession_number, section)
LEFT JOIN sentences s USING (accession_number, section)
LEFT JOIN section_years y USING (accession_number, section)
LEFT JOIN totals p ON p.accession_number = y.before_accession_number AND p.section = y.section
LEFT JOIN likeness l USING (accession_number, section)
LEFT JOIN fresh r USING (accession_number, section)
WHERE c.text IS NOT NULL AND stood_at(f.removed_at, NULL);

-- Sentences that a section has and the same section of the year before lacks (`added`), and the other way round (`removed`); marks, blanks and capitals change nothing
-- reads: section_contents, filings
CREATE OR REPLACE TEMP VIEW section_changes AS
WITH own AS (
  SELECT accession_number, section, position, sentence, same_words(sentence) AS same FROM section_sentences
)
SELECT y.accession_number, y.cik, y.section, y.before_accession_number, 'added' AS change, s.position, s.sentence
FROM section_years y JOIN own s USING (accession_number, section)
WHERE y.before_accession_number IS NOT NULL AND NOT EXISTS (
  SELECT 1 FROM own b WHERE b.accession_number = y.before_accession_number AND b.section = y.section AND b.same = s.same)
UNION ALL
SELECT y.accession_number, y.cik, y.section, y.before_accession_number, 'removed', b.position, b.sentence
FROM section_years y JOIN own b ON b.accession_number = y.before_accession_number AND b.section = y.section
WHERE NOT EXISTS (SELECT 1 FROM own s WHERE s.accession_number = y.accession_number AND s.section = y.section AND s.same = b.same);
