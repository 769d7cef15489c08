import type { Call } from '../../workflows/kernel/call.ts';
import type { Price } from '../../domain/registry/listing.ts';
import { checksummed } from '../../domain/rails/evm.ts';
import type { Considered, Receipt, UpstreamReceipt } from '../../domain/router/receipt.ts';
import { UNTRUSTED_ANSWERS } from '../untrusted.ts';
import type { Schemas } from '../../workflows/kernel/answered.ts';
import type { OnceAnswer } from '../../workflows/kernel/hub.ts';
import { ASSET } from '../../domain/network.ts';
import { REVIEW_AMOUNT_MIN } from '../../domain/router/review.ts';

type Answer = OnceAnswer<'router.call'>;

export function presentReceipt(receipt: Receipt): Schemas['CallReceipt'] {
  const { listingId, endpoint, listedPrice, quotedPrice, maxPrice } = receipt;
  const { responseHash, paidTo, transferId, upstream, acceptHash, unmet } = receipt;
  return {
    id: receipt.id,
    at: receipt.at,
    caller: receipt.caller,
    operation: receipt.operation,
    agentId: listingId,
    endpoint,
    outcome: receipt.outcome,
    why: receipt.why,
    cost: costOf(receipt),
    asset: ASSET,
    network: receipt.network,
    listedPrice,
    quotedPrice,
    maxPrice,
    durationMs: receipt.durationMs,
    responseHash,
    responseBytes: receipt.responseBytes,
    acceptHash,
    ...(unmet !== undefined && { unmet: { by: unmet.by, refused: unmet.refused } }),
    refused: receipt.refused.map(({ listingId: agentId, why, price }) => ({
      agentId,
      why,
      ...(price !== undefined && { price: presentPrice(price) }),
    })),
    paidTo,
    transferId,
    ...(upstream !== undefined && { payment: presentUpstream(upstream) }),
  };
}

function costOf({ cost, upstream }: Receipt): bigint {
  return upstream?.state === 'settled' ? cost + upstream.amount : cost;
}

function presentUpstream(upstream: UpstreamReceipt): Schemas['UpstreamPayment'] {
  const { state, amount, payTo, transaction, transferId } = upstream;
  return {
    state,
    amount,
    payTo: checksummed(payTo),
    transaction,
    transferId,
  };
}

/** `result` is handed over once, with the call itself; it is not kept. */
export function presentCall(
  receipt: Receipt,
  asked: Asked,
  result?: { readonly value: unknown },
): Answer {
  return {
    receipt: presentReceipt(receipt),
    ...(result !== undefined && { result: result.value }),
    considered: receipt.considered.map(presentConsidered),
    ...UNTRUSTED_ANSWERS,
    next: nextOf(receipt, asked),
  };
}

function presentConsidered(each: Considered): Schemas['CallResult']['considered'][number] {
  const { listingId, name, access, price, decision, why } = each;
  return {
    agentId: listingId,
    name,
    access,
    ...(price !== undefined && { price: presentPrice(price) }),
    decision,
    why,
  };
}

function presentPrice({ amount, asset, network }: Price): Schemas['QuotedPrice'] {
  return { amount, asset, network };
}

type Asked = Call<'router.call'>['body'];

/** Larger requests are not repeated in their answer. */
const ASKED_BYTES_MAX = 4_096;

function nextOf(receipt: Receipt, asked: Asked): Schemas['NextAction'][] {
  const { outcome, caller, operation, listingId, quotedPrice, listedPrice } = receipt;
  const receipts: Schemas['NextAction'] = {
    action: 'router.receipts',
    who: caller,
    call: { method: 'GET', path: '/api/v1/call/receipts' },
  };
  if (outcome === 'running' || outcome === 'unknown') return [receipts];
  if (outcome === 'served') return receipt.cost < REVIEW_AMOUNT_MIN ? [] : [reviewOf(receipt)];
  const price = quotedPrice ?? listedPrice;
  if (outcome === 'priced' && listingId !== undefined && price !== undefined) {
    const { idempotencyKey: _, endpoint: __, ...same } = asked;
    const body = { ...same, agentId: listingId, maxPrice: `${price}` };
    const isSmall = JSON.stringify(body).length <= ASKED_BYTES_MAX;
    if (isSmall) return [{ action: 'router.call', who: caller, call: post('/api/v1/call', body) }];
  }
  const tool = encodeURIComponent(operation);
  return [
    {
      action: 'registry.list',
      who: 'anyone',
      call: { method: 'GET', path: `/api/v1/agents?skill=${tool}&includeUnavailable=true` },
    },
    {
      action: 'tasks.publish',
      who: caller,
      call: post('/api/v1/tasks', { requester: caller, title: '<your need>' }),
      note: 'Write in `title` what you need; a `rewardAmount` is paid to the worker.',
    },
  ];
}

function reviewOf({ caller, listingId, transferId }: Receipt): Schemas['NextAction'] {
  const path = `/api/v1/agents/${listingId}/reviews`;
  const body = { reviewer: caller, rating: '<your rating>', transferId };
  const note = 'Choose the `rating`: a number from 1 to 5.';
  return { action: 'registry.review', who: caller, call: post(path, body), note };
}

function post(path: string, body: Readonly<Record<string, unknown>>): Schemas['HttpCall'] {
  return { method: 'POST', path, body: { ...body } };
}
