import { needNew, type Need } from '../../db/batch/need.ts';
import type { Decider } from '../../db/batch/transaction.ts';
import { MODEL_CALLS } from '../../db/models/calls.ts';
import type { Account } from '../../domain/account.ts';
import { nearestName } from '../../domain/nearest.ts';
import { defined } from '../../domain/defined.ts';
import type { EmbeddingAsk } from '../../domain/models/embedding.ts';
import { plus, seconds } from '../../domain/instant.ts';
import { mediaFault, mediaTokens } from '../../domain/models/media.ts';
import { buysOn, worstCost, type Embeds, type Offer } from '../../domain/models/offer.ts';
import { overheadOf, promptFault, textsOf, type Prompt } from '../../domain/models/prompt.ts';
import {
  DEFAULT_MAX_TOKENS,
  LEASE_SECONDS,
  type Door,
  type ModelReceipt,
} from '../../domain/models/receipt.ts';
import { atomic, ZERO, type Atomic } from '../../domain/money.ts';
import type { NetworkId, NetworkKind } from '../../domain/network.ts';
import { routed, type Wishes } from '../../domain/models/routing.ts';
import type { Rail } from '../../domain/x402/rail.ts';
import { HubError, refuse } from '../kernel/errors.ts';
import { faultOf, withFaults } from '../kernel/faultList.ts';
import type { Hub } from '../kernel/hub.ts';
import { networkKind } from '../wallet/networkKind.ts';
import { holdAmount, readsOfHold } from '../metering/meter.ts';
import { refuseShort } from '../x402/door.ts';
import { spendingNeeds, takeBudget, type Spending } from './budgets.ts';
import { spendNeeds, takeSpend } from './ceilings.ts';
import { meterOf } from './money.ts';

export interface ModelAsk {
  readonly model: string;
  /** Models that are asked when it fails, in their order. */
  readonly fallbacks?: readonly string[];
  readonly wishes?: Wishes;
  readonly prompt: Prompt;
  readonly maxTokens?: number;
  readonly network: NetworkId;
}

/** A call that the model can take, with the most that it may cost. */
export interface AdmittedCall {
  readonly offer: Offer;
  readonly prompt: Prompt;
  readonly network: NetworkId;
  /** The length that was asked for, or less where the model produces less. */
  readonly maxTokens: number;
  readonly promptTokens: number;
  readonly promptBytes: number;
  readonly worst: Atomic;
  /** The caller says which provider is asked first. */
  readonly isOrdered: boolean;
}

/** Refuses what no payment would help: an unknown model, a prompt that is too long, test money. */
export async function admitCall(hub: Hub, ask: ModelAsk): Promise<AdmittedCall> {
  const { prompt, network } = ask;
  const offer = offerOf(hub, ask);
  const fault = promptFault(prompt);
  if (fault !== undefined) refuse('bad-request', fault);
  const unread = mediaFault(prompt, offer);
  if (unread !== undefined) refuse('bad-request', unread);
  refuseUnpassed(prompt, offer);
  refuseOtherKind(prompt, offer);
  const texts = textsOf(prompt);
  const promptBytes = texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0);
  const counted = await hub.models.count(offer.counter, texts);
  const promptTokens = counted + overheadOf(prompt) + mediaTokens(prompt, offer);
  const fitting =
    prompt.embeds === undefined
      ? fittingLength(offer, promptTokens, ask.maxTokens)
      : await noLength(hub, offer, prompt.embeds, promptTokens);
  mustBuy(await networkKind(hub, network), offer, network);
  const worst = worstCost({ input: promptTokens, output: fitting }, offer);
  const measured = { maxTokens: fitting, promptTokens, promptBytes, worst };
  const isOrdered = ask.wishes?.order !== undefined;
  return { offer, prompt, network, ...measured, isOrdered };
}

/** A call without a length takes what fits; one whose own length does not fit is refused. */
function fittingLength(offer: Offer, promptTokens: number, asked: number | undefined): number {
  const maxTokens = Math.min(asked ?? DEFAULT_MAX_TOKENS, offer.maxAnswerTokens);
  const room = offer.contextLength - promptTokens;
  const fitting = asked === undefined ? Math.min(maxTokens, room) : maxTokens;
  if (fitting < 1 || fitting > room) refuseLong(offer, promptTokens, maxTokens);
  return fitting;
}

