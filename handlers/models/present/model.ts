import { defined } from '../../../domain/defined.ts';
import {
  usdPerMillion,
  type Offer,
  type Provider,
  type TokenPrice,
} from '../../../domain/models/offer.ts';
import { ZERO } from '../../../domain/money.ts';
import { returnedOf, type ModelReceipt } from '../../../domain/models/receipt.ts';
import type { Measured, ProviderMeasured } from '../../../domain/models/measure.ts';
import { ASSET, type NetworkId } from '../../../domain/network.ts';
import type { Schemas } from '../../../workflows/kernel/answered.ts';

export function presentReceipt(receipt: ModelReceipt, repeated?: boolean): Schemas['ModelReceipt'] {
  const { usage, apiKeyHint, service, borne, reason, finishReason, transferId } = receipt;
  const { firstTokenMs, servedBy, servedModel } = receipt;
  return {
    id: receipt.id,
    at: receipt.at,
    payer: receipt.payer,
    door: receipt.door,
    apiKeyHint,
    service,
    model: receipt.model,
    outcome: receipt.outcome,
    reason,
    finishReason,
    maxTokens: receipt.maxTokens,
    usage: {
      inputTokens: usage.input,
      outputTokens: usage.output,
      ...defined({ cachedTokens: usage.cached }),
      source: usage.source,
    },
    held: receipt.held,
    charged: receipt.charged,
    returned: returnedOf(receipt),
    ...(borne > ZERO && { borneByHub: borne }),
    asset: ASSET,
    network: receipt.network,
    durationMs: receipt.durationMs,
    firstTokenMs,
    servedBy,
    servedModel,
    refused: receipt.refused.map(({ provider, why }) => ({ provider, why })),
    transferId,
    repeated,
  };
}

/** Facts of a model that are not in the operator's file. */
export interface OfferFacts {
  readonly measured: Measured;
  readonly measuredAt: (provider: Provider) => ProviderMeasured;
  readonly buysOn: readonly NetworkId[];
  readonly rests: (provider: Provider) => boolean;
  /** In the order in which they are asked now. */
  readonly order: readonly Provider[];
}

export function presentOffer(offer: Offer, facts: OfferFacts): Schemas['ModelOffer'] {
  const { description, providers } = offer;
  const [cheapest] = providers;
  if (cheapest === undefined) throw new Error(`${offer.id} has no provider`);
  return {
    id: offer.id,
    name: offer.name,
    description,
    usdPerMillionTokens: presentPrice(cheapest.price),
    contextLength: offer.contextLength,
    maxAnswerTokens: offer.maxAnswerTokens,
    tokenCounter: offer.counter,
    ...(Object.keys(offer.reads).length > 0 && { reads: offer.reads }),
    ...defined({ dimensions: presentDimensions(offer) }),
    parameters: offer.parameters,
    backend: offer.backend,
    providers: facts.order.map((each) => ({
      name: each.name,
      usdPerMillionTokens: presentPrice(each.price),
      resting: facts.rests(each),
      measured: facts.measuredAt(each),
    })),
    measured: { ...facts.measured },
    buysOn: facts.buysOn,
  };
}

function presentDimensions({ embeds }: Offer): Schemas['ModelOffer']['dimensions'] {
  return embeds && { most: embeds.dimensions, shortens: embeds.shortens };
}

function presentPrice({ input, output, cached }: TokenPrice) {
  const cachedInput = cached === undefined ? undefined : usdPerMillion(cached);
  return {
    input: usdPerMillion(input),
    output: usdPerMillion(output),
    ...defined({ cachedInput }),
  };
}
