import { optionsOf, type Prompt } from '../../domain/models/prompt.ts';
import type { ModelReceipt } from '../../domain/models/receipt.ts';
import type { Call, Reply } from '../../server/hub/call.ts';
import type { Handler } from '../../server/hub/handler.ts';
import type { Hub, OnceAnswer } from '../../server/hub/hub.ts';
import { beginAnswer, type Answering } from '../../workflows/models/answering.ts';
import {
  admittedOf,
  beginPlanned,
  planCall,
  receiptNow,
  type BegunCall,
} from '../../workflows/models/begin.ts';
import { refusePayment, refuseUnpaid } from '../../workflows/models/unpaid.ts';
import { networkNamed } from '../../workflows/wallet/network.ts';
import { UNTRUSTED_COMPLETIONS } from '../untrusted.ts';
import { presentReceipt } from './present/model.ts';
import { STREAM_HEADERS } from './present/stream.ts';

/**
 * One answer of a model for a signer, or a quote for anybody else (choices models.charging). The
 * most that it may cost is held, and the receipt begun, before a provider is asked.
 */
export const chat: Handler<'models.chat'> = async (call, hub) => {
  const { body, caller } = call;
  refusePayment(call.header['x-payment']);
  const network = networkNamed(hub, body.network, 'body.network');
  const { model, max_tokens: maxTokens } = body;
  const prompt = promptOf(body);
  const ask = { model, prompt, network, ...(maxTokens !== undefined && { maxTokens }) };
  const planned = await planCall(hub, ask);
  if (caller.kind !== 'signer') return refuseUnpaid(admittedOf(planned));
  let begun: BegunCall | undefined;
  const first = await hub.once(call, async (tx) => {
    const payer = { account: caller.account, door: 'api' } as const;
    begun = await beginPlanned(tx, hub, planned, payer);
    return presentChat(begun.receipt);
  });
  if (begun === undefined) return again(hub, first.receipt.id, body.stream === true);
  const { admitted, receipt } = begun;
  const isStream = body.stream === true;
  const answering = beginAnswer(hub, receipt, { admitted, gone: call.request.gone, isStream });
  return isStream ? streamed(answering, body.idempotencyKey) : whole(answering);
};

type ChatReply = Reply<'models.chat'>;

function promptOf(body: Call<'models.chat'>['body']): Prompt {
  return { messages: body.messages.map((each) => ({ ...each })), options: optionsOf({ ...body }) };
}

async function whole(answering: Answering): Promise<ChatReply> {
  let text = '';
  for await (const piece of answering.pieces) if (piece.is === 'text') text += piece.text;
  const receipt = await answering.receipt;
  const { finishReason } = receipt;
  const isAnswer = receipt.outcome === 'completed';
  return {
    status: 200,
    body: {
      ...presentChat(receipt),
      ...(isAnswer && { message: { role: 'assistant', content: text } as const }),
      ...(isAnswer && finishReason !== undefined && { finishReason }),
      repeated: false,
    },
  };
}

function streamed(answering: Answering, key: string | undefined): ChatReply {
  const body = events(answering, key !== undefined);
  return { status: 200, type: 'text/event-stream', headers: STREAM_HEADERS, body };
}

/** The last event is the receipt, however the call ended. */
async function* events(answering: Answering, isOnce: boolean) {
  for await (const piece of answering.pieces) {
    if (piece.is === 'text') {
      yield { event: 'delta', data: JSON.stringify({ content: piece.text }) } as const;
    }
  }
  const receipt = await answering.receipt;
  const { outcome, finishReason } = receipt;
  if (outcome === 'completed' && finishReason !== undefined) {
    yield { event: 'delta', data: JSON.stringify({ content: '', finishReason }) } as const;
  }
  yield receiptEvent(receipt, isOnce ? false : undefined);
}

function receiptEvent(receipt: ModelReceipt, repeated: boolean | undefined) {
  return { event: 'receipt', data: JSON.stringify(presentReceipt(receipt, repeated)) } as const;
}

/** A repeat gets the receipt as it stands now; the text is not kept (rule 4). */
async function again(hub: Hub, id: string, isStream: boolean): Promise<ChatReply> {
  const receipt = await receiptNow(hub, id);
  if (!isStream) return { status: 200, body: { ...presentChat(receipt), repeated: true } };
  async function* body() {
    yield receiptEvent(receipt, true);
  }
  return { status: 200, type: 'text/event-stream', headers: STREAM_HEADERS, body: body() };
}

function presentChat(receipt: ModelReceipt): OnceAnswer<'models.chat'> {
  return {
    id: receipt.id,
    model: receipt.model,
    receipt: presentReceipt(receipt),
    ...UNTRUSTED_COMPLETIONS,
  };
}
