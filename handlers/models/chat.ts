import type { Decider } from '../../db/batch/transaction.ts';
import type { Account } from '../../domain/account.ts';
import { defined } from '../../domain/defined.ts';
import { packVector } from '../../domain/models/embedding.ts';
import { parametersOf } from '../../domain/models/parameters.ts';
import { isWords, wholeAnswer, type Words } from '../../domain/models/piece.ts';
import type { Prompt } from '../../domain/models/prompt.ts';
import { ZERO } from '../../domain/money.ts';
import type { NetworkId } from '../../domain/network.ts';
import type { ModelReceipt } from '../../domain/models/receipt.ts';
import type { ActingCall, Call, Reply } from '../../workflows/kernel/call.ts';
import { refuse } from '../../workflows/kernel/errors.ts';
import { admitNow } from '../../workflows/kernel/admission.ts';
import type { Handler } from '../../workflows/kernel/handler.ts';
import type { Hub, OnceAnswer } from '../../workflows/kernel/hub.ts';
import { buying, CHAT_PATH } from '../../workflows/models/admit.ts';
import { beginAnswer, type Answering } from '../../workflows/models/answering.ts';
import {
  admittedOf,
  beginPlanned,
  planCall,
  receiptNow,
  type BegunCall,
  type PlannedCall,
} from '../../workflows/models/begin.ts';
import { embeddingAsk } from '../../workflows/models/embeddingAsk.ts';
import { refuseUnpaid } from '../../workflows/models/unpaid.ts';
import { networkNamed } from '../../workflows/wallet/network.ts';
import { bringsPayment, withReceipt } from '../../workflows/x402/accept.ts';
import { payAtDoor, type Purchase } from '../../workflows/x402/door.ts';
import { railOf } from '../../workflows/x402/rail.ts';
import { UNTRUSTED_COMPLETIONS } from '../untrusted.ts';
import { presentReceipt } from './present/model.ts';
import { eventStream } from './present/stream.ts';
import { encode } from '../../workflows/kernel/encode.ts';

/**
 * An answer of a model for a signer or a paying wallet, a quote for others (choices
 * models.charging). The maximum cost is held, and the receipt begun, before a provider is asked.
 */
export const chat: Handler<'models.chat'> = async (call, hub) => {
  const { body } = call;
  const network = networkNamed(hub, body.network, 'body.network');
  const { model, max_tokens: maxTokens } = body;
  const prompt = promptOf(hub, body);
  const ask = { model, prompt, network, ...defined({ maxTokens }) };
  const planned = await planCall(hub, ask);
  // Money on the chain moves before the unit that would take the nonce.
  if (bringsPayment(call)) await admitNow(hub, call.caller);
  const paid = await payAtDoor(hub, call, {
    ...purchaseOf(planned, network),
    async rehearse(account, undone) {
      const rail = await railOf(hub, network);
      const { needs, decide } = beginPlanned(hub, planned, { account, door: 'api', rail });
      const held = { needs, decide: (db: Decider) => decide(db).receipt.holdId !== undefined };
      return hub.transactOnce(paying(call, account), undone(held));
    },
  });
  return withReceipt(paid, () => answer(hub, paying(call, paid?.account), planned, network));
};

type ChatCall = Call<'models.chat'>;

/** The most that it may cost; what no money would help is refused before any is taken. */
function purchaseOf(planned: PlannedCall, network: NetworkId): Omit<Purchase, 'rehearse'> {
  const refuse = (): void => void admittedOf(planned);
  const [due, description] =
    'admitted' in planned ? [planned.admitted.worst, buying(planned.admitted)] : [ZERO, ''];
  return { network, due, path: CHAT_PATH, description, refuse };
}

/** A caller without a key acts as the wallet that paid. */
function paying(call: ChatCall, account: Account | undefined): ActingCall<'models.chat'> {
  if (account === undefined || call.caller.kind === 'signer') return call;
  const { ip } = call.caller;
  return { ...call, caller: { kind: 'wallet', account, ip } };
}

