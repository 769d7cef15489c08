import assert from 'node:assert/strict';
import { unwrap, type components } from '../typescript/index.ts';
import type { Actor, Talent } from './agents/agents.ts';
import type { Person } from './accounts.ts';
import { eventually, line, step, usdc } from './scenario.ts';

/** The second part of the demo: third-party agents are probed, found and called through the hub. */
type Listing = components['schemas']['AgentListing'];
type EndpointCheck = components['schemas']['EndpointCheck'];
type Receipt = components['schemas']['CallReceipt'];

/** Submits them to the hub and returns their listings by name once the hub has probed them all. */
export async function introduce(
  rita: Person,
  actors: readonly Actor[],
): Promise<ReadonlyMap<string, Listing>> {
  step('Six agents run that the hub does not know yet; Rita submits their addresses');
  for (const { url, found, builtWith } of actors) {
    const body = { url };
    const path = found.kind === 'mcp' ? '/api/v1/mcp-servers' : '/api/v1/agents';
    unwrap(await rita.POST(path, { body }));
    line(`${url.padEnd(27)} ${builtWith}`);
  }
  step('The hub called every one of them, and shows its measurements');
  const listings = new Map<string, Listing>();
  const leftAlone = new Map<string, string>();
  for (const actor of actors) {
    const listing = await listed(rita, actor);
    const { kind, name, protocolVersion, access, availability } = listing;
    const { tools } = await lookAt(rita, listing.endpoint);
    const prices = pricesOf(tools);
    assert.deepEqual(
      { kind, name, protocolVersion, access, tools: tools.length, prices },
      actor.found,
    );
    assert.equal(availability, 'live');
    line(measured(listing, tools));
    for (const { verdict, why, name: tool } of tools) {
      // One example of each rule: what a rule says differs in numbers and quoted words alone.
      const rule = why.replace(/\d+|"[^"]*"/g, '');
      if (verdict === 'not-called') leftAlone.set(rule, `${tool} of ${name}: ${why}`);
    }
    listings.set(name, listing);
  }
  line('It calls what needs nothing and changes nothing. Not called, for example:');
  for (const example of leftAlone.values()) line(`   ${example}`);
  return listings;
}

/** Formats name, protocol, tools, access and price, and the results of the probed tools. */
function measured(listing: Listing, tools: EndpointCheck['tools']): string {
  const { kind, name, protocolVersion = '', availability, access } = listing;
  const verdicts = new Map<string, number>();
  for (const { verdict } of tools) verdicts.set(verdict, (verdicts.get(verdict) ?? 0) + 1);
  return [
    name.padEnd(27),
    `${kind} ${protocolVersion}`.padEnd(14),
    `${availability}, ${access}`.padEnd(10),
    `${tools.length} ${tools.length === 1 ? 'tool' : 'tools'}`.padStart(8),
    [...verdicts].map(([verdict, count]) => `${count} ${verdict}`).join(', '),
    ...pricesOf(tools).map((amount) => `${usdc(amount)} a call`),
  ].join('  ');
}

function pricesOf(tools: EndpointCheck['tools']): string[] {
  return tools.flatMap(({ price }) => (price === undefined ? [] : [price.amount]));
}

/** Returns the result of the hub's last probe, without a new call. */
async function lookAt(rita: Person, url: string): Promise<EndpointCheck> {
  return unwrap(await rita.GET('/api/v1/verify', { params: { query: { url } } }));
}

async function listed(rita: Person, { url, found }: Actor): Promise<Listing> {
  const { origin } = new URL(url);
  const params = { path: { origin } };
  const id = await eventually(`a look at ${found.name}`, async () => {
    const record = unwrap(await rita.GET('/api/v1/agents/submissions/{origin}', { params }));
    assert.notEqual(record.state, 'not-listed', record.why);
    return record.found[0]?.id;
  });
  return unwrap(await rita.GET('/api/v1/agents/{id}', { params: { path: { id } } }));
}

export async function ask(
  rita: Person,
  actors: readonly Actor[],
  listings: ReadonlyMap<string, Listing>,
): Promise<void> {
  step('Rita asks in plain words: search finds a tool, and the hub calls it in its own protocol');
  for (const { talent, found } of actors) {
    if (talent === undefined) continue;
    const agentId = await findTool(rita, talent);
    assert.equal(agentId, listings.get(found.name)?.id);
    const { tool: operation, args } = talent;
    const body = { caller: rita.account, agentId, operation, arguments: args };
    const { receipt, result } = unwrap(await rita.POST('/api/v1/call', { body }));
    assert.deepEqual([receipt.outcome, receipt.cost], ['served', '0'], receipt.why);
    assert.equal(firstText(result), talent.answer);
    line(`"${talent.question}"  ${operation} of ${found.name}`);
    line(`   ${JSON.stringify(args)} -> "${talent.answer}"`);
  }
}

/** Answers the code of the agent whose tool the search puts first. */
export async function findTool(rita: Person, { question: q, tool }: Asked): Promise<string> {
  const params = { query: { q, kind: 'skill' as const } };
  // A listing enters the index within a second or so.
  return eventually(`${tool} as the first answer to "${q}"`, async () => {
    const { results } = unwrap(await rita.GET('/api/v1/search', { params }));
    return results[0]?.skill === tool ? results[0].agentId : undefined;
  });
}
type Asked = Pick<Talent, 'question' | 'tool'>;

export async function receipts(rita: Person, expected: readonly string[]): Promise<void> {
  step('Every call left a receipt');
  const page = unwrap(await rita.GET('/api/v1/call/receipts'));
  const reported = [...page.receipts].reverse();
  assert.deepEqual(
    reported.map(({ operation, outcome, cost }) => `${operation} ${outcome} ${cost}`),
    expected,
  );
  for (const receipt of reported) line(inShort(receipt));
}

function inShort(receipt: Receipt): string {
  const { operation, outcome, cost, durationMs, responseBytes, responseHash = '' } = receipt;
  const took = `${durationMs} ms`.padStart(6);
  const heard = `${responseBytes} bytes, SHA-256 ${responseHash.slice(0, 12)}…`;
  return `${operation.padEnd(14)} ${outcome.padEnd(7)} ${usdc(cost).padEnd(11)} ${took}, ${heard}`;
}

export function firstText(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  for (const [name, inner] of Object.entries(value) as [string, unknown][]) {
    const found = name === 'text' && typeof inner === 'string' ? inner : firstText(inner);
    if (found !== undefined) return found;
  }
  return undefined;
}
