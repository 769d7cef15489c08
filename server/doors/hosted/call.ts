import { defined } from '../../../domain/defined.ts';
import type { HostedAgent } from '../../../domain/hosted/agent.ts';
import { FORWARDED_HEADER } from '../../../domain/hosted/agent.ts';
import { isObject, type JsonObject } from '../../../domain/jsonObject.ts';
import { operationTable } from '../../../generated/operations.ts';
import type { AnyReply } from '../../http/wire.ts';
import type { Exchange } from '../../middleware/exchange.ts';
import { fault, RPC_REQUEST, RPC_UNAUTHORIZED, type RpcFault } from '../jsonRpc.ts';
import type { Operations, Outcome } from '../operations.ts';
import { receiptJson } from '../payment.ts';

/**
 * A call of a hosted agent in either protocol: signed, it is `router.call` with a receipt;
 * unsigned, `hosted.call`, for free tools or with a payment. Both are checked as everywhere.
 */
export interface HostedAsk {
  readonly tool: string;
  readonly args: JsonObject;
  /** The most that the caller pays; the listed price when absent. */
  readonly maxPrice?: string;
  readonly idempotencyKey?: string;
  /** A payment or a key that stood elsewhere in the message, as the header that it is over HTTP. */
  readonly header?: Readonly<Record<string, string>>;
}

export type HostedOutcome =
  | {
      readonly kind: 'result';
      readonly result: JsonObject;
      readonly meta: JsonObject;
      readonly headers: Readonly<Record<string, string>>;
    }
  /** A refusal of the hub, or an agent that did not serve, as a body to show. */
  | {
      readonly kind: 'refused';
      readonly body: JsonObject;
      readonly headers: Readonly<Record<string, string>>;
    }
  /** A refused signature, or a request that went in a circle. */
  | {
      readonly kind: 'fault';
      readonly status: number;
      readonly fault: RpcFault;
      readonly headers: Readonly<Record<string, string>>;
    };

export async function callHosted(
  operations: Operations,
  exchange: Exchange,
  agent: HostedAgent,
  ask: HostedAsk,
): Promise<HostedOutcome> {
  if (exchange.request.headers[FORWARDED_HEADER] !== undefined) return circle();
  const isSigned = exchange.request.headers['signature-input'] !== undefined;
  const spec = operationTable[isSigned ? 'router.call' : 'hosted.call'];
  const admission = await operations.admit(exchange, spec);
  if (admission.kind === 'refusal') return refused(admission);
  const { identity } = admission.call;
  const caller = identity.kind === 'visitor' ? '' : identity.account;
  const outcome = await operations.run(admission.call, {
    arguments: isSigned ? paidCall(agent, ask, caller) : freeCall(agent, ask),
    header: ask.header,
  });
  return outcome.kind === 'refusal' ? refused(outcome) : answeredBy(outcome.reply);
}

function freeCall({ keyId }: HostedAgent, { tool, args }: HostedAsk): JsonObject {
  return { keyId, tool, arguments: args };
}

/** Signing a call of a tool that says its price agrees to that price, and to no other. */
function paidCall(
  { listingId, tools, network }: HostedAgent,
  { tool, args, maxPrice, idempotencyKey }: HostedAsk,
  caller: string,
): JsonObject {
  const price = tools.find(({ name }) => name === tool)?.price;
  const limit = maxPrice ?? (price === undefined ? undefined : `${price}`);
  return {
    caller,
    agentId: listingId,
    operation: tool,
    arguments: args,
    network,
    ...defined({ maxPrice: limit, idempotencyKey }),
  };
}

function answeredBy({ body, headers = {} }: AnyReply): HostedOutcome {
  const { result, receipt, ...rest } = isObject(body) ? body : {};
  if (!isObject(result)) {
    const shown = isObject(receipt) ? { receipt } : rest;
    const why = isObject(receipt) ? receipt['why'] : rest['why'];
    return { kind: 'refused', body: { error: why, ...shown }, headers };
  }
  const paid = receiptJson(headers);
  const meta = {
    ...(isObject(receipt) ? { 'hub/receipt': receipt } : { 'hub/call': rest['callId'] }),
    ...(paid !== undefined && { 'x402/payment-response': JSON.parse(paid) as JsonObject }),
  };
  return { kind: 'result', result, meta, headers };
}

function refused({ refusal }: Extract<Outcome, { kind: 'refusal' }>): HostedOutcome {
  const { status, headers, body } = refusal;
  if (status !== 401) return { kind: 'refused', body: { ...body }, headers };
  return { kind: 'fault', status, fault: fault(null, RPC_UNAUTHORIZED, body.error, body), headers };
}

/** A listing that forwards to another one could loop (choices hosted.loops). */
function circle(): HostedOutcome {
  const says = 'Invalid request: a hosted agent cannot stand in front of another one';
  return { kind: 'fault', status: 400, fault: fault(null, RPC_REQUEST, says), headers: {} };
}
