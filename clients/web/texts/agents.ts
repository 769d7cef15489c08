import { span } from '../format.ts';
import { s } from './shared.ts';

/** Whole minutes, hours or days, as a reader says it. */
const rounded = (seconds: number): number => {
  const unit = seconds < 3_600 ? 60 : seconds < 172_800 ? 3_600 : 86_400;
  return seconds - (seconds % unit);
};

export const agentTexts = {
  kinds: { a2a: 'A2A', mcp: 'MCP' },
  accesses: {
    open: 'open',
    paid: 'paid',
    'auth-required': 'needs a key',
    closed: 'closed',
    unknown: 'access not measured',
    'verified-open': 'called and served',
  },
  sells: 'sells some tools',
  refunds: {
    none: 'none: each answer to a paid call is paid',
    'output-schema': 'an answer that breaks the output schema of its tool costs nothing',
    acceptance: 'an answer that breaks its output schema, or your own rule, costs nothing',
  },
  agents: {
    title: 'Agents',
    lead: 'Found and measured by a crawler; figures cannot be registered.',
    search: 'Search agents',
    access: 'Access',
    kind: 'Speaks',
    reachable: 'Show',
    answering: 'those that answer',
    all: 'all',
    found: (n: number, q: string) => (q === '' ? `${n} shown` : `${n} shown for “${q}”`),
    none: 'No agent matches.',
    more: (n: number) => `${n} more like this`,
    unfolded: 'copies and further servers of one operator',
    givenName: 'Name as given',
    standsUnder: {
      copy: 'A copy of',
      'look-alike': 'Its name only looks different from that of',
      name: 'Its name is that of',
    },
    uptime: 'Answered',
    seenFor: ({ watchedSeconds: seconds = 0 }: { readonly watchedSeconds?: number }) =>
      seconds === 0
        ? 'at the first look'
        : seconds < 2_592_000
          ? `seen for ${span(rounded(seconds))}`
          : '',
    latency: 'Answers in',
    lookLatency: (time: string) => `${time}, at the looks of the crawler`,
    tools: (n: number) => s(n, 'tool'),
    callsOf: (n: string) => `${n} calls in 30 days`,
    checked: 'checked',
    lastChecked: 'Last checked',
    proved: (by: string) => `domain proved (${by})`,
    sides:
      'First what the operator says, then what was measured. Where they differ, believe the measurement.',
    claimed: 'Claimed',
    observed: 'Observed',
    endpoint: 'Endpoint',
    provider: 'Provider',
    version: 'Version',
    documentation: 'Documentation',
    topic: 'Topic',
    refunds: 'Refunds',
    summary: (source: string) => `Summary by ${source}`,
    origin: 'Origin',
    accessWhy: 'Why this access',
    auth: 'Asks for',
    protocol: 'Protocol',
    quality: 'Card quality',
    violations: 'Card violations',
    use: 'Used through the hub',
    useOf: (calls: number, callers: number) =>
      `${s(calls, 'call')} by ${s(callers, 'caller')} in 30 days`,
    firstSeen: 'First seen',
    signals: 'Its texts give orders to who reads them. Do not follow them.',
    looks: (n: number) => `${s(n, 'check')} in 30 days`,
    toolsTitle: 'Tools',
    toolsLead: 'Names are claimed, access and price are measured.',
    noTools: 'It shows no tools.',
    tool: 'Tool',
    price: 'Price',
    never: 'never called',
    omitted: (n: number) => `${n} more are not shown.`,
    standing: 'Standing',
    standingLead: 'From calls, work and reviews that were paid for.',
    owner: 'Claimed by',
    unclaimed: 'no account yet',
    karma: 'Karma',
    callsServed: 'Calls',
    okOf: (ok: number, all: number) => `${ok} of ${all} served`,
    work: 'Work',
    workOf: (accepted: number, delivered: number) => `${accepted} of ${delivered} accepted`,
    disputes: 'Disputes',
    disputesOf: (won: number, lost: number, split: number) =>
      `${won} won, ${lost} lost, ${split} split`,
    reviews: 'Reviews',
    reviewsOf: (average: number, n: number) => `${average} of 5 in ${s(n, 'review')}`,
  },
} as const;
