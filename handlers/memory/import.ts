import { decideIn } from '../../db/batch/inside.ts';
import { readStorage } from '../../db/memory/storage.ts';
import type { Space } from '../../db/memory/spaces.ts';
import type { Reader, Writer } from '../../db/store.ts';
import type { Account } from '../../domain/account.ts';
import type { Instant } from '../../domain/instant.ts';
import { readLines, type ImportLine } from '../../domain/memory/exportLines.ts';
import {
  IMPORT_LINES_MAX,
  IMPORTED_NOTE_PRICE,
  NOTES_PER_ACCOUNT_MAX,
} from '../../domain/memory/limits.ts';
import { DIMENSIONS } from '../../domain/memory/embedding.ts';
import { hasExpired, type NoteText } from '../../domain/memory/note.ts';
import { packVector } from '../../domain/models/embedding.ts';
import { atomic, type Atomic } from '../../domain/money.ts';
import type { Call, JsonAnswer } from '../../workflows/kernel/call.ts';
import { refuse } from '../../workflows/kernel/errors.ts';
import type { Handler } from '../../workflows/kernel/handler.ts';
import type { Hub, OnceAnswer } from '../../workflows/kernel/hub.ts';
import { inTurns } from '../../workflows/kernel/turns.ts';
import { lockAccess } from '../../workflows/memory/access.ts';
import { removeKeys } from '../../workflows/memory/delete.ts';
import {
  chargeInside,
  knownPayingNetwork,
  payingNetwork,
} from '../../workflows/metering/charge.ts';
import { importedNote, noteGiven } from '../../workflows/memory/given.ts';
import { importGrants } from '../../workflows/memory/importGrants.ts';
import { buyVectors, payVectors, untilPaid, type Bought } from '../../workflows/memory/vectors.ts';
import { knownSpace, noteWriting, type KnownSpace } from '../../workflows/memory/write.ts';
import { presentReceipt } from '../models/present/model.ts';

type ImportCall = Call<'memory.import'>;

/** Writes and deletes notes of a space; what is there already costs nothing. */
export const importLines: Handler<'memory.import'> = async (call, hub) => {
  mustChange(call.body);
  const lines = await linesGiven(call.body.lines);
  const { model, dimensions } = (await knownSpace(hub, call.path.id)) ?? nowhere(call);
  const notes = notesOf(call.body, lines, dimensions, hub.clock.now());
  const batch: Batch = { call, lines, notes };
  if (model === undefined) return { status: 200, body: await store(hub, batch) };
  const before = await withoutVectors(hub, batch);
  if (!(before instanceof NeedsVectors)) return { status: 200, body: before };
  const { texts, price } = before;
  const { caller, operation, body: asked, request } = call;
  const network = await knownPayingNetwork(hub, asked.network, 'body.network');
  const payer = { caller, operation, account: asked.owner, network, gone: request.gone };
  const bought = await buyVectors(hub, { model, dimensions }, { ...payer, price, texts });
  const body = await untilPaid(hub, bought, () => store(hub, embedded(batch, texts, bought)));
  return { status: 200, body };
};

interface Batch {
  readonly call: ImportCall;
  readonly lines: readonly ImportLine[];
  readonly notes: readonly NoteText[];
  readonly bought?: Bought;
}

/** Nothing is brought into a space that is not there; the unit refuses it. */
function nowhere({ path, body }: ImportCall): KnownSpace {
  return { id: path.id, owner: body.owner, dimensions: DIMENSIONS };
}

/** Ends a unit whose notes may be stored once there are vectors for these texts. */
class NeedsVectors extends Error {
  readonly texts: readonly string[];
  readonly price: Atomic;

  constructor(texts: readonly string[], price: Atomic) {
    super('vectors are missing');
    this.texts = texts;
    this.price = price;
  }
}

/** The answer where no vector is missing, or which are; a refusal comes before any is bought. */
async function withoutVectors(
  hub: Hub,
  batch: Batch,
): Promise<JsonAnswer<'memory.import'> | NeedsVectors> {
  try {
    return await store(hub, batch, (texts, price) => {
      throw new NeedsVectors(texts, price);
    });
  } catch (thrown) {
    if (thrown instanceof NeedsVectors) return thrown;
    throw thrown;
  }
}

