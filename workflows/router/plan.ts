import type { Reader } from '../../db/store.ts';
import { candidateAt, candidateNamed, offering, speaking } from '../../db/router/candidates.ts';
import { defined } from '../../domain/defined.ts';
import { isHostedAddress } from '../../domain/hosted/agent.ts';
import { A2A_METHODS, isA2aMethod, isUnsentMethod } from '../../domain/router/a2aMethods.ts';
import type { Candidate } from '../../domain/router/candidate.ts';
import type { Purse } from '../../domain/router/price.ts';
import type { Considered } from '../../domain/router/receipt.ts';
import { select, selectNamed, type Offer } from '../../domain/router/select.ts';
import { refuse, type RefusalDetail } from '../kernel/errors.ts';
import type { Body } from '../kernel/call.ts';
import type { Hub } from '../kernel/hub.ts';

/** Who is to be called, before any money is touched. */
export interface Plan {
  readonly offers: readonly Offer[];
  readonly considered: readonly Considered[];
  /** The call ends before it begins. */
  readonly over?: {
    readonly outcome: 'none-suitable' | 'priced' | 'failed';
    readonly why: string;
    readonly candidate?: Candidate;
  };
  /** Called after the check for a repeat, so that a repeat still gets its receipt. */
  readonly refuse?: () => never;
}

const TRY_AT_MOST = 3;

export async function planOf(
  hub: Hub,
  body: Body<'router.call'>,
  { network, acceptHash }: Pick<Purse, 'network' | 'acceptHash'>,
): Promise<Plan> {
  const { agentId, endpoint, caller, maxPrice } = body;
  const operation = operationOf(body);
  const purse = { caller, network, ...defined({ maxPrice, acceptHash }) };
  if (agentId !== undefined) {
    const find = (db: Reader) => candidateNamed(db, agentId, operation);
    const plan = await planNamed(hub, find, operation, purse, {
      error: `There is no listing ${agentId}.`,
      hint: 'GET /api/v1/agents?skill=<the operation> lists who has it.',
      field: 'body.agentId',
    });
    return mustHave(body.kind, plan);
  }
  return endpoint === undefined
    ? planOpen(hub, body, purse)
    : mustHave(body.kind, await planAt(hub, endpoint, operation, purse));
}

/**
 * A resource or a prompt under a name that no tool of the index has, so that neither the price nor
 * the tallies of a tool of the same name are taken for it.
 */
export function operationOf({ kind = 'tool', operation }: Body<'router.call'>): string {
  return kind === 'tool' ? operation : `${kind} ${operation}`;
}

/** Another agent has none; a hosted one is forwarded tools alone. */
function mustHave(kind: Body<'router.call'>['kind'], plan: Plan): Plan {
  const candidate = plan.offers[0]?.candidate;
  if (kind === undefined || kind === 'tool' || candidate === undefined) return plan;
  if (candidate.kind === 'mcp' && candidate.hosted === undefined) return plan;
  const what = candidate.hosted === undefined ? 'speaks A2A' : 'is hosted here';
  const error = `The agent ${what}, so it has tools and no ${kind}s.`;
  const hint = 'Leave `kind` out to call a tool; GET /api/v1/agents/{id} lists its tools.';
  const no = (): never => refuse('bad-request', { error, hint, field: 'body.kind' });
  return { offers: [], considered: [], refuse: no };
}

/** Plans a call that names no agent: every listing that has the operation is considered. */
async function planOpen(hub: Hub, body: Body<'router.call'>, purse: Purse): Promise<Plan> {
  const { operation } = body;
  const found = await hub.store.read((db) =>
    isA2aMethod(operation) ? speaking(db, operation) : offering(db, operation),
  );
  const reachable = found.map((candidate) => barred(hub, candidate));
  const tryAtMost = body.tryAtMost ?? TRY_AT_MOST;
  const selection = select(reachable, { ...purse, tryAtMost }, hub.clock.now());
  if (selection.offers.length > 0) return selection;
  const why =
    found.length === 0
      ? 'No listing has an operation of exactly this name.'
      : `None of the ${found.length} listings with this operation suits; \`considered\` says why.`;
  return { ...selection, over: { outcome: 'none-suitable', why } };
}

async function planAt(hub: Hub, endpoint: string, operation: string, purse: Purse): Promise<Plan> {
  const isOurs = isHostedAddress(hub.settings.baseUrl, endpoint);
  const verdict = hub.outbound.judge(endpoint);
  if (!verdict.ok && !isOurs) return refusing('endpoint-refused', verdict.message);
  const url = verdict.ok ? verdict.target.url : endpoint;
  const find = (db: Reader) => candidateAt(db, { given: endpoint, dialled: url }, operation);
  return planNamed(hub, find, operation, purse, {
    error: 'No listing answers at this address, so the hub does not know how to speak to it.',
    hint: 'POST /api/v1/agents {"url": "<the address>"} has it looked at; then call again.',
    field: 'body.endpoint',
  });
}

async function planNamed(
  hub: Hub,
  find: (db: Reader) => Promise<Candidate | undefined>,
  operation: string,
  purse: Purse,
  missing: RefusalDetail,
): Promise<Plan> {
  const found = await hub.store.readOne(find);
  if (found === undefined) {
    return { offers: [], considered: [], refuse: () => refuse('not-found', missing) };
  }
  if (found.kind === 'a2a' && found.skillId === undefined && isUnsentMethod(operation)) {
    return { offers: [], considered: [], refuse: () => refuseUnsent(operation) };
  }
  const candidate = barred(hub, found);
  if (candidate.barred !== undefined) return refusing('endpoint-refused', candidate.barred);
  const offer = selectNamed(candidate, purse, hub.clock.now());
  if ('due' in offer) return { offers: [offer], considered: [] };
  const outcome = offer.excluded === 'resting' ? 'failed' : 'priced';
  return { offers: [], considered: [], over: { outcome, why: offer.why, candidate } };
}

/** A method of A2A that went out as a message would begin work and be charged. */
function refuseUnsent(operation: string): never {
  return refuse('bad-request', {
    error: `The router does not send the A2A method ${operation}, and the agent has no skill of this name.`,
    hint: 'Name one of `allowed` or a skill of the agent; GET /api/v1/agents/{id} lists its skills. Streams and notifications are between you and the agent.',
    field: 'body.operation',
    allowed: [...A2A_METHODS],
  });
}

function refusing(code: 'endpoint-refused', error: string): Plan {
  const hint = 'Only public addresses are called. GET /api/v1/agents lists agents that answer.';
  return { offers: [], considered: [], refuse: () => refuse(code, { error, hint }) };
}

/** Asks the guard: what it would not dial is not worth a try (Router rule 6). */
function barred(hub: Hub, candidate: Candidate): Candidate {
  // A hosted agent is called where it forwards to, which the guard judges then.
  if (candidate.hosted !== undefined) return candidate;
  const verdict = hub.outbound.judge(candidate.endpoint);
  return verdict.ok ? candidate : { ...candidate, barred: verdict.message };
}
