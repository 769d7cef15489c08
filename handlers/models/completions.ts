import { need } from '../../db/batch/need.ts';
import type { Transaction } from '../../db/batch/transaction.ts';
import { IDEMPOTENCY, onceIn, type OnceOutcome } from '../../db/idempotency.ts';
import { defined } from '../../domain/defined.ts';
import { sha256Hex } from '../../domain/digest.ts';
import { canonical } from '../../domain/json.ts';
import { isObject } from '../../domain/jsonObject.ts';
import { parametersOf } from '../../domain/models/parameters.ts';
import { wholeAnswer } from '../../domain/models/piece.ts';
import { messageOf as passedOn } from '../../domain/models/prompt.ts';
import type { ModelReceipt } from '../../domain/models/receipt.ts';
import type { Call, Reply } from '../../server/hub/call.ts';
import { decideWithKey } from '../../server/hub/apiKey.ts';
import { refuse } from '../../server/hub/errors.ts';
import { checksKey, type Handler } from '../../server/hub/handler.ts';
import type { Hub } from '../../server/hub/hub.ts';
import { beginAnswer, type Answering } from '../../workflows/models/answering.ts';
import {
  beginPlanned,
  planCall,
  receiptNow,
  type BegunCall,
  type PlannedCall,
} from '../../workflows/models/begin.ts';
import type { ModelAsk } from '../../workflows/models/admit.ts';
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
import { STREAM_HEADERS } from './present/stream.ts';
import { encode } from '../../server/hub/encode.ts';

/** The desk in chat-completion form, paid by the account of an API key (choices models.compat). */
export const completions: Handler<'models.completions'> = checksKey(async (call, hub) => {
  const planned = await planCall(hub, askOf(call.body, hub));
  const begun = await beginOnce(call, hub, planned);
  const isStream = call.body.stream === true;
  const includeUsage = call.body.stream_options?.include_usage === true;
  if (typeof begun === 'string') {
    return again(await receiptNow(hub, begun), isStream, includeUsage);
  }
  const { admitted, receipt } = begun;
  const answering = beginAnswer(hub, receipt, { admitted, gone: call.request.gone, isStream });
  return isStream ? streamed(answering, receipt, includeUsage) : whole(answering);
});

type Compat = Reply<'models.completions'>;

/** Clients write null for what they leave out; the newer name of a length wins. */
function askOf(body: Call<'models.completions'>['body'], hub: Hub): ModelAsk {
  const maxTokens = body.max_completion_tokens ?? body.max_tokens ?? undefined;
  return {
    model: body.model,
    prompt: {
      messages: body.messages.map((each) => passedOn({ ...each })),
      options: parametersOf({ ...body }),
    },
    network: hub.settings.network,
    ...defined({ maxTokens }),
  };
}

/** Begins the call, or answers the id of the one that the same header began before. */
async function beginOnce(
  call: Call<'models.completions'>,
  hub: Hub,
  planned: PlannedCall,
): Promise<BegunCall | string> {
  const { caller, header, request } = call;
  const payer = { account: caller.account, door: 'v1', apiKeyHint: caller.hint } as const;
  const key = header['idempotency-key'];
  const { needs, decide } = beginPlanned(hub, planned, payer);
  const asked = { operation: call.operation, isRead: false, model: call.body.model };
  if (key === undefined) return decideWithKey(hub, caller, asked, { needs, decide });
  const of = {
    account: caller.account,
    operation: call.operation,
    key,
    digest: sha256Hex(canonical({ body: request.wireBody })),
  };
  let begun: BegunCall | undefined;
  const beginning: Transaction<OnceOutcome<unknown>> = {
    needs: [need(IDEMPOTENCY, of), ...needs],
    decide: (db) =>
      onceIn(db, of, hub.clock.now(), () => {
        begun = decide(db);
        return { id: begun.receipt.id };
      }),
  };
  const outcome = await decideWithKey(hub, caller, asked, beginning);
  if ('mismatch' in outcome) {
    return refuse('idempotency-mismatch', {
      error: 'This Idempotency-Key was used before with another request.',
      field: 'header.idempotency-key',
    });
  }
  const { result } = outcome;
  if (!outcome.repeated && begun !== undefined) return begun;
  if (isObject(result) && typeof result['id'] === 'string') return result['id'];
  throw new Error('a kept call has its id');
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

/** A request that a provider rejects as invalid fails however often it is sent. */
function refuseFailed({ id, reason }: ModelReceipt, { isOfRequest }: Answering): never {
  const said = reason ?? 'it failed.';
  const after = `The call (${id}) cost nothing.`;
  if (isOfRequest()) {
    const error = `The provider refused the request: ${said} ${after}`;
    return refuse('bad-request', { error, hint: 'Change what its words name.', field: 'body' });
  }
  return refuse('model-failed', { error: `The model gave no answer: ${said} ${after}` });
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

/**
 * A call that fails before its first token is refused by status, which clients understand best. A
 * model that thinks long must not keep the head of the answer back, so the wait is short.
 */
const BEGIN_MS_MAX = 5_000;

async function streamed(
  answering: Answering,
  receipt: ModelReceipt,
  includeUsage: boolean,
): Promise<Compat> {
  const hasPiece = await Promise.race([answering.begun, later(BEGIN_MS_MAX)]);
  const over = hasPiece === false ? await answering.receipt : undefined;
  if (over?.outcome === 'failed') return refuseFailed(over, answering);
  const body = events(answering, headOf(receipt), includeUsage);
  return { status: 200, type: 'text/event-stream', headers: STREAM_HEADERS, body };
}

function later(ms: number): Promise<undefined> {
  return new Promise((resolve) => setTimeout(() => resolve(undefined), ms).unref());
}

async function* events(answering: Answering, head: ChunkHead, includeUsage: boolean) {
  yield { data: JSON.stringify(chunk(head, { role: 'assistant', content: '' })) };
  for await (const piece of answering.pieces) {
    yield { data: JSON.stringify(chunkOf(head, piece)) };
  }
  const receipt = await answering.receipt;
  if (receipt.outcome !== 'completed') {
    const message = `The model broke off: ${receipt.reason ?? 'it failed.'} The call cost nothing.`;
    const error = { message, type: 'api_error', param: null, code: 'model-failed' };
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
  return { status: 200, type: 'text/event-stream', headers: STREAM_HEADERS, body: body() };
}
