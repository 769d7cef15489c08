import { defined } from '../../../domain/defined.ts';
import { parseJsonInSteps } from '../../../domain/json.ts';
import { isObject, type JsonObject } from '../../../domain/jsonObject.ts';
import {
  readVectors,
  type EmbeddingAsk,
  type ReadVectors,
} from '../../../domain/models/embedding.ts';
import { hashedTexts } from '../../../domain/models/hashedWords.ts';
import { wordCount } from '../../../domain/models/echo.ts';
import type { BodyStream } from '../outbound/outcome.ts';
import { inTurns } from '../turns.ts';
import { faultIn } from './faults.ts';
import type { ModelPart } from './part.ts';

/** Numbers are asked for in base64, which is a third of their digits and read at once. */
export function vectorsRequest(model: string, options: JsonObject, embeds: EmbeddingAsk): object {
  const { inputs, dimensions } = embeds;
  return {
    ...options,
    model,
    input: inputs,
    encoding_format: 'base64',
    ...defined({ dimensions }),
  };
}

/** Members of an answer beside its numbers: five for each vector, and some around them. */
const MEMBERS_BESIDE = 64;
const MEMBERS_A_VECTOR = 8;

/** A provider's answer as parts; it comes whole. */
export async function* partsOfVectors(
  { parts }: BodyStream,
  ask: Required<EmbeddingAsk>,
): AsyncGenerator<ModelPart> {
  const pieces: Uint8Array[] = [];
  for await (const part of parts) {
    if (part.kind === 'failed') {
      yield { is: 'fault', why: part.message };
      return;
    }
    pieces.push(part.bytes);
  }
  const { inputs, dimensions } = ask;
  const membersMax = inputs.length * (dimensions + MEMBERS_A_VECTOR) + MEMBERS_BESIDE;
  const read = await inTurns(parseJsonInSteps(Buffer.concat(pieces), membersMax));
  const body = read.ok ? read.value : undefined;
  if (!isObject(body)) {
    yield { is: 'fault', why: 'The provider answered no JSON object of that size.' };
    return;
  }
  const fault = faultIn({ choices: [], ...body });
  if (fault !== undefined) yield fault;
  else yield* partsOf(await inTurns(readVectors(body, ask)));
}

/** The vectors of the hub's own stand-in. */
export async function* standInVectors(ask: Required<EmbeddingAsk>): AsyncGenerator<ModelPart> {
  const vectors = await inTurns(hashedTexts(ask.inputs, ask.dimensions));
  const counts = ask.inputs.map((each) =>
    typeof each === 'string' ? wordCount(each) : each.length,
  );
  const input = counts.reduce((sum, each) => sum + each, 0);
  yield* partsOf({ vectors, usage: { input, output: 0 } });
}

function* partsOf(read: ReadVectors): Generator<ModelPart> {
  if ('fault' in read) {
    yield { is: 'fault', why: read.fault };
    return;
  }
  yield { is: 'vectors', vectors: read.vectors };
  yield { is: 'finish', reason: 'stop' };
  if (read.usage !== undefined) yield { is: 'usage', usage: read.usage };
}
