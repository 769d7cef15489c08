import { defined } from '../../../domain/defined.ts';
import { normalised } from '../../../domain/memory/embedding.ts';
import { HASHED_WORDS } from '../../../domain/models/hashedWords.ts';
import type { Offer, Provider } from '../../../domain/models/offer.ts';
import { lettersFor } from '../../../domain/search/near.ts';
import type { ModelDesk, ModelFault } from '../models/desk.ts';

/** The model that makes the vectors of search, which the operator pays for. */
export interface EmbeddingModel {
  /** Changes with everything that its vectors depend on. */
  readonly name: string;
  readonly offer: Offer;
  readonly dimensions: number;
  /** Letters of a text. */
  readonly letters: number;
}

/** The configured models, or the one that a hub without any has. */
export function offersOf(models: readonly Offer[]): readonly Offer[] {
  return models.length > 0 ? models : [HASHED_WORDS];
}

/** Raised by a change of the text that listings are known by. */
const TEXT_FORM = 1;

/** Returns the model of this id among the offers; undefined when it makes no vectors. */
export function embeddingModel(offers: readonly Offer[], id: string): EmbeddingModel | undefined {
  const offer = offers.find((each) => each.id === id);
  if (offer?.embeds === undefined) return undefined;
  const { dimensions } = offer.embeds;
  const letters = lettersFor(offer.contextLength);
  return { name: `${id} ${dimensions} ${letters} ${TEXT_FORM}`, offer, dimensions, letters };
}

/** One vector of length 1 for each text, or why there is none. */
export type AskedVectors =
  | { readonly vectors: readonly Float32Array[] }
  /** `ofRequest`: no provider takes these texts, so asking for them together again is in vain. */
  | { readonly fault: string; readonly ofRequest?: true };

/** Longest wait for the vectors of one request, in milliseconds. */
const ASK_MS_MAX = 10_000;

/** Asks the providers of the model in turn, but none that rests after faults. */
export async function askVectors(
  models: ModelDesk,
  { offer, dimensions }: EmbeddingModel,
  inputs: readonly string[],
): Promise<AskedVectors> {
  let last: AskedVectors = { fault: 'Every provider of the model rests.' };
  for (const provider of models.order(offer)) {
    if (models.rests(offer, provider)) break;
    const asked = await askOne(models, provider, dimensions, inputs);
    const isOfRequest = 'fault' in asked && asked.ofRequest === true;
    if (!isOfRequest) models.report(offer, provider, 'vectors' in asked);
    if ('vectors' in asked || isOfRequest) return asked;
    last = asked;
  }
  return last;
}

async function askOne(
  models: ModelDesk,
  provider: Provider,
  dimensions: number,
  inputs: readonly string[],
): Promise<AskedVectors> {
  const signal = AbortSignal.timeout(Math.min(provider.firstTokenMs, ASK_MS_MAX));
  const prompt = { messages: [], options: {}, embeds: { inputs } };
  let vectors: readonly Float32Array[] = [];
  let fault: ModelFault | undefined;
  for await (const part of models.ask({ provider, prompt, maxTokens: 1, dimensions, signal })) {
    if (part.is === 'fault') fault ??= part;
    if (part.is === 'vectors') vectors = part.vectors;
  }
  if (fault !== undefined) return { fault: fault.why, ...defined({ ofRequest: fault.ofRequest }) };
  const units = vectors.flatMap((vector) => normalised(vector, dimensions) ?? []);
  if (units.length === inputs.length) return { vectors: units };
  return { fault: 'The provider answered a vector of zeros.', ofRequest: true };
}
