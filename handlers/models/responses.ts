import type { JsonObject } from '../../domain/jsonObject.ts';
import { repeatedOf, readResponses } from '../../domain/models/forms/responsesAsk.ts';
import { ResponsesItems, type FormEvent } from '../../domain/models/forms/responsesAnswer.ts';
import type { ModelReceipt } from '../../domain/models/receipt.ts';
import type { Schemas } from '../../workflows/kernel/answered.ts';
import type { Reply } from '../../workflows/kernel/call.ts';
import { encode } from '../../workflows/kernel/encode.ts';
import { checksKey, type Handler } from '../../workflows/kernel/handler.ts';
import type { Answering } from '../../workflows/models/answering.ts';
import { drained, formed } from '../../workflows/models/formed.ts';
import {
  beginWithKey,
  brokenOff,
  refuseFailed,
  streamBegins,
} from '../../workflows/models/keyed.ts';
import { presentReceipt } from './present/model.ts';
import { eventStream } from './present/stream.ts';

/** The desk in the responses form, paid by the account of an API key (choices models.translations). */
export const responses: Handler<'models.responses'> = checksKey(async (call, hub) => {
  const body: JsonObject = { ...call.body };
  const isStream = call.body.stream === true;
  const ask = { model: call.body.model, ...formed(readResponses, body) };
  const begun = await beginWithKey(call, hub, ask, isStream);
  const repeated = repeatedOf(body);
  if ('repeated' in begun) return again(begun.repeated, repeated, isStream);
  const { receipt, answering } = begun;
  if (!isStream) return whole(answering, receipt, repeated);
  const head = await streamBegins(answering, receipt);
  return eventStream(events(answering, head, repeated));
});

type Responses = Reply<'models.responses'>;
type Answer = Schemas['ResponsesAnswer'];

async function whole(
  answering: Answering,
  { id }: ModelReceipt,
  repeated: JsonObject,
): Promise<Responses> {
  const items = new ResponsesItems(shortOf(id));
  await drained(answering.pieces, items);
  const receipt = await answering.receipt;
  if (receipt.outcome !== 'completed') return refuseFailed(receipt, answering);
  const status = statusOf(receipt);
  Array.from(items.end(status === 'failed' ? 'incomplete' : status));
  return { status: 200, body: answerOf(receipt, repeated, items.output) };
}

async function* events(answering: Answering, begun: ModelReceipt, repeated: JsonObject) {
  const written = writer();
  const items = new ResponsesItems(shortOf(begun.id));
  const under = { ...answerOf(begun, repeated, []), status: 'in_progress' as const, usage: null };
  yield written({ type: 'response.created', response: encode('ResponsesAnswer', under) });
  yield written({ type: 'response.in_progress', response: encode('ResponsesAnswer', under) });
  for await (const piece of answering.pieces) {
    for (const event of items.take(piece)) yield written(event);
  }
  const receipt = await answering.receipt;
  const status = statusOf(receipt);
  if (status !== 'failed') for (const event of items.end(status)) yield written(event);
  const answer = answerOf(receipt, repeated, items.output);
  yield written({ type: `response.${status}`, response: encode('ResponsesAnswer', answer) });
}

/** Each event has its place in the stream. */
function writer(): (event: FormEvent) => { event: string; data: string } {
  let place = 0;
  return ({ type, ...members }) => {
    const data = JSON.stringify({ type, sequence_number: place, ...members });
    place += 1;
    return { event: type, data };
  };
}

/** A repeat has the receipt; what was answered is not kept. */
function again(receipt: ModelReceipt, repeated: JsonObject, isStream: boolean): Responses {
  const answer = answerOf(receipt, repeated, [], true);
  if (!isStream) return { status: 200, body: answer };
  async function* body() {
    const response = encode('ResponsesAnswer', answer);
    yield writer()({ type: `response.${answer.status}`, response });
  }
  return eventStream(body());
}

const CUT = { length: 'max_output_tokens', content_filter: 'content_filter' } as const;

function statusOf({ outcome, finishReason }: ModelReceipt): 'completed' | 'incomplete' | 'failed' {
  if (outcome !== 'completed') return 'failed';
  return finishReason !== undefined && finishReason in CUT ? 'incomplete' : 'completed';
}

function answerOf(
  receipt: ModelReceipt,
  repeated: JsonObject,
  output: readonly Record<string, unknown>[],
  isRepeat?: boolean,
): Answer {
  const { id, at, model, servedModel, usage, finishReason } = receipt;
  const status = statusOf(receipt);
  const cut = finishReason !== undefined && finishReason in CUT ? finishReason : undefined;
  return {
    ...repeated,
    id: `resp_${id}`,
    object: 'response',
    created_at: Math.floor(at / 1000),
    status,
    model: servedModel ?? model,
    output: [...output],
    incomplete_details: cut === undefined ? null : { reason: CUT[cut as keyof typeof CUT] },
    ...(status === 'failed' && {
      error: { code: 'server_error', message: brokenOff(receipt) },
    }),
    usage: {
      input_tokens: usage.input,
      input_tokens_details: { cached_tokens: usage.cached ?? 0 },
      output_tokens: usage.output,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: usage.input + usage.output,
    },
    receipt: presentReceipt(receipt, isRepeat),
  };
}

function shortOf(id: string): string {
  return `${id.replaceAll('-', '')}_`;
}
