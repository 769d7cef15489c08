import { MessagesBlocks, stopReasonOf } from '../../domain/models/forms/messagesAnswer.ts';
import { readMessages } from '../../domain/models/forms/messagesAsk.ts';
import type { FormEvent } from '../../domain/models/forms/responsesAnswer.ts';
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

/** The desk in the messages form, paid by the account of an API key (choices models.translations). */
export const messages: Handler<'models.messages'> = checksKey(async (call, hub) => {
  const isStream = call.body.stream === true;
  const ask = { model: call.body.model, ...formed(readMessages, { ...call.body }) };
  const begun = await beginWithKey(call, hub, ask, isStream);
  if ('repeated' in begun) return again(begun.repeated, isStream);
  const { receipt, answering } = begun;
  if (!isStream) return whole(answering);
  const head = await streamBegins(answering, receipt);
  return eventStream(events(answering, head));
});

type Messages = Reply<'models.messages'>;

async function whole(answering: Answering): Promise<Messages> {
  const blocks = new MessagesBlocks();
  await drained(answering.pieces, blocks);
  Array.from(blocks.end());
  const receipt = await answering.receipt;
  if (receipt.outcome !== 'completed') return refuseFailed(receipt, answering);
  return { status: 200, body: answerOf(receipt, blocks) };
}

async function* events(answering: Answering, begun: ModelReceipt) {
  const blocks = new MessagesBlocks();
  yield written({ type: 'message_start', message: startOf(begun) });
  for await (const piece of answering.pieces) {
    for (const event of blocks.take(piece)) yield written(event);
  }
  const receipt = await answering.receipt;
  if (receipt.outcome !== 'completed') {
    const message = brokenOff(receipt);
    const error = { type: 'api_error', message, code: 'model-failed' };
    yield written({
      type: 'error',
      error,
      receipt: encode('ModelReceipt', presentReceipt(receipt)),
    });
    return;
  }
  for (const event of blocks.end()) yield written(event);
  yield* lastEvents(receipt, blocks);
}

/** The message without its blocks, of which only the prompt is counted yet. */
function startOf(receipt: ModelReceipt): object {
  const { id, type, role, model, usage } = answerOf(receipt, new MessagesBlocks());
  const head = { id, type, role, model, content: [], stop_reason: null, stop_sequence: null };
  return { ...head, usage: { ...usage, output_tokens: 0 } };
}

function* lastEvents(receipt: ModelReceipt, blocks: MessagesBlocks, repeated?: boolean) {
  const { stop_reason, stop_sequence, usage } = answerOf(receipt, blocks);
  const delta = { stop_reason, stop_sequence };
  const presented = encode('ModelReceipt', presentReceipt(receipt, repeated));
  yield written({ type: 'message_delta', delta, usage, ...blocks.members, receipt: presented });
  yield written({ type: 'message_stop' });
}

function written(event: FormEvent): { event: string; data: string } {
  return { event: event.type, data: JSON.stringify(event) };
}

/** A repeat has the receipt; what was answered is not kept. */
function again(receipt: ModelReceipt, isStream: boolean): Messages {
  const none = new MessagesBlocks();
  if (!isStream) return { status: 200, body: answerOf(receipt, none, true) };
  async function* body() {
    yield written({ type: 'message_start', message: startOf(receipt) });
    yield* lastEvents(receipt, none, true);
  }
  return eventStream(body());
}

function answerOf(
  receipt: ModelReceipt,
  blocks: MessagesBlocks,
  repeated?: boolean,
): Schemas['MessagesAnswer'] {
  const { id, model, servedModel, usage, finishReason } = receipt;
  const { cached = 0 } = usage;
  return {
    ...blocks.members,
    id: `msg_${id}`,
    type: 'message',
    role: 'assistant',
    model: servedModel ?? model,
    content: blocks.content,
    stop_reason: stopReasonOf(finishReason),
    stop_sequence: null,
    usage: {
      input_tokens: usage.input - cached,
      output_tokens: usage.output,
      cache_creation_input_tokens: 0,
      cache_read_input_tokens: cached,
    },
    receipt: presentReceipt(receipt, repeated),
  };
}
