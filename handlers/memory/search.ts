import type { Space } from '../../db/memory/spaces.ts';
import type { Writer } from '../../db/store.ts';
import { decideIn } from '../../db/batch/inside.ts';
import { SEARCH_RESULTS_DEFAULT } from '../../domain/memory/limits.ts';
import { unpackMetadata } from '../../domain/memory/metadata.ts';
import type { NetworkId } from '../../domain/network.ts';
import type { Schemas } from '../../workflows/kernel/answered.ts';
import type { ActingCall, JsonAnswer } from '../../workflows/kernel/call.ts';
import type { Handler } from '../../workflows/kernel/handler.ts';
import type { Hub, OnceAnswer } from '../../workflows/kernel/hub.ts';
import { access } from '../../workflows/memory/access.ts';
import { askedOf, spaceIdsOf, type Asked } from '../../workflows/memory/query.ts';
import * as memory from '../../workflows/memory/search.ts';
import { buyVectors, payVectors, untilPaid, type Bought } from '../../workflows/memory/vectors.ts';
import { chargeInside, payingNetwork } from '../../workflows/metering/charge.ts';
import { leftOutOf } from '../leftOut.ts';
import { presentReceipt } from '../models/present/model.ts';
import { UNTRUSTED } from './present.ts';
import { defined } from '../../domain/defined.ts';

type SearchCall = ActingCall<'memory.search'>;
type Answer = JsonAnswer<'memory.search'>;

/** Times that a search begins again because what it found was overwritten meanwhile. */
const TRIES_MAX = 5;

/** Thrown when a note that the search found has changed since. */
class Overtaken extends Error {}

/** Finds notes and takes the price from the reader, if anything is found. */
export const search: Handler<'memory.search'> = async (call, hub) => {
  const ids = spaceIdsOf(call.body);
  const begun = await begin(call, hub, ids);
  const asked = askedOf(call.body, begun.spaces);
  const bought = await vectorFor(call, hub, begun, asked);
  if (bought !== undefined && 'repeated' in bought) return { status: 200, body: bought };
  const body = await untilPaid(hub, bought, async () => {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await searchOnce(call, hub, { ids, asked, isLast: attempt === TRIES_MAX, bought });
      } catch (thrown) {
        if (!(thrown instanceof Overtaken)) throw thrown;
      }
    }
  });
  return { status: 200, body };
};

interface Begun {
  readonly spaces: readonly Space[];
  readonly network: NetworkId;
  readonly isAble: boolean;
}

/** Asked before the answer of a used key is given again, too: it goes to no revoked reader. */
function begin({ body }: SearchCall, hub: Hub, ids: readonly string[]): Promise<Begun> {
  const { reader, network: named } = body;
  return hub.store.read(async (db) => {
    const network = await payingNetwork(hub, db, named, 'body.network');
    const spaces: Space[] = [];
    for (const id of ids) spaces.push((await access(db, id, reader, 'read')).space);
    const isAble = await memory.canPay(db, reader, network, memory.searchPrice(ids.length));
    return { spaces, network, isAble };
  });
}

/** Thrown where a repeat would have found its answer. */
class NotAnsweredYet extends Error {}

/** The vector of the text where a model makes it and it can find something; of a repeat its answer. */
async function vectorFor(
  call: SearchCall,
  hub: Hub,
  { spaces, network, isAble }: Begun,
  { wanted }: Asked,
): Promise<Bought | Answer | undefined> {
  if (wanted === undefined || !isAble) return undefined;
  const searched = await memory.searchedIn(hub, spaces, call.body.where ?? []);
  if (!memory.hasVectors(searched)) return undefined;
  try {
    return await hub.transactOnce(call, {
      needs: [],
      decide() {
        throw new NotAnsweredYet();
      },
    });
  } catch (thrown) {
    if (!(thrown instanceof NotAnsweredYet)) throw thrown;
  }
  return buyVectors(hub, wanted, {
    caller: call.caller,
    operation: call.operation,
    account: call.body.reader,
    network,
    price: memory.searchPrice(spaces.length),
    texts: [wanted.text],
    gone: call.request.gone,
  });
}

interface Searching {
  readonly ids: readonly [string, ...string[]];
  readonly asked: Asked;
  readonly isLast: boolean;
  readonly bought: Bought | undefined;
}

async function searchOnce(call: SearchCall, hub: Hub, searching: Searching): Promise<Answer> {
  const { ids, asked, isLast, bought } = searching;
  const { reader, where = [], limit = SEARCH_RESULTS_DEFAULT, network: named } = call.body;
  const { spaces, isAble } = await begin(call, hub, ids);
  // The price of what is bought is held beside the search's own.
  const isPaid = isAble || bought !== undefined;
  const vector = bought?.vectors[0] ?? asked.vector;
  const query = { limit, ...(vector && { vector }), ...(asked.words && { words: asked.words }) };
  const searched = isPaid ? await memory.searchedIn(hub, spaces, where) : [];
  const found = isPaid ? await memory.find(hub, searched, query) : [];
  return hub.once(call, async (tx): Promise<OnceAnswer<'memory.search'>> => {
    const network = await payingNetwork(hub, tx, named, 'body.network');
    for (const id of ids) await access(tx, id, reader, 'read');
    const { notes, isOvertaken } = await memory.foundNotes(tx, hub, found, limit);
    if (isOvertaken && !isLast) throw new Overtaken();
    const isUsed = notes.length > 0;
    const receipt = bought && (await decideIn(tx, payVectors(hub, bought, isUsed)));
    const charge = isUsed || !isPaid ? await charged(tx, hub, { reader, network, ids }) : undefined;
    if (!isPaid) throw new Overtaken();
    return {
      spaceId: ids[0],
      by: asked.by,
      ...(asked.by === 'embedding' && call.body.text !== undefined && { textIgnored: true }),
      ...(asked.words !== undefined && leftOutOf(asked.leftOut)),
      count: notes.length,
      limit,
      results: notes.map((note) => presentFound(note, spaces)),
      ...(notes.some(({ note }) => note.author !== reader) && UNTRUSTED),
      ...defined({ charge }),
      ...(receipt !== undefined && { receipt: presentReceipt(receipt) }),
    };
  });
}

function charged(
  tx: Writer,
  hub: Hub,
  { reader, network, ids }: { reader: Space['owner']; network: NetworkId; ids: Searching['ids'] },
): Promise<Schemas['Charge']> {
  const ref = { kind: 'space', id: ids[0] };
  const amount = memory.searchPrice(ids.length);
  const paid = { account: reader, network, amount, reason: 'memory.search', ref } as const;
  return chargeInside(tx, hub, paid);
}

function presentFound(
  { note, distance }: memory.FoundNote,
  spaces: readonly Space[],
): Schemas['FoundNote'] {
  const { id, content, key, metadata, author, at } = note;
  const space = spaces.find(({ no }) => no === note.space);
  return {
    noteId: id,
    spaceId: space?.id ?? '',
    content,
    key,
    metadata: unpackMetadata(metadata),
    author,
    at,
    distance,
  };
}
