import { defined } from '../../domain/defined.ts';
import { iso } from '../../domain/instant.ts';
import { NOTE_PRICE } from '../../domain/memory/limits.ts';
import type { NoteText } from '../../domain/memory/note.ts';
import type { Handler } from '../../server/hub/handler.ts';
import type { Call } from '../../server/hub/call.ts';
import { lockAccess } from '../../workflows/memory/access.ts';
import { charge, payingNetwork } from '../../workflows/metering/charge.ts';
import { contentGiven, packedGiven } from '../../workflows/memory/given.ts';
import { writeNotes } from '../../workflows/memory/write.ts';

/** Stores a note and takes its price in one unit; a note that is there already costs nothing. */
export const write: Handler<'memory.write'> = async (call, hub) => {
  const { author, spaceId, network: named } = call.body;
  const text = noteGiven(call.body);
  const body = await hub.once(call, async (tx) => {
    const network = await payingNetwork(hub, tx, named, 'body.network');
    const { space } = await lockAccess(tx, spaceId, author, 'write');
    const { written, notesLeft } = await writeNotes(tx, hub, space, { author, notes: [text] });
    const [done] = written;
    if (done === undefined) throw new Error('one note was written');
    const { outcome, note } = done;
    const ref = { kind: 'note', id: note.id };
    const paid = {
      account: author,
      network,
      amount: NOTE_PRICE,
      reason: 'memory.write',
      ref,
    } as const;
    return {
      noteId: note.id,
      spaceId,
      author: note.author,
      ...defined({ key: note.key }),
      embedded: note.embedding !== undefined,
      bytes: note.bytes,
      overwritten: outcome === 'overwritten',
      ...(outcome === 'duplicate' && { duplicate: true as const }),
      at: iso(note.at),
      notesLeft,
      ...(outcome !== 'duplicate' && { charge: await charge(tx, hub, paid) }),
    };
  });
  return { status: 200, body };
};

function noteGiven({ content, embedding, key }: Call<'memory.write'>['body']): NoteText {
  return {
    content: contentGiven(content, 'body.content'),
    ...defined({ key }),
    ...(embedding !== undefined && { embedding: packedGiven(embedding, 'body.embedding') }),
  };
}
