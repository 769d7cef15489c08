import { defined } from '../../domain/defined.ts';
import { sha256Hex } from '../../domain/digest.ts';
import { usesFiles } from '../../domain/acceptance/rule.ts';
import { canonical } from '../../domain/json.ts';
import { ZERO } from '../../domain/money.ts';
import type { Call, Reply } from '../../workflows/kernel/call.ts';
import { refuse } from '../../workflows/kernel/errors.ts';
import { admitNow } from '../../workflows/kernel/admission.ts';
import type { Handler } from '../../workflows/kernel/handler.ts';
import type { Hub } from '../../workflows/kernel/hub.ts';
import {
  beginning,
  buying,
  rehearsal,
  type Begun,
  type Order,
} from '../../workflows/router/order.ts';
import { callReceipt, perform, type CallWishes } from '../../workflows/router/perform.ts';
import { operationOf, planOf } from '../../workflows/router/plan.ts';
import { ruleIn } from '../../workflows/tasks/acceptance.ts';
import { networkNamed } from '../../workflows/wallet/network.ts';
import { bringsPayment, withReceipt } from '../../workflows/x402/accept.ts';
import { payAtDoor } from '../../workflows/x402/door.ts';
import { railOf } from '../../workflows/x402/rail.ts';
import { presentCall } from './present.ts';

const PATH = '/api/v1/call';
/** As much as a receipt shows. */
const OPERATION_LENGTH_MAX = 300;

/** Calls an agent for the signer, with a payment that came along or from the balance. */
export const call: Handler<'router.call'> = async (call, hub) => {
  const startedAt = hub.clock.elapsedMs();
  mustBeClear(call);
  // Money on the chain moves before the unit that would take the nonce.
  if (bringsPayment(call)) await admitNow(hub, call.caller);
  const { caller: from } = call;
  const { caller, maxPrice, accept: given } = call.body;
  const operation = operationOf(call.body);
  const accept = given && ruleIn(await hub.checks.compile(given, from), 'body.accept');
  if (accept !== undefined && usesFiles(accept)) {
    const error = 'An answer to a call has no files, so a rule of kind files cannot judge it.';
    refuse('bad-acceptance', { error, field: 'body.accept' });
  }
  const acceptHash = accept && sha256Hex(canonical(accept));
  const network = networkNamed(hub, call.body.network, 'body.network');
  const plan = await planOf(hub, call.body, { network, ...defined({ acceptHash }) });
  const due = plan.offers[0]?.due ?? ZERO;
  const door = { path: PATH, rail: await railOf(hub, network) };
  const bound = defined({ maxPrice, acceptHash });
  const order: Order = { caller, operation, ...bound, network, plan, door };
  const paid = await payAtDoor(hub, call, {
    network,
    due,
    path: PATH,
    description: buying(operation),
    refuse: plan.refuse,
    rehearse: (_, undone) => hub.transactOnce(call, undone(rehearsal(hub, order))),
  });
  const wishes = { ...defined({ accept }), from, startedAt };
  return withReceipt(paid, () => answer(hub, call, order, wishes));
};

async function answer(
  hub: Hub,
  call: Call<'router.call'>,
  order: Order,
  wishes: Pick<CallWishes, 'accept' | 'from' | 'startedAt'>,
): Promise<Reply<'router.call'>> {
  let begun: Begun | undefined;
  const { needs, decide } = beginning(hub, order);
  const first = await hub.transactOnce(call, {
    needs,
    decide(db) {
      // The last decision counts; a repeat has none.
      begun = decide(db);
      return presentCall(begun.receipt, call.body);
    },
  });
  if (first.repeated || begun === undefined) {
    const receipt = await callReceipt(hub, first.receipt.id);
    return { status: 200, body: { ...presentCall(receipt, call.body), repeated: true } };
  }
  const { arguments: args = {}, repeatable: isRepeatable = false, kind = 'tool' } = call.body;
  const { operation: name, waitSeconds } = call.body;
  const asked = { kind, name, args, ...defined({ waitSeconds }) };
  const { receipt, result } = await perform(hub, begun, { asked, isRepeatable, ...wishes });
  return { status: 200, body: { ...presentCall(receipt, call.body, result), repeated: false } };
}

/** Refuses what can be refused without a read. */
function mustBeClear({ body }: Call<'router.call'>): void {
  if (body.agentId !== undefined && body.endpoint !== undefined) {
    refuse('not-together', {
      error: 'The call names both agentId and endpoint.',
      hint: 'Name one of them, or neither to let the hub pick.',
      field: 'body.endpoint',
    });
  }
  if (body.kind === undefined || body.kind === 'tool') return;
  if (body.agentId === undefined && body.endpoint === undefined) {
    refuse('bad-request', {
      error: `The index knows no ${body.kind}s, so a call of one names its agent.`,
      hint: 'Send `agentId` or `endpoint` along; GET /api/v1/agents?q= finds agents.',
      field: 'body.agentId',
    });
  }
  if (body.kind === 'resource' && body.arguments !== undefined) {
    refuse('bad-request', {
      error: 'A resource is read by its address alone and takes no arguments.',
      hint: 'Leave `arguments` out, or call a tool.',
      field: 'body.arguments',
    });
  }
  if (operationOf(body).length > OPERATION_LENGTH_MAX) {
    refuse('bad-request', {
      error: `With its kind the operation has more than ${OPERATION_LENGTH_MAX} letters.`,
      hint: 'Call the agent itself for it; the receipt of the hub has no room for the name.',
      field: 'body.operation',
    });
  }
}
