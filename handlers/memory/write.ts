import { DIMENSIONS } from '../../domain/memory/embedding.ts';
import { NOTE_PRICE } from '../../domain/memory/limits.ts';
import type { NoteText } from '../../domain/memory/note.ts';
import type { ModelReceipt } from '../../domain/models/receipt.ts';
import type { NetworkId } from '../../domain/network.ts';
import { packVector } from '../../domain/models/embedding.ts';
import type { Schemas } from '../../workflows/kernel/answered.ts';
import type { ActingCall, JsonAnswer } from '../../workflows/kernel/call.ts';
import type { Handler } from '../../workflows/kernel/handler.ts';
import type { Hub, OnceAnswer } from '../../workflows/kernel/hub.ts';
import { noteGiven } from '../../workflows/memory/given.ts';
import { buyVectors, payVectors, untilPaid, type Bought } from '../../workflows/memory/vectors.ts';
import {
  knownSpace,
  noteWriting,
  type KnownSpace,
  type NoteGiven,
  type Written,
} from '../../workflows/memory/write.ts';
import {
  charge,
  knownPayingNetwork,
  readsOfCharge,
  type Charged,
} from '../../workflows/metering/charge.ts';
import { presentReceipt } from '../models/present/model.ts';

type WriteCall = ActingCall<'memory.write'>;

/** Stores a note and takes its price; a note that is there already costs nothing. */
export const write: Handler<'memory.write'> = async (call, hub) => {
  const { author, spaceId, network: named } = call.body;
  // Nothing can be added to a space that is not there; the transaction refuses it.
  const nowhere: KnownSpace = { id: spaceId, owner: author, dimensions: DIMENSIONS };
  const space = (await knownSpace(hub, spaceId)) ?? nowhere;
  const text = noteGiven(call.body, space.dimensions, 'body', hub.clock.now());
  const network = await knownPayingNetwork(hub, named, 'body.network');
  const writing = { call, network, given: { id: hub.ids.uuid(), space, author, text } };
  const { model, dimensions } = space;
  if (model === undefined || text.embedding !== undefined) {
    return { status: 200, body: await store(hub, writing) };
  }
  const there = await withoutVector(hub, writing);
  if (there !== undefined) return { status: 200, body: there };
  const bought = await buyVectors(
    hub,
    { model, dimensions },
    {
      caller: call.caller,
      operation: call.operation,
      account: author,
      network,
      price: NOTE_PRICE,
      texts: [text.content],
      gone: call.request.gone,
    },
  );
  const body = await untilPaid(hub, bought, () => store(hub, withVector(writing, text, bought)));
  return { status: 200, body };
};

interface Writing {
  readonly call: WriteCall;
  readonly network: NetworkId;
  readonly given: NoteGiven;
  readonly bought?: Bought;
}

function withVector(writing: Writing, text: NoteText, bought: Bought): Writing {
  const [vector = new Float32Array()] = bought.vectors;
  const given = { ...writing.given, text: { ...text, embedding: packVector(vector) } };
  return { ...writing, given, bought };
}

/** Ends a transaction that may store its note once there is a vector for it. */
class NeedsVector extends Error {}

/** The answer where no vector is needed: a repeat, a note that is there, or a refusal. */
async function withoutVector(
  hub: Hub,
  writing: Writing,
): Promise<JsonAnswer<'memory.write'> | undefined> {
  try {
    return await store(hub, writing, () => {
      throw new NeedsVector();
    });
  } catch (thrown) {
    if (thrown instanceof NeedsVector) return undefined;
    throw thrown;
  }
}

/** Stores the note and charges it, or runs `instead` of the end when it is a new one. */
function store(
  hub: Hub,
  { call, network, given, bought }: Writing,
  instead?: () => never,
): Promise<JsonAnswer<'memory.write'>> {
  const { id: spaceId } = given.space;
  const writing = noteWriting(hub, given);
  const vectors = bought && payVectors(hub, bought);
  const unused = bought && payVectors(hub, bought, false);
  return hub.transactOnce(call, {
    needs: [
      ...writing.needs,
      ...(vectors?.needs ?? []),
      ...readsOfCharge(hub, charged(call, network, given.id)),
    ],
    decide(db) {
      const written = writing.write(db);
      const { outcome, note } = written;
      const receipt = (outcome === 'duplicate' ? unused : vectors)?.decide(db);
      if (outcome === 'duplicate') return answerOf(spaceId, written, { receipt });
      const taken = charge(db, hub, charged(call, network, note.id));
      instead?.();
      return answerOf(spaceId, written, { charge: taken, receipt });
    },
  });
}

function charged({ body }: WriteCall, network: NetworkId, noteId: string): Charged {
  const ref = { kind: 'note', id: noteId };
  return { account: body.author, network, amount: NOTE_PRICE, reason: 'memory.write', ref };
}

function answerOf(
  spaceId: string,
  { note, outcome, notesLeft }: Written,
  paid: { readonly charge?: Schemas['Charge']; readonly receipt?: ModelReceipt | undefined },
): OnceAnswer<'memory.write'> {
  return {
    noteId: note.id,
    spaceId,
    author: note.author,
    key: note.key,
    embedded: note.embedded,
    bytes: note.bytes,
    overwritten: outcome === 'overwritten',
    ...(outcome === 'duplicate' && { duplicate: true as const }),
    at: note.at,
    notesLeft,
    charge: paid.charge,
    ...(paid.receipt !== undefined && { receipt: presentReceipt(paid.receipt) }),
  };
}
