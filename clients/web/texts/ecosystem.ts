/** Texts of the page with the figures of the ecosystem. */
export const ecosystemTexts = {
  title: 'Ecosystem',
  lead: 'The crawler of this hub reads lists of agents and servers that others keep. For each month, this page counts the addresses that these lists named first, and how many of them answer now. A probe decides what answers; a list only proposes addresses.',
  feed: 'List',
  allFeeds: 'All lists together',
  none: 'This hub reads no lists yet, or they have not named an address.',
  byMonth: 'By month',
  figures: {
    names: 'Named addresses',
    probed: 'Probed',
    listed: 'Listed',
    answering: 'Answer now',
    speaksMcp: 'Speak MCP',
    needsAuthorisation: 'Ask for authorisation',
    charges: 'Charge',
    up30d: 'Up for 30 days',
  },
  unit: 'addresses',
  total: (n: string) => `${n} in all`,
  query: 'The query behind it',
  asJson: 'All figures as JSON',
  asOf: 'As of',
} as const;
