import {
  cosignaturesOf,
  lastCosignature,
  type StoredCheckpoint,
} from '../../db/log/checkpoints.ts';
import type { Reader } from '../../db/store.ts';
import { verifierKeyText, type VerifierKey } from '../../domain/log/note.ts';
import { parseTilePath, TILE_WIDTH, type TilePath } from '../../domain/log/tilePath.ts';
import type { Schemas } from '../../workflows/kernel/answered.ts';
import { refuse } from '../../workflows/kernel/errors.ts';
import type { Hub } from '../../workflows/kernel/hub.ts';

/** A checkpoint with the lines of the witnesses that the operator names now. */
export async function presentNote(
  db: Reader,
  { settings }: Hub,
  { size, note }: StoredCheckpoint,
): Promise<string> {
  const names = new Set(settings.logWitnesses.map(({ name }) => name));
  const cosigned = await cosignaturesOf(db, size);
  return note + cosigned.flatMap(({ witness, line }) => (names.has(witness) ? line : [])).join('');
}

export async function presentWitness(
  db: Reader,
  witness: VerifierKey,
): Promise<Schemas['LogWitness']> {
  const last = await lastCosignature(db, witness.name);
  return {
    name: witness.name,
    verifierKey: verifierKeyText(witness),
    ...(last !== undefined && { size: last.size, signedAt: last.at }),
  };
}

export function noCheckpoint(witnesses = 0): never {
  return refuse('not-found', {
    error:
      witnesses === 0
        ? 'The log has no checkpoint yet.'
        : `None of the newest checkpoints was signed by ${witnesses} witnesses.`,
    hint:
      witnesses === 0
        ? 'The first one is signed within ten seconds of the start of the hub; send the call again.'
        : 'Send the call again with a smaller `witnesses`. GET /api/v1/log lists the witnesses.',
  });
}

export function tileAt(rest: string): TilePath {
  const path = parseTilePath(rest);
  if (path !== undefined) return path;
  return refuse('bad-tile', {
    error: `path.rest names no tile; got ${JSON.stringify(rest)}.`,
    field: 'path.rest',
  });
}

export function noTile(rest: string): never {
  return refuse('not-found', {
    error: `The log has no tile ${rest} of that level yet.`,
    hint: 'GET /api/v1/log has the size, which says how many tiles there are and how wide the last is.',
  });
}

/** Both never change; one that is not full is soon replaced by a wider one. */
export function cachingOf({ width }: TilePath): Readonly<Record<string, string>> {
  const seconds = width === TILE_WIDTH ? 31_536_000 : 3_600;
  return { 'cache-control': `public, max-age=${seconds}, immutable` };
}
