import { echoed } from '../../../domain/models/echoed.ts';
import type { EmbeddingAsk } from '../../../domain/models/embedding.ts';
import type { Provider } from '../../../domain/models/offer.ts';
import type { Prompt } from '../../../domain/models/prompt.ts';
import type { Answered, BodyStream } from '../outbound/outcome.ts';
import type { Outbound } from '../outbound/fetcher.ts';
import { fieldValue } from '../../../domain/httpsig/message.ts';
import { parsed, partsOfStream, partsOfWhole } from './chunks.ts';
import { isOfRequest, reasonIn } from './faults.ts';
import type { ModelPart } from './part.ts';
import { redactedParts } from './redactedParts.ts';
import { partsOfVectors, standInVectors, vectorsRequest } from './vectors.ts';

/** One question to one provider. */
export interface Asked {
  readonly provider: Provider;
  readonly prompt: Prompt;
  readonly maxTokens: number;
  /** Numbers of a vector, for a model that makes them. */
  readonly dimensions: number;
  /** Raised when the answer is no longer wanted. */
  readonly signal: AbortSignal;
}

/** Bytes of an answer as it is sent, with all that stands around the tokens. */
const ANSWER_BYTES_MAX = 16 * 1_048_576;
const REFUSAL_BYTES_MAX = 65_536;

/** Always asks for a stream, so that a stall is seen and an answer can be left. Never throws. */
export async function* askProvider(outbound: Outbound, asked: Asked): AsyncGenerator<ModelPart> {
  const { provider, prompt, maxTokens, signal } = asked;
  const embeds = prompt.embeds && { ...prompt.embeds, dimensions: asked.dimensions };
  if (provider.url === undefined) {
    if (embeds === undefined) yield* echoed(prompt, maxTokens, provider.model);
    else yield* standInVectors(embeds);
    return;
  }
  const answer = await outbound.stream({
    url: provider.url,
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'text/event-stream, application/json',
      ...(provider.key !== undefined && { authorization: `Bearer ${provider.key}` }),
    },
    body: Buffer.from(JSON.stringify(requestOf(asked))),
    limits: {
      totalMs: provider.totalMs,
      firstByteMs: provider.firstTokenMs,
      bytesMax: ANSWER_BYTES_MAX,
      redirectsMax: 0,
    },
    signal,
  });
  if (answer.kind === 'failed') {
    yield { is: 'fault', why: answer.message };
    return;
  }
  try {
    yield* redactedParts(provider.key, partsOfAnswer(answer, embeds));
  } finally {
    answer.body.cancel();
  }
}

function requestOf(asked: Asked): object {
  const { provider, prompt, maxTokens } = asked;
  const { embeds, options } = prompt;
  if (embeds !== undefined) return vectorsRequest(provider.model, options, embeds);
  return {
    model: provider.model,
    messages: prompt.messages,
    [provider.lengthField]: maxTokens,
    ...prompt.options,
    stream: true,
    stream_options: { include_usage: true },
  };
}

async function* partsOfAnswer(
  answer: Answered<BodyStream>,
  embeds: Required<EmbeddingAsk> | undefined,
): AsyncGenerator<ModelPart> {
  const { status, headers, body } = answer;
  if (status !== 200) {
    const ofRequest = isOfRequest(status);
    const why = `The provider answered ${status}: ${await refusalOf(body)}`;
    yield { is: 'fault', why, ...(ofRequest && { ofRequest }) };
    return;
  }
  if (embeds !== undefined) {
    yield* partsOfVectors(body, embeds);
    return;
  }
  const type = fieldValue(headers, 'content-type') ?? '';
  yield* type.includes('json') ? partsOfWhole(body) : partsOfStream(body);
}

async function refusalOf({ parts }: BodyStream): Promise<string> {
  let text = '';
  for await (const part of parts) {
    if (part.kind === 'failed') break;
    text += Buffer.from(part.bytes).toString();
    if (text.length > REFUSAL_BYTES_MAX) break;
  }
  const body = parsed(text);
  return body === undefined ? 'no reason.' : reasonIn(body);
}
