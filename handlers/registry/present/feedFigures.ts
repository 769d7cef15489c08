import type { Schemas } from '../../../workflows/kernel/answered.ts';

/** How each figure of what feeds name is counted. */
export const FEED_FIGURES: readonly Schemas['FeedFigure'][] = [
  {
    figure: 'names',
    counts: 'Distinct addresses that the feed named, in the month in which it named them first.',
    query: '/api/v1/crawl/feeds',
  },
  {
    figure: 'probed',
    of: 'names',
    counts: 'Of them those addresses that the crawler itself asked, whatever came back.',
    query: '/api/v1/crawl/feeds?by=month',
  },
  {
    figure: 'listed',
    of: 'names',
    counts: 'Of them those at which a listing is, whether or not it answers now.',
    query: '/api/v1/agents?includeUnavailable=true',
  },
  {
    figure: 'answering',
    of: 'listed',
    counts: 'Of them those whose listing is live or unstable now.',
    query: '/api/v1/agents',
  },
  {
    figure: 'speaksMcp',
    of: 'answering',
    counts: 'Of those that answer those that speak MCP.',
    query: '/v0.1/servers?version=latest',
  },
  {
    figure: 'needsAuthorisation',
    of: 'answering',
    counts: 'Of those that answer those that asked for authorisation.',
    query: '/api/v1/agents?access=auth-required',
  },
  {
    figure: 'charges',
    of: 'names',
    counts:
      'Of them those that quoted a price over x402, listed or not, and listed ones that are paid.',
    query: '/discovery/resources',
  },
  {
    figure: 'up30d',
    of: 'watched30d',
    counts:
      'Of those that were seen first 30 days ago or earlier (`watched30d`) those that answer and had an uptime of at least 99 % since.',
    query: '/api/v1/agents?minUptimePercent=99',
  },
];
