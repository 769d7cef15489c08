import { insertModelCall } from '../../db/models/calls.ts';
import type { Writer } from '../../db/store.ts';
import { kindOf } from '../../db/wallet/networks.ts';
import type { Account } from '../../domain/account.ts';
import { defined } from '../../domain/defined.ts';
import { plus, seconds } from '../../domain/instant.ts';
import { buysOn, worstCost, type Offer } from '../../domain/models/offer.ts';
import { overheadOf, promptFault, textsOf, type Prompt } from '../../domain/models/prompt.ts';
import {
  DEFAULT_MAX_TOKENS,
  LEASE_SECONDS,
  type Door,
  type ModelReceipt,
} from '../../domain/models/receipt.ts';
import { atomic, ZERO, type Atomic } from '../../domain/money.ts';
import type { NetworkId } from '../../domain/network.ts';
import type { Rail } from '../../domain/x402/rail.ts';
import { refuse } from '../../server/hub/errors.ts';
import type { Hub } from '../../server/hub/hub.ts';
import { holdAmount } from '../metering/meter.ts';
import { refuseShort } from '../x402/door.ts';
import { takeSpend } from './ceilings.ts';
import { meterOf } from './money.ts';

/** A call as a door read it. */
export interface ModelAsk {
  readonly model: string;
  readonly prompt: Prompt;
  readonly maxTokens?: number;
  readonly network: NetworkId;
}

/** A call that the model can take, with the most that it may cost. */
export interface AdmittedCall {
  readonly offer: Offer;
  readonly prompt: Prompt;
  readonly network: NetworkId;
  /** What was asked for, or less where the model produces less. */
  readonly maxTokens: number;
  readonly promptTokens: number;
  readonly promptBytes: number;
  readonly worst: Atomic;
}

/** Refuses what no money would help: an unknown model, a prompt that does not fit. */
export async function admitCall(hub: Hub, ask: ModelAsk): Promise<AdmittedCall> {
  const { prompt, network } = ask;
  const offer = hub.models.offer(ask.model) ?? refuseUnknown(hub, ask.model);
  const fault = promptFault(prompt);
  if (fault !== undefined) refuse('bad-request', fault);
  const texts = textsOf(prompt);
  const promptBytes = texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0);
  const counted = await hub.models.count(offer.counter, texts);
  const promptTokens = counted + overheadOf(prompt);
  const maxTokens = Math.min(ask.maxTokens ?? DEFAULT_MAX_TOKENS, offer.maxAnswerTokens);
  const room = offer.contextLength - promptTokens;
  // Who names no length takes what fits; who names one is told that it does not.
  const fitting = ask.maxTokens === undefined ? Math.min(maxTokens, room) : maxTokens;
  if (fitting < 1 || fitting > room) refuseLong(offer, promptTokens, maxTokens);
  const worst = worstCost({ input: promptTokens, output: fitting }, offer);
  return { offer, prompt, network, maxTokens: fitting, promptTokens, promptBytes, worst };
}

function refuseUnknown(hub: Hub, model: string): never {
  const allowed = hub.models.offers.slice(0, 20).map(({ id }) => id);
  return refuse('model-unknown', {
    error: `There is no model ${JSON.stringify(model)}.`,
    field: 'body.model',
    allowed,
  });
}

function refuseLong(offer: Offer, promptTokens: number, maxTokens: number): never {
  return refuse('too-many-tokens', {
    error: `The prompt has ${promptTokens} tokens and max_tokens is ${maxTokens}; ${offer.id} takes ${offer.contextLength} together.`,
    field: promptTokens >= offer.contextLength ? 'body.messages' : 'body.max_tokens',
  });
}

/** Who pays, and through which door. */
export interface Payer {
  readonly account: Account;
  readonly door: Door;
  readonly apiKeyHint?: string;
  /** A paid service that has it computed, whose own price is held as well. */
  readonly service?: { readonly operation: string; readonly price: Atomic };
  /** When x402 can pay what is missing. */
  readonly rail?: Rail | undefined;
}

/** Of the operation that a payment at the door pays for. */
export const CHAT_PATH = '/api/v1/models/chat';
export const buying = ({ offer }: AdmittedCall): string => `an answer of ${offer.id}`;

/**
 * Holds the most that the call may cost and begins its receipt, in one transaction before anybody
 * is asked (interface, Models, rule 1).
 */
export async function beginCall(
  tx: Writer,
  hub: Hub,
  admitted: AdmittedCall,
  payer: Payer,
): Promise<ModelReceipt> {
  const { offer, network, maxTokens, promptTokens } = admitted;
  await mustBuy(tx, offer, network);
  const [at, first, held] = [hub.clock.now(), offer.providers[0], heldFor(admitted, payer)];
  const receipt: ModelReceipt = {
    id: hub.ids.uuid(),
    at,
    payer: payer.account,
    network,
    door: payer.door,
    ...defined({ apiKeyHint: payer.apiKeyHint, service: payer.service?.operation }),
    model: offer.id,
    maxTokens,
    resolveAt: plus(at, seconds(LEASE_SECONDS)),
    outcome: 'running',
    usage: { input: promptTokens, output: 0, source: 'counted' },
    held,
    charged: ZERO,
    borne: ZERO,
    durationMs: 0,
    price: first?.price ?? { input: 0n, output: 0n },
    refused: [],
  };
  const begun = held === ZERO ? receipt : await hold(tx, hub, receipt, { admitted, payer });
  await takeSpend(tx, hub, begun);
  await insertModelCall(tx, begun);
  return begun;
}

function heldFor({ worst }: AdmittedCall, { service }: Payer): Atomic {
  return service === undefined ? worst : atomic(worst + service.price);
}

async function hold(
  tx: Writer,
  hub: Hub,
  receipt: ModelReceipt,
  { admitted, payer }: { readonly admitted: AdmittedCall; readonly payer: Payer },
): Promise<ModelReceipt> {
  const held = await holdAmount(tx, hub, meterOf(receipt), receipt.held);
  if (!('refused' in held)) return { ...receipt, holdId: held.hold.id };
  const { network } = receipt;
  const what = { network, path: CHAT_PATH, description: buying(admitted) };
  return refuseShort(hub, held, { ...what, field: 'body.max_tokens', rail: payer.rail });
}

async function mustBuy(tx: Writer, offer: Offer, network: NetworkId): Promise<void> {
  const kind = await kindOf(tx, network);
  if (buysOn(kind, offer)) return;
  refuse('play-money', {
    error: `${kind} money (${network}) does not buy ${offer.id}.`,
    hint: '`buysOn` of each model at GET /api/v1/models names the networks whose money buys it.',
    field: 'body.network',
  });
}
