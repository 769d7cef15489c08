import { defined } from '../../domain/defined.ts';
import { NOTE_PRICE } from '../../domain/memory/limits.ts';
import type { NoteText } from '../../domain/memory/note.ts';
import type { NetworkId } from '../../domain/network.ts';
import type { Schemas } from '../../server/hub/answered.ts';
import type { Call } from '../../server/hub/call.ts';
import type { Handler } from '../../server/hub/handler.ts';
import type { OnceAnswer } from '../../server/hub/hub.ts';
import { contentGiven, packedGiven } from '../../workflows/memory/given.ts';
import { noteWriting, ownerOf, type Written } from '../../workflows/memory/write.ts';
import {
  charge,
  knownPayingNetwork,
  readsOfCharge,
  type Charged,
} from '../../workflows/metering/charge.ts';

/** Stores a note and takes its price; a note that is there already costs nothing. */
export const write: Handler<'memory.write'> = async (call, hub) => {
  const { author, spaceId, network: named } = call.body;
  const text = noteGiven(call.body);
  const network = await knownPayingNetwork(hub, named, 'body.network');
  const id = hub.ids.uuid();
  // Nothing can be added to a space that is not there; the transaction refuses it.
  const owner = (await ownerOf(hub, spaceId)) ?? author;
  const writing = noteWriting(hub, { id, space: { id: spaceId, owner }, author, text });
  const body = await hub.transactOnce(call, {
    needs: [...writing.needs, ...readsOfCharge(hub, charged(call, network, id))],
    decide(db) {
      const written = writing.write(db);
      if (written.outcome === 'duplicate') return answerOf(spaceId, written);
      return answerOf(spaceId, written, charge(db, hub, charged(call, network, written.note.id)));
    },
  });
  return { status: 200, body };
};

function charged({ body }: Call<'memory.write'>, network: NetworkId, noteId: string): Charged {
  const ref = { kind: 'note', id: noteId };
  return { account: body.author, network, amount: NOTE_PRICE, reason: 'memory.write', ref };
}

function answerOf(
  spaceId: string,
  { note, outcome, notesLeft }: Written,
  taken?: Schemas['Charge'],
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
    charge: taken,
  };
}

function noteGiven({ content, embedding, key }: Call<'memory.write'>['body']): NoteText {
  return {
    content: contentGiven(content, 'body.content'),
    ...defined({ key }),
    ...(embedding !== undefined && { embedding: packedGiven(embedding, 'body.embedding') }),
  };
}
