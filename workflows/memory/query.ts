import type { Space } from '../../db/memory/spaces.ts';
import { wordsWithout } from '../../domain/analysis/words.ts';
import type { MetadataTerm } from '../../domain/memory/metadata.ts';
import { askedWords, type AskedWord } from '../../domain/memory/words.ts';
import type { Call } from '../kernel/call.ts';
import { refuse } from '../kernel/errors.ts';
import { vectorGiven } from './given.ts';
import { defined } from '../../domain/defined.ts';

type Body = Call<'memory.search'>['body'];

/** The question of a search, and how it is answered (choices memory.hybrid). */
export interface Asked {
  readonly by: 'embedding' | 'text' | 'both';
  readonly words?: readonly AskedWord[];
  /** Words of the text that no note is searched for. */
  readonly leftOut: readonly string[];
  /** The vector that was sent. */
  readonly vector?: Float32Array;
  /** Model and text of the vector that is to be made. */
  readonly wanted?: { readonly model: string; readonly dimensions: number; readonly text: string };
}

/** Reads the question; refuses one that does not say what is to be found. */
export function askedOf(body: Body, spaces: readonly Space[]): Asked {
  const { by: chosen, text, embedding, where = [] } = body;
  mustAsk(where);
  const by = chosen ?? kindOf(text, embedding, spaces);
  if (by !== 'embedding' && text === undefined) return refuseMissing('text');
  const words = by !== 'embedding' && text !== undefined ? wordsGiven(text) : undefined;
  const stems = words?.map(({ stem }) => stem) ?? [];
  const leftOut = words === undefined || text === undefined ? [] : wordsWithout(text, stems);
  const asked = { by, leftOut, ...defined({ words }) };
  if (by === 'text') return asked;
  const { dimensions, model } = kindOfVectors(spaces);
  if (embedding !== undefined) {
    return { ...asked, vector: vectorGiven(embedding, dimensions, 'body.embedding') };
  }
  if (model === undefined || text === undefined) return refuseMissing('embedding');
  return { ...asked, wanted: { model, dimensions, text } };
}

/** A condition that asks for nothing would be met by every note that has the fact. */
function mustAsk(where: readonly MetadataTerm[]): void {
  const empty = where.findIndex((term) => Object.keys(term).length < 2);
  if (empty < 0) return;
  refuse('missing-field', {
    error: `body.where[${empty}] has a name and no condition.`,
    hint: 'Send `is`, `anyOf`, `from` or `to` with it.',
    field: `body.where[${empty}].is`,
  });
}

/** A text alone is searched for both ways where one model makes the vectors of all spaces. */
function kindOf(
  text: string | undefined,
  embedding: readonly number[] | undefined,
  spaces: readonly Space[],
): Asked['by'] {
  if (embedding !== undefined) return 'embedding';
  if (text === undefined) return refuseMissing('text');
  const [first] = spaces;
  const isOfModel = first?.model !== undefined && spaces.every((each) => isSameKind(each, first));
  return isOfModel ? 'both' : 'text';
}

function isSameKind(one: Space, other: Space): boolean {
  return one.model === other.model && one.dimensions === other.dimensions;
}

/** Distances are compared only between vectors of one kind. */
function kindOfVectors(spaces: readonly Space[]): Pick<Space, 'model' | 'dimensions'> {
  const [first] = spaces;
  const strange = spaces.findIndex((each) => first !== undefined && !isSameKind(each, first));
  if (first !== undefined && strange < 0) return first;
  return refuse('bad-request', {
    error: `body.spaceIds[${strange}] has vectors of another model or of another number of dimensions than the first space.`,
    hint: 'Send "by": "text", or search these spaces one by one.',
    field: `body.spaceIds[${strange}]`,
  });
}

function refuseMissing(name: 'text' | 'embedding'): never {
  const error =
    name === 'text'
      ? 'Neither body.embedding nor body.text is there for this search; it says what to find.'
      : 'body.embedding is not there, and no model makes the vectors of these spaces.';
  return refuse('missing-field', {
    error,
    hint: 'Send `text` with words to find, or `embedding` with as many numbers as the space has `dimensions`.',
    field: `body.${name}`,
  });
}

function wordsGiven(text: string): readonly AskedWord[] {
  const words = askedWords(text);
  if (words.length > 0) return words;
  return refuse('bad-request', {
    error: 'body.text has no letter and no digit, so it has no word to search for.',
    hint: 'Send `text` with at least one word, or an `embedding`. GET /api/v1/memory/spaces/{id} (memory.readSpace) reads all notes of a space for nothing.',
    field: 'body.text',
  });
}

const ONE_OF = 'Send `spaceId` for one space, or `spaceIds` for several.';

/** The spaces that are searched, by their ids. */
export function spaceIdsOf({ spaceId, spaceIds }: Body): readonly [string, ...string[]] {
  if (spaceId !== undefined && spaceIds !== undefined) {
    const error = 'body has spaceId and spaceIds.';
    return refuse('bad-request', { error, hint: ONE_OF, field: 'body.spaceIds' });
  }
  const [first, ...more] = spaceIds ?? (spaceId === undefined ? [] : [spaceId]);
  if (first !== undefined) return [first, ...more];
  const error = 'body.spaceId is required.';
  return refuse('missing-field', { error, hint: ONE_OF, field: 'body.spaceId' });
}
