import type { JsonObject } from '../../domain/jsonObject.ts';
import {
  finishReasonOf,
  GoogleParts,
  joinedParts,
} from '../../domain/models/forms/googleAnswer.ts';
import { readGoogle } from '../../domain/models/forms/googleAsk.ts';
import type { ModelReceipt } from '../../domain/models/receipt.ts';
import type { Schemas } from '../../workflows/kernel/answered.ts';
import type { Reply } from '../../workflows/kernel/call.ts';
import { refuse } from '../../workflows/kernel/errors.ts';
import type { Hub } from '../../workflows/kernel/hub.ts';
import { encode } from '../../workflows/kernel/encode.ts';
import { checksKey, type Handler } from '../../workflows/kernel/handler.ts';
import type { Answering } from '../../workflows/models/answering.ts';
import { formed } from '../../workflows/models/formed.ts';
import {
  beginWithKey,
  brokenOff,
  refuseFailed,
  streamBegins,
} from '../../workflows/models/keyed.ts';
import { presentReceipt } from './present/model.ts';
import { eventStream } from './present/stream.ts';

/** The desk in the generateContent form, paid by an API key (choices models.translations). */
export const generate: Handler<'models.generate'> = checksKey(async (call, hub) => {
  const { rest } = call.path;
  const colon = rest.lastIndexOf(':');
  const model = rest.slice(0, colon);
  const isStream = rest.slice(colon + 1) === 'streamGenerateContent';
  if (hub.models.offer(model) === undefined) refuseModel(hub, model);
  const begun = await beginWithKey(
    call,
    hub,
    { model, ...formed(readGoogle, { ...call.body }) },
    isStream,
  );
  if ('repeated' in begun) return again(begun.repeated, isStream);
  const { receipt, answering } = begun;
  if (!isStream) return whole(answering);
  const head = await streamBegins(answering, receipt);
  return eventStream(events(answering, head));
});

/** The path names the model, so one that is not there is a place that is not there. */
function refuseModel(hub: Hub, model: string): never {
  return refuse('not-found', {
    error: `There is no model ${JSON.stringify(model)}.`,
    hint: 'GET /v1/models lists the models.',
    field: 'path.rest',
    allowed: hub.models.offers.slice(0, 20).map(({ id }) => id),
  });
}

type Generated = Reply<'models.generate'>;
type Answer = Schemas['GoogleAnswer'];

async function whole(answering: Answering): Promise<Generated> {
  const made = new GoogleParts();
  const parts: JsonObject[] = [];
  for await (const piece of answering.pieces) parts.push(...made.take(piece));
  const receipt = await answering.receipt;
  if (receipt.outcome !== 'completed') return refuseFailed(receipt, answering);
  const all = joinedParts([...parts, ...made.end()]);
  return { status: 200, body: answerOf(receipt, [lastCandidate(receipt, made, all)]) };
}

async function* events(answering: Answering, begun: ModelReceipt) {
  const made = new GoogleParts();
  for await (const piece of answering.pieces) {
    const parts = made.take(piece);
    if (parts.length === 0) continue;
    const { receipt: _receipt, ...head } = answerOf(begun, [candidateOf(parts)]);
    yield written(head);
  }
  const receipt = await answering.receipt;
  if (receipt.outcome !== 'completed') {
    const error = { code: 503, message: brokenOff(receipt), status: 'UNAVAILABLE' };
    const presented = encode('ModelReceipt', presentReceipt(receipt));
    yield { data: JSON.stringify({ error, receipt: presented }) };
    return;
  }
  yield written(answerOf(receipt, [lastCandidate(receipt, made, made.end())]));
}

function written(answer: Answer): { data: string } {
  return { data: JSON.stringify(encode('GoogleAnswer', answer)) };
}

/** A repeat has the receipt; what was answered is not kept. */
function again(receipt: ModelReceipt, isStream: boolean): Generated {
  const answer = answerOf(receipt, [], true);
  if (!isStream) return { status: 200, body: answer };
  async function* body() {
    yield written(answer);
  }
  return eventStream(body());
}

function candidateOf(parts: readonly JsonObject[]): JsonObject {
  return { content: { role: 'model', parts }, index: 0 };
}

function lastCandidate(
  { finishReason }: ModelReceipt,
  made: GoogleParts,
  parts: readonly JsonObject[],
): JsonObject {
  return { ...candidateOf(parts), finishReason: finishReasonOf(finishReason), ...made.beside() };
}

function answerOf(
  receipt: ModelReceipt,
  candidates: readonly JsonObject[],
  repeated?: boolean,
): Answer {
  const { id, model, servedModel, usage } = receipt;
  return {
    candidates: candidates.map((each) => ({ ...each })),
    usageMetadata: {
      promptTokenCount: usage.input,
      ...(usage.cached !== undefined && { cachedContentTokenCount: usage.cached }),
      candidatesTokenCount: usage.output,
      totalTokenCount: usage.input + usage.output,
    },
    modelVersion: servedModel ?? model,
    responseId: id,
    receipt: presentReceipt(receipt, repeated),
  };
}
