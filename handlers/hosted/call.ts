import type { Account } from '../../domain/account.ts';
import { hostedAddresses, type HostedAgent, type HostedTool } from '../../domain/hosted/agent.ts';
import type { Atomic } from '../../domain/money.ts';
import type { CallOutcome } from '../../domain/router/receipt.ts';
import type { Call, Reply } from '../../workflows/kernel/call.ts';
import { refuse } from '../../workflows/kernel/errors.ts';
import type { Handler } from '../../workflows/kernel/handler.ts';
import type { AgentResponse, Hub } from '../../workflows/kernel/hub.ts';
import { forwardTool, visitLimits } from '../../workflows/hosted/forward.ts';
import { mustBeHosted } from '../../workflows/hosted/given.ts';
import { noteVisit } from '../../workflows/hosted/note.ts';
import { recentHosted } from '../../workflows/hosted/recent.ts';
import { refuseUnpaid } from '../../workflows/hosted/quote.ts';
import { beginning, buying, rehearsal, type Order } from '../../workflows/router/order.ts';
import { perform } from '../../workflows/router/perform.ts';
import { planOf } from '../../workflows/router/plan.ts';
import { withReceipt } from '../../workflows/x402/accept.ts';
import { payAtDoor, type Purchase } from '../../workflows/x402/door.ts';
import { railOf } from '../../workflows/x402/rail.ts';
import { presentReceipt } from '../router/present.ts';
import { UNTRUSTED_ANSWERS } from '../untrusted.ts';

/**
 * Calls a tool for a caller without an account: a free one at once, a priced one for the wallet
 * whose payment came along (choices router.x402), else with its price.
 */
export const call: Handler<'hosted.call'> = async (call, hub) => {
  const { keyId } = call.path;
  const startedAt = hub.clock.elapsedMs();
  const recent = await recentHosted(hub, keyId);
  const isFree = ({ name, price }: HostedTool) => name === call.body.tool && price === undefined;
  if (recent?.tools.some(isFree) === true) return visited(hub, call, recent, startedAt);
  const agent = await hub.store.read((db) => mustBeHosted(db, keyId));
  const tool = toolNamed(agent, call.body.tool);
  const { price } = tool;
  if (price === undefined) return visited(hub, call, agent, startedAt);
  return bought(hub, call, { agent, tool, price }, startedAt);
};

function toolNamed(agent: HostedAgent, name: string): HostedTool {
  const found = agent.tools.find((each) => each.name === name);
  if (found !== undefined) return found;
  return refuse('not-found', {
    error: `The agent ${agent.listingId} has no tool ${name}.`,
    hint: `It has: ${agent.tools.map((each) => each.name).join(', ')}.`,
    field: 'body.tool',
  });
}

async function visited(
  hub: Hub,
  { body, caller, request }: Call<'hosted.call'>,
  agent: HostedAgent,
  startedAt: number,
): Promise<Reply<'hosted.call'>> {
  const { tool, arguments: args = {} } = body;
  const asked = { caller: `visitor ${caller.ip}`, tool, args };
  const response = await forwardTool(hub, agent, asked, visitLimits(request.gone));
  const durationMs = Math.max(0, Math.round(hub.clock.elapsedMs() - startedAt));
  const { outcome, why } = outcomeOf(response);
  const { keyId } = agent;
  noteVisit(hub, { keyId, tool, outcome, why, durationMs });
  const result = response.kind === 'result' ? { result: response.result } : {};
  const answer = { callId: hub.ids.uuid(), outcome, why, durationMs, ...result };
  return { status: 200, body: { ...answer, ...UNTRUSTED_ANSWERS } };
}

interface Priced {
  readonly agent: HostedAgent;
  readonly tool: HostedTool;
  readonly price: Atomic;
}

/** The same call as through the router, from the account of the wallet that paid. */
async function bought(
  hub: Hub,
  call: Call<'hosted.call'>,
  { agent, tool, price }: Priced,
  startedAt: number,
): Promise<Reply<'hosted.call'>> {
  const { network, listingId: agentId, keyId } = agent;
  const { baseUrl } = hub.settings;
  const path = new URL(hostedAddresses(baseUrl, keyId).mcp).pathname;
  const rail = await railOf(hub, network);
  const orderOf = async (caller: Account): Promise<Order> => {
    const asked = { caller, agentId, operation: tool.name, maxPrice: price };
    const plan = await planOf(hub, asked, { network });
    return { ...asked, network, plan, door: { path, rail } };
  };
  const purchase: Purchase = {
    network,
    due: price,
    path,
    description: buying(tool.name),
    rehearse: async (caller, undone) =>
      hub.transact(call, undone(rehearsal(hub, await orderOf(caller)))),
  };
  const paid = await payAtDoor(hub, call, purchase);
  if (paid === undefined) return refuseUnpaid(hub, { agent, tool: tool.name }, purchase, rail);
  return withReceipt(paid, async (): Promise<Reply<'hosted.call'>> => {
    const begun = await hub.transact(call, beginning(hub, await orderOf(paid.account)));
    const { arguments: args = {} } = call.body;
    const done = await perform(hub, begun, {
      asked: { kind: 'tool', name: tool.name, args },
      from: call.caller,
      isRepeatable: false,
      startedAt,
    });
    const { id: callId, why, durationMs, outcome } = done.receipt;
    const facts = { callId, why, durationMs, outcome: PAID_OUTCOMES[outcome] };
    const result = done.result === undefined ? {} : { result: done.result.value };
    const receipt = presentReceipt(done.receipt);
    return { status: 200, body: { ...facts, ...result, receipt, ...UNTRUSTED_ANSWERS } };
  });
}

type Outcome = 'served' | 'failed' | 'refused' | 'unknown';

/** A receipt says more; what was never forwarded is `refused` here. */
const PAID_OUTCOMES: Readonly<Record<CallOutcome, Outcome>> = {
  served: 'served',
  failed: 'failed',
  unknown: 'unknown',
  running: 'unknown',
  priced: 'refused',
  'none-suitable': 'refused',
};

function outcomeOf(response: AgentResponse): { readonly outcome: Outcome; readonly why: string } {
  switch (response.kind) {
    case 'result':
      return response.isError
        ? { outcome: 'failed', why: 'The tool said that it failed.' }
        : { outcome: 'served', why: 'It served.' };
    case 'failed': {
      const { reason, message: why } = response;
      if (reason === 'busy') return { outcome: 'refused', why };
      return { outcome: reason === 'timeout' ? 'unknown' : 'failed', why };
    }
    case 'quote':
    case 'key-needed':
    case 'refused':
      return { outcome: 'failed', why: response.message };
  }
}
