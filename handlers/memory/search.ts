import { wordsWithout } from '../../domain/analysis/words.ts';
import { SEARCH_PRICE, SEARCH_RESULTS_DEFAULT } from '../../domain/memory/limits.ts';
import { askedWords, type AskedWord } from '../../domain/memory/words.ts';
import type { Schemas } from '../../server/hub/answered.ts';
import { refuse } from '../../server/hub/errors.ts';
import type { Handler } from '../../server/hub/handler.ts';
import type { Call } from '../../server/hub/call.ts';
import type { Hub, OnceAnswer } from '../../server/hub/hub.ts';
import { access } from '../../workflows/memory/access.ts';
import { chargeInside, payingNetwork } from '../../workflows/metering/charge.ts';
import { vectorGiven } from '../../workflows/memory/given.ts';
import * as memory from '../../workflows/memory/search.ts';
import { leftOutOf } from '../leftOut.ts';
import { UNTRUSTED } from './present.ts';

type SearchCall = Call<'memory.search'>;

type Asked = ReturnType<typeof queryOf>;

/** Times that a search begins again because what it found was overwritten meanwhile. */
const TRIES_MAX = 5;

/** Thrown when a note that the search found has changed since. */
class Overtaken extends Error {}

/** Finds notes and takes the price from the reader, also when nothing is found. */
export const search: Handler<'memory.search'> = async (call, hub) => {
  const query = queryOf(call.body);
  for (let attempt = 1; ; attempt += 1) {
    try {
      const body = await searchOnce(call, hub, query, attempt === TRIES_MAX);
      return { status: 200, body };
    } catch (thrown) {
      if (!(thrown instanceof Overtaken)) throw thrown;
    }
  }
};

async function searchOnce(call: SearchCall, hub: Hub, query: Asked, isLast: boolean) {
  const { reader, spaceId, network: named } = call.body;
  // Asked before the answer of a used key is given again, too: it goes to no revoked reader.
  const { space, isAble } = await hub.store.read(async (db) => {
    const network = await payingNetwork(hub, db, named, 'body.network');
    const found = await access(db, spaceId, reader, 'read');
    return { ...found, isAble: await memory.canPay(db, reader, network) };
  });
  const found = isAble ? await memory.find(hub, space, query) : [];
  return hub.once(call, async (tx): Promise<OnceAnswer<'memory.search'>> => {
    const network = await payingNetwork(hub, tx, named, 'body.network');
    await access(tx, spaceId, reader, 'read');
    const notes = await memory.foundNotes(tx, found);
    if (notes.length < found.length && !isLast) throw new Overtaken();
    const ref = { kind: 'space', id: spaceId };
    const account = reader;
    const paid = { account, network, amount: SEARCH_PRICE, reason: 'memory.search', ref } as const;
    const charged = await chargeInside(tx, hub, paid);
    if (!isAble) throw new Overtaken();
    return {
      spaceId,
      by: query.by,
      ...(query.by === 'embedding' && call.body.text !== undefined && { textIgnored: true }),
      ...(query.by === 'text' && leftOutOf(query.leftOut)),
      count: notes.length,
      limit: query.limit,
      results: notes.map(presentFound),
      ...(notes.some(({ note }) => note.author !== reader) && UNTRUSTED),
      charge: charged,
    };
  });
}

function queryOf({ embedding, text, limit = SEARCH_RESULTS_DEFAULT }: SearchCall['body']) {
  if (embedding !== undefined) {
    const vector = vectorGiven(embedding, 'body.embedding');
    return { by: 'embedding', vector, limit } as const;
  }
  if (text !== undefined) {
    const words = wordsGiven(text);
    const stems = words.map(({ stem }) => stem);
    return { by: 'text', words, leftOut: wordsWithout(text, stems), limit } as const;
  }
  return refuse('missing-field', {
    error: 'Neither body.embedding nor body.text is there; one of them says what to find.',
    hint: 'Send `text` with words to find, or `embedding` with 768 numbers.',
    field: 'body.text',
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

function presentFound({ note, distance }: memory.FoundNote): Schemas['FoundNote'] {
  const { id, content, key, author, at } = note;
  return {
    noteId: id,
    content,
    key,
    author,
    at,
    distance,
  };
}
