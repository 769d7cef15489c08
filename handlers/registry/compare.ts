import {
  comparedServers,
  namedListings,
  offeringTool,
  type ComparedServer,
} from '../../db/registry/compared.ts';
import { shorten } from '../../domain/text.ts';
import type { Schemas } from '../../workflows/kernel/answered.ts';
import { refuse } from '../../workflows/kernel/errors.ts';
import type { Handler } from '../../workflows/kernel/handler.ts';
import { UNTRUSTED_LISTINGS } from '../untrusted.ts';
import { presentPrice } from '../../workflows/registry/present/listing.ts';
import { presentSummary } from './present/submission.ts';

type Server = Schemas['ToolComparison']['servers'][number];

const SERVERS_MAX = 10;
const PARTS = 10_000;
const ARGUMENTS_LENGTH_MAX = 500;

/** Servers with a tool of one name, side by side, from what was measured; nothing is called. */
export const compare: Handler<'registry.compare'> = async ({ query }, hub) => {
  const { tool, ids } = query;
  const codes = [...new Set(ids?.split(','))];
  const found = await hub.store.read(async (db) => {
    const named =
      ids === undefined
        ? await offeringTool(db, tool, SERVERS_MAX)
        : await namedListings(db, codes);
    return comparedServers(db, tool, named);
  });
  if (found.size === 0) {
    return refuse('not-found', {
      error: `No listed server${ids === undefined ? '' : ' of `ids`'} has a tool named ${tool}.`,
      hint: `GET /api/v1/search?q=${encodeURIComponent(tool)} finds tools by their words; their \`name\` is what is compared.`,
      field: 'query.tool',
    });
  }
  const servers = new Map([...found.values()].map((each) => [each.listing.id, each]));
  return {
    status: 200,
    body: {
      tool,
      servers: [...servers.values()].map(present),
      without: codes.filter((code) => !found.has(code)),
      ...UNTRUSTED_LISTINGS,
    },
  };
};

function present({ listing, skill }: ComparedServer): Server {
  const { availability, uptimeBps, latencyMs, lastCheckedAt, verification, karma } = listing;
  const price = skill.price ?? listing.price;
  return {
    listing: presentSummary(listing),
    live: availability === 'live',
    uptime: uptimeBps / PARTS,
    latencyMs,
    lastCheckedAt,
    verification,
    karma,
    toolAccess: skill.access,
    ...(price !== undefined && { price: presentPrice(price) }),
    arguments: shorten(skill.argumentLine ?? '', ARGUMENTS_LENGTH_MAX),
  };
}
