import { isObject, listOf, type JsonObject } from '../../domain/jsonObject.ts';
import type { FormedAsk } from '../../domain/models/forms/fault.ts';
import { parametersOf } from '../../domain/models/parameters.ts';
import { wholeAnswer } from '../../domain/models/piece.ts';
import { messageOf as passedOn } from '../../domain/models/prompt.ts';
import type { ModelReceipt } from '../../domain/models/receipt.ts';
import type { Reply } from '../../workflows/kernel/call.ts';
import { checksKey, type Handler } from '../../workflows/kernel/handler.ts';
import type { Answering } from '../../workflows/models/answering.ts';
import { formed } from '../../workflows/models/formed.ts';
import {
  beginWithKey,
  brokenOff,
  refuseFailed,
  streamBegins,
} from '../../workflows/models/keyed.ts';
import {
  chunk,
  chunkOf,
  headOf,
  lastChunks,
  logprobsOf,
  messageOf,
  usageOf,
  type ChunkHead,
} from './present/compat.ts';
import { presentReceipt } from './present/model.ts';
import { eventStream } from './present/stream.ts';
import { encode } from '../../workflows/kernel/encode.ts';

/** The desk in chat-completion form, paid by the account of an API key (choices models.compat). */
export const completions: Handler<'models.completions'> = checksKey(async (call, hub) => {
  const isStream = call.body.stream === true;
  const includeUsage = call.body.stream_options?.include_usage === true;
  const ask = { model: call.body.model, ...formed(readChat, { ...call.body }) };
  const begun = await beginWithKey(call, hub, ask, isStream);
  if ('repeated' in begun) return again(begun.repeated, isStream, includeUsage);
  const { receipt, answering } = begun;
  return isStream ? streamed(answering, receipt, includeUsage) : whole(answering);
});

type Compat = Reply<'models.completions'>;

/** Clients write null for what they leave out; the newer name of a length wins. */
function readChat(body: JsonObject): FormedAsk {
  const maxTokens = body['max_completion_tokens'] ?? body['max_tokens'] ?? undefined;
  const messages = listOf(body['messages']).filter(isObject);
  const prompt = { messages: messages.map(passedOn), options: parametersOf(body) };
  return { prompt, ...(typeof maxTokens === 'number' && { maxTokens }) };
}

async function whole(answering: Answering): Promise<Compat> {
  const answered = await wholeAnswer(answering.pieces);
  const receipt = await answering.receipt;
  if (receipt.outcome !== 'completed') return refuseFailed(receipt, answering);
  const message = messageOf(answered);
  const finish_reason = receipt.finishReason ?? 'stop';
  const logprobs = answered.logprobs === undefined ? null : logprobsOf(answered.logprobs);
  const choices = [{ index: 0 as const, message, finish_reason, logprobs }];
  return completion(receipt, choices);
}

type Choices = Extract<Compat, { readonly type?: 'application/json' }>['body']['choices'];

function completion(receipt: ModelReceipt, choices: Choices, repeated?: boolean): Compat {
  const head = headOf(receipt);
  return {
    status: 200,
    body: {
      ...head,
      object: 'chat.completion',
      choices,
      usage: usageOf(receipt),
      receipt: presentReceipt(receipt, repeated),
    },
  };
}

async function streamed(
  answering: Answering,
  receipt: ModelReceipt,
  includeUsage: boolean,
): Promise<Compat> {
  const begun = await streamBegins(answering, receipt);
  const body = events(answering, headOf(begun), includeUsage);
  return eventStream(body);
}

async function* events(answering: Answering, head: ChunkHead, includeUsage: boolean) {
  yield { data: JSON.stringify(chunk(head, { role: 'assistant', content: '' })) };
  for await (const piece of answering.pieces) {
    yield { data: JSON.stringify(chunkOf(head, piece)) };
  }
  const receipt = await answering.receipt;
  if (receipt.outcome !== 'completed') {
    const error = {
      message: brokenOff(receipt),
      type: 'api_error',
      param: null,
      code: 'model-failed',
    };
    yield {
      data: JSON.stringify({ error, receipt: encode('ModelReceipt', presentReceipt(receipt)) }),
    };
    return;
  }
  for (const last of lastChunks(head, receipt, { includeUsage })) {
    yield { data: JSON.stringify(encode('CompatDelta', last)) };
  }
  yield { data: '[DONE]' };
}

/** Answers a repeat with the receipt as it is now; the text of the answer is not stored. */
function again(receipt: ModelReceipt, isStream: boolean, includeUsage: boolean): Compat {
  if (!isStream) return completion(receipt, [], true);
  async function* body() {
    for (const last of lastChunks(headOf(receipt), receipt, { includeUsage, repeated: true })) {
      yield { data: JSON.stringify(encode('CompatDelta', last)) };
    }
    yield { data: '[DONE]' };
  }
  return eventStream(body());
}
