/** Phrases that pages, comments, messages and test titles must not have. CONTRIBUTING.md, "Style", has the rules. */

/** Turns of phrase that readers have to decode, each with the plain words. */
export const BANNED: [RegExp, string][] = [
  [/\b(?:is|are|was|were|be|been|being) told\b/i, 'is reported, is known, receives'],
  [/\bow(?:ed|es|ing)\b/i, 'pending'],
  [/\bheld against\b/i, 'compared with, checked against'],
  [/\b(?:go|goes|going|went) on\b/i, 'continue'],
  [/\bst(?:and|ands|ood|anding) still\b/i, 'is paused, stops'],
  [/\bwhoever\b/i, 'name the person or the program'],
  [/\bbrought\b/i, 'wrote, fetched, added'],
  [/\bmend(?:s|ed|ing)?\b/i, 'repair, correct'],
  [
    /(?<!\bthere )\b(?:is|are|was|were) no (?!(?:longer|more|less|need|such|doubt|further|other|room|space|way|reason|limit|better|worse|different|larger|smaller|wider)\b)\w/i,
    'is not a',
  ],
  [/\banew\b/i, 'again'],
  [/\bin force\b/i, 'current, valid'],
  [/\bpass(?:es|ed) over\b/i, 'skips'],
  [/\bas EDGAR has (?:it|them)\b/i, 'as in EDGAR'],
  [/\b(?:for|until|within|of) so (?:long|many)\b/i, 'for this time, this many'],
  [/\bin vain\b/i, 'without success'],
  [/\b(?:can't|couldn't|could not|cannot|to) be had\b/i, 'can not be fetched'],
  [/\bas (?:it|they) (?:came|comes?)\b/i, 'unchanged, the original'],
  [/\bwhat (?:is|was|were) asked\b/i, 'the request'],
  [/\bnone the worse\b/i, 'still safe'],
  [/\bstands? (?:behind|beside|in the place)\b/i, 'follows, is beside, replaces'],
  [/\basked (?:for )?(?:again|anew)\b/i, 'requested again'],
  [/\bwhere (?:none|nothing|nobody|no |it isn't|there (?:is|are|was|were)\b)/i, 'if there is no …'],
  [/(?:^|[.!?:] )Where (?![^.]*\?)/, 'If …; of a place: the position of …'],
];
