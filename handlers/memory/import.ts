import { decideIn } from '../../db/batch/inside.ts';
import { readStorage } from '../../db/memory/storage.ts';
import type { Reader } from '../../db/store.ts';
import type { Account } from '../../domain/account.ts';
import { readLines, type ImportLine } from '../../domain/memory/exportLines.ts';
import { IMPORTED_NOTE_PRICE, NOTES_PER_ACCOUNT_MAX } from '../../domain/memory/limits.ts';
import { atomic } from '../../domain/money.ts';
import { refuse } from '../../server/hub/errors.ts';
import type { Handler } from '../../server/hub/handler.ts';
import { inTurns } from '../../server/hub/turns.ts';
import { lockAccess } from '../../workflows/memory/access.ts';
import { chargeInside, payingNetwork } from '../../workflows/metering/charge.ts';
import { importedNote } from '../../workflows/memory/given.ts';
import { importGrants } from '../../workflows/memory/importGrants.ts';
import { noteWriting } from '../../workflows/memory/write.ts';

/** Stores lines of an export in a space of the caller's; what is there already costs nothing. */
export const importLines: Handler<'memory.import'> = async (call, hub) => {
  const { owner, network: named } = call.body;
  const lines = await linesGiven(call.body.lines);
  const notes = lines.flatMap((line) =>
    line.is === 'note' ? [importedNote(line.note, `Line ${line.line}`)] : [],
  );
  const body = await hub.once(call, async (tx) => {
    const network = await payingNetwork(hub, tx, named, 'body.network');
    const { space } = await lockAccess(tx, call.path.id, owner, 'grant');
    const grants = await importGrants(tx, hub, space, { lines, by: call.caller.keyId });
    const count = { added: 0, overwritten: 0, duplicate: 0 };
    // Each note by itself: all of them in one decision would hold the event loop.
    for (const text of notes) {
      const given = { id: hub.ids.uuid(), space, author: owner, text };
      const { needs, write } = noteWriting(hub, given);
      const written = await decideIn(tx, { needs, decide: write });
      count[written.outcome] += 1;
    }
    const { added, overwritten, duplicate: duplicates } = count;
    const amount = atomic(IMPORTED_NOTE_PRICE * BigInt(added + overwritten));
    const ref = { kind: 'space', id: space.id };
    const paid = { account: owner, network, amount, reason: 'memory.write', ref } as const;
    return {
      spaceId: space.id,
      added,
      overwritten,
      duplicates,
      grants,
      notesLeft: await notesLeftOf(tx, owner),
      ...(amount > 0n && { charge: await chargeInside(tx, hub, paid) }),
    };
  });
  return { status: 200, body };
};

async function notesLeftOf(db: Reader, account: Account): Promise<number> {
  return NOTES_PER_ACCOUNT_MAX - ((await readStorage(db, account))?.notesWritten ?? 0);
}

async function linesGiven(text: string): Promise<readonly ImportLine[]> {
  const read = await inTurns(readLines(text));
  if (!('why' in read)) return read;
  return refuse('bad-lines', { error: `Line ${read.line} ${read.why}.`, field: 'body.lines' });
}