/** A vector has no tokens, which costs as one does at no price; each text alone must fit. */
async function noLength(
  hub: Hub,
  { id, counter, contextLength }: Offer,
  { inputs }: EmbeddingAsk,
  allTokens: number,
): Promise<1> {
  if (allTokens <= contextLength) return 1;
  const texts = inputs.filter((each) => typeof each === 'string');
  const ofTexts = [...(await hub.models.countEach(counter, texts))];
  for (const [at, input] of inputs.entries()) {
    const tokens = typeof input === 'string' ? (ofTexts.shift() ?? 0) : input.length;
    if (tokens <= contextLength) continue;
    const error = `The text has ${tokens} tokens; ${id} takes ${contextLength} of each.`;
    refuse('too-many-tokens', { error, field: `body.input[${at}]` });
  }
  return 1;
}

/** Numbers of each vector of a call; 0 where it has none. */
export function dimensionsOf({ offer, prompt }: Pick<AdmittedCall, 'offer' | 'prompt'>): number {
  return offer.embeds === undefined ? 0 : (prompt.embeds?.dimensions ?? offer.embeds.dimensions);
}

/** Texts go to a model of vectors, messages to one that answers. */
function refuseOtherKind({ embeds: asked }: Prompt, offer: Offer): void {
  const { id, embeds } = offer;
  if (asked !== undefined) mustEmbed(offer, asked);
  else if (embeds !== undefined) {
    const hint =
      'Send `input` to POST /v1/embeddings, or choose a model without `dimensions` at GET /api/v1/models.';
    refuse('bad-request', {
      error: `${id} makes vectors and no answers.`,
      hint,
      field: 'body.model',
    });
  }
}

/** Returns the model's vectors; refuses a model that makes none, or none of so many numbers. */
export function mustEmbed({ id, embeds }: Offer, asked: EmbeddingAsk): Embeds {
  if (embeds === undefined) {
    const hint = 'GET /api/v1/models names the models that do: they have `dimensions`.';
    return refuse('bad-request', { error: `${id} makes no vectors.`, hint, field: 'body.model' });
  }
  const { dimensions = embeds.dimensions } = asked;
  const isKnown =
    dimensions === embeds.dimensions || (embeds.shortens && dimensions < embeds.dimensions);
  if (isKnown) return embeds;
  const error = embeds.shortens
    ? `${id} makes vectors of at most ${embeds.dimensions} numbers.`
    : `${id} makes vectors of ${embeds.dimensions} numbers only.`;
  return refuse('bad-request', {
    error,
    hint: `Send \`dimensions\`: ${embeds.dimensions}, or leave it out.`,
    field: 'body.dimensions',
  });
}

function offerOf(hub: Hub, { model, fallbacks = [], wishes = {} }: ModelAsk): Offer {
  const ids = [...new Set([model, ...fallbacks])];
  const offers = ids.map((id) => offerNamed(hub, id));
  const names = offers.flatMap(({ providers }) => providers.map(({ name }) => name));
  return (
    routed(offers, wishes) ??
    refuse('bad-request', {
      error: `No provider of ${ids.join(', ')} is one of those that body.provider allows.`,
      hint: 'Leave `provider` out, or allow one that GET /api/v1/models names, at its price.',
      field: 'body.provider',
      allowed: [...new Set(names)],
    })
  );
}

/** The model of this id, or a refusal that names others. */
export function offerNamed(hub: Hub, model: string): Offer {
  const offer = hub.models.offer(model);
  if (offer !== undefined) return offer;
  const allowed = hub.models.offers.slice(0, 20).map(({ id }) => id);
  return refuse('model-unknown', {
    error: `There is no model ${JSON.stringify(model)}.`,
    field: 'body.model',
    allowed,
  });
}

