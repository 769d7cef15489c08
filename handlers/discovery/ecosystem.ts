import { ecosystemRows } from '../../db/registry/ecosystem.ts';
import type { Schemas } from '../../server/hub/answered.ts';
import type { Handler } from '../../server/hub/handler.ts';

type Figure = Schemas['EcosystemStats']['figures'][number];

const FIGURES: readonly Figure[] = [
  {
    figure: 'names',
    counts: 'Distinct addresses that the feed named, in the month in which it named them first.',
    query: '/api/v1/crawl/feeds',
  },
  {
    figure: 'probed',
    counts: 'Of them those whose origin the crawler has probed.',
    query: '/api/v1/stats/ecosystem',
  },
  {
    figure: 'listed',
    counts: 'Of them those at which a listing is, whether or not it answers now.',
    query: '/api/v1/agents?includeUnavailable=true',
  },
  {
    figure: 'answering',
    counts: 'Of them those whose listing is live or unstable now.',
    query: '/api/v1/agents',
  },
  {
    figure: 'speaksMcp',
    counts: 'Of those that answer those that speak MCP.',
    query: '/v0.1/servers?version=latest',
  },
  {
    figure: 'needsAuthorisation',
    counts: 'Of those that answer those that asked for authorisation.',
    query: '/api/v1/agents?access=auth-required',
  },
  {
    figure: 'charges',
    counts: 'Of those that answer those that are paid or quoted a price over x402.',
    query: '/discovery/resources',
  },
  {
    figure: 'up30d',
    counts: 'Of those that answer those whose uptime over the probes of 30 days is at least 99 %.',
    query: '/api/v1/agents?minUptimePercent=99',
  },
];

/** Figures of what feeds name; one reading goes through all proposals, so it is shared. */
export const ecosystem: Handler<'discovery.ecosystem'> = (call, hub) =>
  hub.responses.costly<'discovery.ecosystem'>(call, async () => {
    const rows = await hub.store.read(ecosystemRows);
    return {
      status: 200,
      body: {
        count: rows.length,
        rows: rows.map((row) => ({ ...row })),
        figures: FIGURES,
        at: hub.clock.now(),
      },
    };
  });