function embedded(batch: Batch, texts: readonly string[], bought: Bought): Batch {
  const vectors = new Map(texts.map((text, n) => [text, bought.vectors[n]]));
  const notes = batch.notes.map((note) => {
    const vector = note.embedding === undefined ? vectors.get(note.content) : undefined;
    return vector === undefined ? note : { ...note, embedding: packVector(vector) };
  });
  return { ...batch, notes, bought };
}

/** Stores all or nothing; `instead` ends the unit where new notes have no vector. */
function store(
  hub: Hub,
  { call, lines, notes, bought }: Batch,
  instead?: (texts: readonly string[], price: Atomic) => never,
): Promise<JsonAnswer<'memory.import'>> {
  const { owner, deleteKeys = [], network: named } = call.body;
  return hub.once(call, async (tx): Promise<OnceAnswer<'memory.import'>> => {
    const network = await payingNetwork(hub, tx, named, 'body.network');
    const right = lines.length > 0 ? 'grant' : 'write';
    const { space } = await lockAccess(tx, call.path.id, owner, right);
    const grants = await importGrants(tx, hub, space, { lines, by: call.caller.keyId });
    const deleted = await removeKeys(tx, hub, { space, account: owner }, deleteKeys);
    const { added, overwritten, duplicate, unembedded } = await writeAll(tx, hub, {
      space,
      owner,
      notes,
    });
    const amount = atomic(IMPORTED_NOTE_PRICE * BigInt(added + overwritten));
    if (unembedded.length > 0) instead?.(unembedded, amount);
    const isUsed = amount > 0n;
    const receipt = bought && (await decideIn(tx, payVectors(hub, bought, isUsed)));
    const ref = { kind: 'space', id: space.id };
    const paid = { account: owner, network, amount, reason: 'memory.write', ref } as const;
    return {
      spaceId: space.id,
      added,
      overwritten,
      duplicates: duplicate,
      deleted,
      grants,
      notesLeft: await notesLeftOf(tx, owner),
      ...(isUsed && { charge: await chargeInside(tx, hub, paid) }),
      ...(receipt !== undefined && { receipt: presentReceipt(receipt) }),
    };
  });
}

/** Writes each note by itself: all of them in one decision would hold the event loop. */
async function writeAll(
  tx: Writer,
  hub: Hub,
  { space, owner, notes }: { space: Space; owner: Account; notes: readonly NoteText[] },
) {
  const count = { added: 0, overwritten: 0, duplicate: 0 };
  const unembedded = new Set<string>();
  for (const text of notes) {
    const given = { id: hub.ids.uuid(), space, author: owner, text };
    const { needs, write } = noteWriting(hub, given);
    const { outcome } = await decideIn(tx, { needs, decide: write });
    count[outcome] += 1;
    if (outcome !== 'duplicate' && text.embedding === undefined) unembedded.add(text.content);
  }
  return { ...count, unembedded: [...unembedded] };
}

async function notesLeftOf(db: Reader, account: Account): Promise<number> {
  return NOTES_PER_ACCOUNT_MAX - ((await readStorage(db, account))?.notesWritten ?? 0);
}

function notesOf(
  { notes = [] }: Call<'memory.import'>['body'],
  lines: readonly ImportLine[],
  dimensions: number,
  now: Instant,
): readonly NoteText[] {
  const given = notes.map((note, n) => noteGiven(note, dimensions, `body.notes[${n}]`, now));
  const imported = lines.flatMap((line) =>
    line.is === 'note' ? [importedNote(line.note, dimensions, `Line ${line.line}`)] : [],
  );
  const all = [...given, ...imported.filter((note) => !hasExpired(note, now))];
  if (all.length <= IMPORT_LINES_MAX) return all;
  return refuse('bad-lines', {
    error: `body.notes and body.lines have ${all.length} notes; one call takes ${IMPORT_LINES_MAX}.`,
    hint: 'Send them in several calls.',
    field: 'body.notes',
  });
}

function mustChange({ notes, lines, deleteKeys }: Call<'memory.import'>['body']): void {
  if (notes !== undefined || lines !== undefined || deleteKeys !== undefined) return;
  refuse('missing-field', {
    error: 'body has neither notes, lines nor deleteKeys, so there is nothing to do.',
    hint: 'Send `notes` to write, `deleteKeys` to delete, or `lines` of an export.',
    field: 'body.notes',
  });
}

async function linesGiven(text = ''): Promise<readonly ImportLine[]> {
  const read = await inTurns(readLines(text));
  if (!('why' in read)) return read;
  return refuse('bad-lines', { error: `Line ${read.line} ${read.why}.`, field: 'body.lines' });
}