async function answer(
  hub: Hub,
  call: ActingCall<'models.chat'>,
  planned: PlannedCall,
  network: NetworkId,
): Promise<ChatReply> {
  const { body, caller } = call;
  const rail = await railOf(hub, network);
  if (caller.kind === 'visitor') return refuseUnpaid(hub, admittedOf(planned), rail);
  let begun: BegunCall | undefined;
  const payer = { account: caller.account, door: 'api', rail } as const;
  const { needs, decide } = beginPlanned(hub, planned, payer);
  const first = await hub.transactOnce(call, {
    needs,
    decide(db) {
      // The last decision counts; a repeat has none.
      begun = decide(db);
      return presentChat(begun.receipt);
    },
  });
  if (first.repeated || begun === undefined) {
    return again(hub, first.receipt.id, body.stream === true);
  }
  const { admitted, receipt } = begun;
  const isStream = body.stream === true;
  const answering = beginAnswer(hub, receipt, { admitted, gone: call.request.gone, isStream });
  return isStream ? streamed(answering, body.idempotencyKey) : whole(answering);
}

type ChatReply = Reply<'models.chat'>;

function promptOf(hub: Hub, body: Call<'models.chat'>['body']): Prompt {
  const { messages, input, dimensions, ...rest } = body;
  const options = parametersOf(rest);
  if ((messages === undefined) === (input === undefined)) return refuseBoth(input !== undefined);
  if (messages !== undefined) return { messages: messages.map((each) => ({ ...each })), options };
  if (body.stream === true) {
    const error = 'Vectors are one answer and no stream.';
    refuse('bad-request', { error, hint: 'Leave `stream` out.', field: 'body.stream' });
  }
  const wanted = { model: body.model, inputs: input ?? [], ...defined({ dimensions }) };
  return { messages: [], options, embeds: embeddingAsk(hub, { ...wanted, isPacked: true }) };
}

function refuseBoth(areGiven: boolean): never {
  const hint =
    'Send `messages` to a model that answers, or `input` to one that has `dimensions` at GET /api/v1/models.';
  if (areGiven) {
    const error = 'body has messages and input, and a call has one answer.';
    return refuse('bad-request', { error, hint, field: 'body.input' });
  }
  const error = 'body.messages is required.';
  return refuse('missing-field', { error, hint, field: 'body.messages' });
}

async function whole(answering: Answering): Promise<ChatReply> {
  const { text, refusal, reasoning, vectors } = await wholeAnswer(answering.pieces);
  const receipt = await answering.receipt;
  const { finishReason } = receipt;
  const isAnswer = receipt.outcome === 'completed';
  return {
    status: 200,
    body: {
      ...presentChat(receipt),
      ...(isAnswer && contentOf(text, vectors)),
      ...(isAnswer && refusal !== '' && { refusal }),
      ...(isAnswer && reasoning !== '' && { reasoning }),
      ...(isAnswer && finishReason !== undefined && { finishReason }),
      repeated: false,
    },
  };
}

function contentOf(text: string, vectors: readonly Float32Array[]) {
  if (vectors.length > 0) return { embeddings: vectors.map(packVector) };
  return { message: { role: 'assistant', content: text } as const };
}

function streamed(answering: Answering, key: string | undefined): ChatReply {
  const body = events(answering, key !== undefined);
  return eventStream(body);
}

/** The last event is the receipt, however the call ended. */
async function* events(answering: Answering, isOnce: boolean) {
  for await (const piece of answering.pieces) {
    if (isWords(piece)) yield { event: 'delta', data: JSON.stringify(deltaOf(piece)) } as const;
  }
  const receipt = await answering.receipt;
  const { outcome, finishReason } = receipt;
  if (outcome === 'completed' && finishReason !== undefined) {
    yield { event: 'delta', data: JSON.stringify({ content: '', finishReason }) } as const;
  }
  yield receiptEvent(receipt, isOnce ? false : undefined);
}

function deltaOf({ is, text }: Words) {
  return is === 'text' ? { content: text } : { content: '', [is]: text };
}

function receiptEvent(receipt: ModelReceipt, repeated: boolean | undefined) {
  return {
    event: 'receipt',
    data: JSON.stringify(encode('ModelReceipt', presentReceipt(receipt, repeated))),
  } as const;
}

/** A repeat gets the receipt as it stands now; the text is not kept (rule 4). */
async function again(hub: Hub, id: string, isStream: boolean): Promise<ChatReply> {
  const receipt = await receiptNow(hub, id);
  if (!isStream) return { status: 200, body: { ...presentChat(receipt), repeated: true } };
  async function* body() {
    yield receiptEvent(receipt, true);
  }
  return eventStream(body());
}

function presentChat(receipt: ModelReceipt): OnceAnswer<'models.chat'> {
  return {
    id: receipt.id,
    model: receipt.model,
    receipt: presentReceipt(receipt),
    ...UNTRUSTED_COMPLETIONS,
  };
}