/** A parameter that the model is not given would be paid for and change nothing. */
function refuseUnpassed({ options }: Prompt, { id, parameters }: Offer): void {
  const faults = Object.keys(options).flatMap((name) => {
    if (parameters.includes(name)) return [];
    const nearest = nearestName(name, parameters);
    const meant = nearest === undefined ? '' : ` The nearest is ${nearest}.`;
    const error = `${id} does not take the parameter ${JSON.stringify(name)}.${meant}`;
    const detail = { error, field: `body.${name}`, allowed: [...parameters] };
    const refusal = new HubError('unsupported-parameter', detail, {});
    return [{ refusal, fault: faultOf(refusal, nearest) }];
  });
  const [first] = faults;
  if (first === undefined) return;
  throw withFaults(
    first.refusal,
    faults.map(({ fault }) => fault),
  );
}

function refuseLong(offer: Offer, promptTokens: number, maxTokens: number): never {
  return refuse('too-many-tokens', {
    error: `The prompt has ${promptTokens} tokens and max_tokens is ${maxTokens}; ${offer.id} takes ${offer.contextLength} together.`,
    field: promptTokens >= offer.contextLength ? 'body.messages' : 'body.max_tokens',
  });
}

export interface Payer {
  readonly account: Account;
  readonly door: Door;
  readonly apiKeyHint?: string;
  /** The API key that spends. */
  readonly spending?: Spending;
  /** A paid service that has it computed, whose own price is held as well. */
  readonly service?: { readonly operation: string; readonly price: Atomic };
  /** When x402 can pay what is missing. */
  readonly rail?: Rail | undefined;
}

/** The path of the operation that a payment at the door pays for. */
export const CHAT_PATH = '/api/v1/models/chat';
export const buying = ({ offer }: AdmittedCall): string => `an answer of ${offer.id}`;

/** The reads that begin a call, and its beginning. */
export interface BeginningCall {
  readonly needs: readonly Need[];
  decide(db: Decider): ModelReceipt;
}

/** Holds the maximum cost and begins the receipt before a provider is asked (Models, rule 1). */
export function beginning(hub: Hub, admitted: AdmittedCall, payer: Payer): BeginningCall {
  const receipt = newReceipt(hub, admitted, payer);
  const { id, held, network } = receipt;
  const meter = meterOf(receipt);
  const money = held === ZERO ? [] : readsOfHold(hub, meter, held);
  return {
    needs: [
      needNew(MODEL_CALLS, id),
      ...spendNeeds(receipt),
      ...spendingNeeds(payer.spending),
      ...money,
    ],
    decide(db) {
      const budget = takeBudget(db, receipt, payer.spending, admitted.offer);
      takeSpend(db, receipt);
      const taken = held === ZERO ? undefined : holdAmount(db, hub, meter, held);
      if (taken !== undefined && 'refused' in taken) {
        const what = { network, path: CHAT_PATH, description: buying(admitted) };
        return refuseShort(hub, taken, { ...what, field: 'body.max_tokens', rail: payer.rail });
      }
      const begun = { ...receipt, ...defined({ budget, holdId: taken?.hold.id }) };
      db.put(MODEL_CALLS, id, begun);
      return begun;
    },
  };
}

function newReceipt(hub: Hub, admitted: AdmittedCall, payer: Payer): ModelReceipt {
  const { offer, network, maxTokens, promptTokens, worst } = admitted;
  const [at, first] = [hub.clock.now(), offer.providers[0]];
  const { account, door, apiKeyHint, service } = payer;
  return {
    id: hub.ids.uuid(),
    at,
    payer: account,
    network,
    door,
    ...defined({ apiKeyHint, service: service?.operation }),
    model: offer.id,
    maxTokens,
    resolveAt: plus(at, seconds(LEASE_SECONDS)),
    outcome: 'running',
    usage: { input: promptTokens, output: 0, source: 'counted' },
    held: service === undefined ? worst : atomic(worst + service.price),
    charged: ZERO,
    borne: ZERO,
    durationMs: 0,
    price: first?.price ?? { input: 0n, output: 0n },
    refused: [],
  };
}

function mustBuy(kind: NetworkKind, offer: Offer, network: NetworkId): void {
  if (buysOn(kind, offer)) return;
  refuse('play-money', {
    error: `${kind} money (${network}) does not buy ${offer.id}.`,
    hint: '`buysOn` of each model at GET /api/v1/models names the networks whose money buys it.',
    field: 'body.network',
  });
}
