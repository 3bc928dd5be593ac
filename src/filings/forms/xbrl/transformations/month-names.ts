/** Names of months in the languages of the transformation registries, by the beginnings that the registries define. */

const LANGUAGES: Readonly<Record<string, string>> = {
  bg: 'ян фев мар апр май|маи юни юли авг сеп окт ное дек',
  cs: 'leden|ledna|lednu|led únor|unor|února|unora|únoru|unoru|úno|uno březen|brezen|března|brezna|březnu|breznu|bře|bre duben|dubna|dubnu|dub květen|kveten|května|kvetna|květnu|kvetnu|kvě|kve červen|cerven|června|cervna|červnu|cervnu|čvn|cvn červenec|cervenec|července|cervence|červenci|cervenci|čvc|cvc srpen|srpna|srpnu|srp září|zari|zář|zar říjen|rijen|října|rijna|říjnu|rijnu|říj|rij listopad|listopadu|lis prosinec|prosince|prosinci|pro',
  cy: 'ion chwe maw|faw ebr mai|fai meh|feh gor|ngor aws med|fed hyd tach|dach|nhach|thach rhag|rag',
  da: 'jan feb mar apr maj jun jul aug sep okt nov dec',
  de: 'jan|jän|jaen feb mär|maer|mar apr mai jun jul aug sep okt nov dez',
  // Greek with and without accents: they are removed before the comparison.
  el: 'ιαν φεβ μαρ απρ|αριλ μαι ιουν ιουλ αυγ σεπ οκτ νοε δεκ',
  en: 'january|jan february|feb march|mar april|apr may june|jun july|jul august|aug september|sep october|oct november|nov december|dec',
  es: 'ene feb mar abr may jun jul ago sep oct nov dic',
  et: 'jaan veebr märts|marts apr mai juuni juuli aug sept okt nov dets',
  fi: 'tam hel maa huh tou kes hei elo syy lok mar jou',
  fr: 'janv févr|fevr mars avr mai juin juil août|aout sept oct nov déc|dec',
  hi: 'जनवरी फरवरी मार्च अप्रैल मई जून जुलाई अगस्त सितंबर अक्टूबर नवंबर|नवम्बर दिसंबर|दिसम्बर',
  hr: 'sij velj ožu|ozu tra svi lip srp kol ruj lis stu pro',
  hu: 'jan feb márc|marc ápr|apr máj|maj jún|jun júl|jul aug szept okt nov dec',
  it: 'gen feb mar apr mag giu lug ago set ott nov dic',
  lt: 'sau vas kov bal geg bir lie rugp|rgp rugs|rgs spa|spl lap gru|grd',
  lv: 'janv febr marts apr maijs jūn|jun jūl|jul aug sept okt nov dec',
  nl: 'jan feb maa|mrt apr mei jun jul aug sep okt nov dec',
  no: 'jan feb mar apr mai jun jul aug sep okt nov des',
  pl: 'sty lut mar kwi maj cze lip sie wrz paź|paz lis gru',
  pt: 'jan fev mar abr mai jun jul ago set out nov dez',
  ro: 'ian feb mar apr mai iun iul aug sep oct noi|nov dec',
  sk: 'jan feb mar apr máj|maj jún|jun júl|jul aug sep okt nov dec',
  sl: 'jan feb mar apr maj jun jul avg sep okt nov dec',
  roman: 'i ii iii iv v vi vii viii ix x xi xii',
};

interface MonthNames {
  /** Alternatives of a regular expression, the longest first. */
  readonly pattern: string;
  /** @param name as found by the pattern. @returns 1 to 12 */
  readonly number: (name: string) => number;
}

const made = new Map<string, MonthNames>();

/** @throws TypeError for a language that no registry has */
export function monthNames(language: string): MonthNames {
  let names = made.get(language);
  if (names === undefined) {
    const numbers = new Map<string, number>();
    for (const [index, words] of LANGUAGES[language]!.split(' ').entries())
      for (const word of words.split('|')) if (!numbers.has(word)) numbers.set(word, index + 1);
    const pattern = [...numbers.keys()].sort((a, b) => b.length - a.length).join('|');
    names = { pattern, number: (name) => numbers.get(name.toLowerCase())! };
    made.set(language, names);
  }
  return names;
}
