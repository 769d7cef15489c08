import type { NoteThere } from '../../db/memory/memoryTables.ts';
import { defined } from '../../domain/defined.ts';
import { iso } from '../../domain/instant.ts';
import { NOTE_PRICE } from '../../domain/memory/limits.ts';
import type { NoteText } from '../../domain/memory/note.ts';
import type { NetworkId } from '../../domain/network.ts';
import type { components } from '../../generated/types.ts';
import type { Call, JsonAnswer } from '../../server/hub/call.ts';
import type { Handler } from '../../server/hub/handler.ts';
import type { Hub, OnceAnswer } from '../../server/hub/hub.ts';
import { lockAccess } from '../../workflows/memory/access.ts';
import { addingNote, NeedsMore, ownerOf } from '../../workflows/memory/addNote.ts';
import { contentGiven, packedGiven } from '../../workflows/memory/given.ts';
import { writeNotes } from '../../workflows/memory/write.ts';
import {
  charge,
  chargeInside,
  readsOfCharge,
  knownPayingNetwork,
  type Charged,
} from '../../workflows/metering/charge.ts';

/** Stores a note and takes its price in one unit; a note that is there already costs nothing. */
export const write: Handler<'memory.write'> = async (call, hub) => {
  const { author, spaceId, network: named } = call.body;
  const text = noteGiven(call.body);
  const network = await knownPayingNetwork(hub, named, 'body.network');
  const id = hub.ids.uuid();
  // Nothing can be added to a space that is not there; the transaction refuses it.
  const owner = (await ownerOf(hub, spaceId)) ?? author;
  const adding = addingNote(hub, { id, space: { id: spaceId, owner }, author, text });
  const price = charged(call, network, id);
  try {
    const body = await hub.transactOnce(call, {
      needs: [...adding.needs, ...readsOfCharge(hub, price)],
      decide(db) {
        const { duplicate, note, notesLeft } = adding.add(db);
        const taken = duplicate ? undefined : charge(db, hub, price);
        const outcome = duplicate ? 'duplicate' : 'added';
        return told({ spaceId, note, outcome, notesLeft, charge: taken });
      },
    });
    return { status: 200, body };
  } catch (error) {
    if (!(error instanceof NeedsMore)) throw error;
    return { status: 200, body: await writeFree(call, hub, network, text) };
  }
};

/** The unit that finds out on its way what it needs: for what stands under a key, and for rent. */
function writeFree(
  call: Call<'memory.write'>,
  hub: Hub,
  network: NetworkId,
  text: NoteText,
): Promise<JsonAnswer<'memory.write'>> {
  const { author, spaceId } = call.body;
  return hub.once(call, async (tx) => {
    const { space } = await lockAccess(tx, spaceId, author, 'write');
    const { written, notesLeft } = await writeNotes(tx, hub, space, { author, notes: [text] });
    const [done] = written;
    if (done === undefined) throw new Error('one note was written');
    const { outcome } = done;
    const note = { ...done.note, embedded: done.note.embedding !== undefined };
    const taken =
      outcome === 'duplicate'
        ? undefined
        : await chargeInside(tx, hub, charged(call, network, note.id));
    return told({ spaceId, note, outcome, notesLeft, charge: taken });
  });
}

function charged({ body }: Call<'memory.write'>, network: NetworkId, noteId: string): Charged {
  const ref = { kind: 'note', id: noteId };
  return { account: body.author, network, amount: NOTE_PRICE, reason: 'memory.write', ref };
}

interface Told {
  readonly spaceId: string;
  readonly note: NoteThere;
  readonly outcome: 'added' | 'overwritten' | 'duplicate';
  readonly notesLeft: number;
  readonly charge: components['schemas']['Charge'] | undefined;
}

function told({
  spaceId,
  note,
  outcome,
  notesLeft,
  charge: taken,
}: Told): OnceAnswer<'memory.write'> {
  return {
    noteId: note.id,
    spaceId,
    author: note.author,
    ...defined({ key: note.key }),
    embedded: note.embedded,
    bytes: note.bytes,
    overwritten: outcome === 'overwritten',
    ...(outcome === 'duplicate' && { duplicate: true as const }),
    at: iso(note.at),
    notesLeft,
    ...defined({ charge: taken }),
  };
}

function noteGiven({ content, embedding, key }: Call<'memory.write'>['body']): NoteText {
  return {
    content: contentGiven(content, 'body.content'),
    ...defined({ key }),
    ...(embedding !== undefined && { embedding: packedGiven(embedding, 'body.embedding') }),
  };
}
