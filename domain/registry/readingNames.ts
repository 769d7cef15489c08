/**
 * Names of tools that only read (choices registry.tools): a verb that fetches leads, and all
 * further words are listed here. A conjunction never is, because a second verb follows it.
 */
const FETCHING_VERBS: ReadonlySet<string> = new Set(
  'get list read search find fetch describe count show lookup'.split(' '),
);

/** Verbs and nouns that ask about the server itself; only these may stand beside them. */
const ABOUT_THE_SERVER: ReadonlySet<string> = new Set(
  'status ping health info version about help check server service api system'.split(' '),
);
const OPENINGS: ReadonlySet<string> = new Set(
  'status ping health info version about help'.split(' '),
);

const THINGS: ReadonlySet<string> = new Set(
  `
  a account activity address ads affiliate age agenda agent airport alert algorithm all alphabet
  an analysis analytics annotation answer api app application architecture area article artist
  asset attribute audience audio author available average backlink balance bank basic benchmark
  best bill blob block blockchain blog board body book booking bot box branch brand breed bucket
  bug building business by calendar camera campaign candidate candle capability capital car card
  carrier case catalog catalogue category certificate chain changelog channel chapter character
  chart chat city class client club cluster codebase coin collection color column comment
  commodity community company comparison competition component concept condition conference
  config configuration connection constant contact container content context contract
  contributor conversation corpus cost count country county course coverage crypto
  cryptocurrency currency current customer daily dashboard data database dataset date day
  default definition department dependency description design detail device dex diagram
  dictionary diff dimension directory discussion distance district dividend doc docs document
  documentation domain driver earning earthquake economic economy element email employee
  endpoint energy engine entity entry environment episode error estimate etf eth event evidence
  example exchange existing expense experience expert explanation extension facet fact faq
  feature fee feed feedback field figure file filing film filter finance financial flight folder
  font food for forecast form format forum framework free from full function game gas gender
  general genre geo global glossary goal graph group guide guideline hash head header headline
  health help highlight history holding holiday hotel hour hourly house icon id image in index
  indicator industry inflation info information ingredient insight instruction instrument
  integration interest interface inventory invoice ip issue item job joke journal json kanji
  keyword kind knowledge label language large last latest law layer leaderboard league lesson
  level lexicon library license limit line liquidity list listing local locale location logo
  long map market match material matrix me meal measurement media medicine meeting member
  membership memory mention menu message meta metadata method metric milestone minute mode model
  module moon movie municipality museum music my name nation national nba neighborhood network
  news newsletter nft node note notification object observation of offer office on online
  operation opinion option order org organisation organization origin outage outlook output
  overview owner package page pair palette paper paragraph parameter park part participant
  partner passage patent patient pattern pdf people performance period permission person phase
  photo picture pipeline place plan planet platform player playlist plugin podcast poem point
  policy pool popular population port portfolio position postcode price pricing problem product
  profile profit program progress project prompt property proposal protocol provider province
  public publication query question quota quote random range rank ranking rate rating readme
  real recent recipe recommendation record reference region related release repo report
  repository requirement research resource restaurant result revenue review road role room route
  row rule sale sample satellite schema school science score screen screenshot season section
  sector security segment sensor sentence sentiment series server service setting shape share
  shelf shipment shop show simple site size skill snapshot social software solution song source
  space spec species specification sport sprint sql stack standard standing stargazer stat state
  statement station statistic statistics stats status stock store story stream street structure
  student style subject subreddit subscriber suggestion summary sunrise sunset supply supported
  surah symbol synonym syntax system table tag target tax team technology temperature template
  term test text the theme thing thread ticker tide time timeline timestamp timezone title today
  tomorrow tool top topic total town track trade traffic transaction transcript translation
  transport travel tree trend trending trivia tutorial tv type ui unit university upcoming
  uptime url usage user utc validator value variable variant vehicle vendor venue verse version
  video view visitor volume vulnerability wallet warehouse warning weather web webpage website
  week weekly whois wiki wikipedia wind with word workflow workspace world year yesterday yield
  zone
  `
    .trim()
    .split(/\s+/),
);

/** The first word that is not known to read only; undefined when all of them are. */
export function strangeWord(words: readonly string[]): string | undefined {
  const [first = '', ...others] = words;
  if (OPENINGS.has(first)) return others.find((word) => !ABOUT_THE_SERVER.has(word));
  if (!FETCHING_VERBS.has(first)) return first;
  return others.find((word) => !isThing(word));
}

export const leadsReading = (word: string): boolean =>
  FETCHING_VERBS.has(word) || OPENINGS.has(word);

function isThing(word: string): boolean {
  if (THINGS.has(word)) return true;
  const singulars = [word.replace(/ies$/, 'y'), word.replace(/es$/, ''), word.replace(/s$/, '')];
  return singulars.some((singular) => singular !== word && THINGS.has(singular));
}
