import type { Account } from '../account.ts';
import { sha256Hex } from '../digest.ts';
import type { Instant } from '../instant.ts';
import { packedBytes } from './embedding.ts';

export interface NoteText {
  readonly content: string;
  readonly key?: string;
  /** Packed. */
  readonly embedding?: string;
  /** JSON text of facts, as `packMetadata` writes it. */
  readonly metadata?: string;
  readonly expiresAt?: Instant;
}

export interface Note extends NoteText {
  /** Order of making in the database. */
  readonly no: number;
  readonly id: string;
  readonly author: Account;
  readonly bytes: number;
  /** Place among the changes of its space; a later one was written later. */
  readonly changed: number;
  readonly at: Instant;
}

/** Bytes for rent (choices memory.fees): content, 4 a number of the embedding, key and metadata. */
export function weightOf({ content, key, embedding, metadata }: NoteText): number {
  const vector = embedding === undefined ? 0 : packedBytes(embedding);
  const beside = (key === undefined ? 0 : utf8Length(key)) + utf8Length(metadata ?? '');
  return utf8Length(content) + vector + beside;
}

export function utf8Length(text: string): number {
  return Buffer.byteLength(text, 'utf8');
}

/**
 * The same for the same note: two of one digest in one space are duplicates. In a space with a model
 * the vector follows from the content, so it is no part of it.
 */
export function noteDigest(note: NoteText, isOfModel = false): string {
  const { content, key, embedding, metadata, expiresAt } = note;
  const own = [key ?? null, content, isOfModel ? null : (embedding ?? null)];
  const more = metadata ?? expiresAt;
  return sha256Hex(
    JSON.stringify(more === undefined ? own : [...own, metadata ?? null, expiresAt ?? null]),
  );
}

/** A note that expired is gone for readers, also before it is deleted. */
export function hasExpired(note: Pick<Note, 'expiresAt'> | undefined, now: Instant): boolean {
  return note?.expiresAt !== undefined && note.expiresAt <= now;
}
