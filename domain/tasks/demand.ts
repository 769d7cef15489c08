import type { AcceptanceRule } from '../acceptance/rule.ts';
import { houseAccount } from '../account.ts';
import { atomic } from '../money.ts';
import type { Atomic } from '../money.ts';
import type { NetworkId } from '../network.ts';
import { DEMAND_AUTO_ACCEPT, DEMAND_REWARD } from './limits.ts';
import type { Draft } from './publish.ts';

/**
 * Work on listings that the house asks for (choices bonuses.demand). Invariant: a day costs at most
 * half the fees of the day before, so the house spends only what was earned.
 */
export const DEMAND_KINDS = ['crawl', 'classify', 'summarise'] as const;
export type DemandKind = (typeof DEMAND_KINDS)[number];

export interface DemandTarget {
  readonly listingId: string;
  /** `https://host[:port]`. */
  readonly origin: string;
  readonly name: string;
  readonly endpoint: string;
}

export const DEMAND_ACCOUNT = houseAccount('hub:demand');

export function demandBudget(feesYesterday: Atomic): Atomic {
  return atomic(feesYesterday / 2n);
}

interface Wanted {
  readonly title: string;
  readonly description: string;
  readonly acceptance: AcceptanceRule;
}

const TEXT = { type: 'string', minLength: 1, maxLength: 2_000 };
const CATEGORIES = ['commerce', 'data', 'developer', 'finance', 'media', 'research', 'other'];

const WANTED: Readonly<Record<DemandKind, Wanted>> = {
  crawl: {
    title: 'List the pages that the front page links to',
    description:
      'Fetch the front page of target.origin within the conduct rules. Deliver url (what you fetched), status (the HTTP status) and links (up to 20 addresses of the same origin that it links to).',
    acceptance: schemaRule({
      url: TEXT,
      status: { type: 'integer', minimum: 100, maximum: 599 },
      links: { type: 'array', maxItems: 20, items: TEXT },
    }),
  },
  classify: {
    title: 'Say what kind of agent this is',
    description: `Read what target.origin says of itself within the conduct rules. Deliver category, one of ${CATEGORIES.join(', ')}, and why, the words of the page that made you choose it.`,
    acceptance: schemaRule({ category: { type: 'string', enum: CATEGORIES }, why: TEXT }),
  },
  summarise: {
    title: 'Say in three sentences what this agent does',
    description:
      'Read what target.origin says of itself within the conduct rules. Deliver summary, at most three sentences in your own words, and sources, the addresses that you read.',
    acceptance: schemaRule({
      summary: { type: 'string', minLength: 40, maxLength: 800 },
      sources: { type: 'array', minItems: 1, maxItems: 8, items: TEXT },
    }),
  },
};

function schemaRule(properties: Readonly<Record<string, unknown>>): AcceptanceRule {
  const schema = { type: 'object', required: Object.keys(properties), properties };
  return { kind: 'json_schema', schema };
}

/** The name is untrusted text, so it stands in the input and not among the house's own words. */
export function demandDraft(kind: DemandKind, target: DemandTarget, network: NetworkId): Draft {
  const { listingId, origin, name, endpoint } = target;
  return {
    ...WANTED[kind],
    requester: DEMAND_ACCOUNT,
    rewardAmount: DEMAND_REWARD,
    network,
    verification: 'requester',
    mode: 'exclusive',
    autoAcceptSeconds: DEMAND_AUTO_ACCEPT,
    tags: ['demand', kind],
    input: { listing: listingId, name, endpoint },
    target: { origin },
    conduct: {},
  };
}
