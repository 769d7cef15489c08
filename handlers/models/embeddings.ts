import { defined } from '../../domain/defined.ts';
import { inputsOf, packVector, type EmbeddingInput } from '../../domain/models/embedding.ts';
import { parametersOf } from '../../domain/models/parameters.ts';
import { wholeAnswer } from '../../domain/models/piece.ts';
import type { ModelReceipt } from '../../domain/models/receipt.ts';
import type { Call, Reply } from '../../workflows/kernel/call.ts';
import { refuse } from '../../workflows/kernel/errors.ts';
import { checksKey, type Handler } from '../../workflows/kernel/handler.ts';
import { formed } from '../../workflows/models/formed.ts';
import { embeddingAsk } from '../../workflows/models/embeddingAsk.ts';
import { beginWithKey, refuseFailed } from '../../workflows/models/keyed.ts';
import { presentReceipt } from './present/model.ts';

/** Vectors of texts, paid by the account of an API key (choices models.vectors). */
export const embeddings: Handler<'models.embeddings'> = checksKey(async (call, hub) => {
  const { body } = call;
  const isPacked = body.encoding_format === 'base64';
  const ask = embeddingAsk(hub, {
    model: body.model,
    inputs: textsOf(body.input),
    ...defined({ dimensions: body.dimensions ?? undefined }),
    isPacked,
  });
  const options = optionsOf(body);
  const prompt = { messages: [], options, embeds: ask };
  const asked = { model: body.model, ...formed(() => ({ prompt }), { ...body }) };
  if (asked.fallbacks !== undefined) refuseOtherModels();
  const begun = await beginWithKey(call, hub, asked, false);
  if ('repeated' in begun) return listed(begun.repeated, [], true);
  const { vectors } = await wholeAnswer(begun.answering.pieces);
  const receipt = await begun.answering.receipt;
  if (receipt.outcome !== 'completed') return refuseFailed(receipt, begun.answering);
  return listed(
    receipt,
    vectors.map((vector) => (isPacked ? packVector(vector) : [...vector])),
  );
});

/** Vectors of two models cannot be compared, so one never stands in for another. */
function refuseOtherModels(): never {
  return refuse('unsupported-parameter', {
    error: 'Vectors of another model are of another kind, so body.models is not taken here.',
    hint: 'Leave `models` out; `provider` chooses who computes the one model.',
    field: 'body.models',
  });
}

type Body = Call<'models.embeddings'>['body'];

function optionsOf({ input: _input, dimensions: _less, encoding_format: _form, ...rest }: Body) {
  return parametersOf(rest);
}

/** A list is either of texts or of the tokens of one; a mixture means nothing. */
function textsOf(input: Body['input']): readonly EmbeddingInput[] {
  const inputs = inputsOf(input);
  const strange = inputs.findIndex((each) => typeof each !== 'string' && !Array.isArray(each));
  const isMixed = Array.isArray(inputs[0]) && inputs[0].some((each) => typeof each !== 'number');
  if (strange < 0 && !isMixed) return inputs;
  return refuse('bad-request', {
    error: 'body.input mixes texts with ids of tokens.',
    hint: 'Send a text, a list of texts, a list of token ids, or a list of lists of token ids.',
    field: 'body.input',
  });
}

function listed(
  receipt: ModelReceipt,
  vectors: readonly (string | number[])[],
  repeated?: boolean,
): Reply<'models.embeddings'> {
  const { input } = receipt.usage;
  return {
    status: 200,
    body: {
      object: 'list',
      data: vectors.map((embedding, index) => ({ object: 'embedding', index, embedding })),
      model: receipt.model,
      usage: { prompt_tokens: input, total_tokens: input },
      receipt: presentReceipt(receipt, repeated),
    },
  };
}
