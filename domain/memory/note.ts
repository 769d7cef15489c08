import type { Account } from '../account.ts';
import { sha256Hex } from '../digest.ts';
import type { Instant } from '../instant.ts';
import { DIMENSIONS } from './embedding.ts';

export interface NoteText {
  readonly content: string;
  readonly key?: string;
  /** Packed. */
  readonly embedding?: string;
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

/** Bytes for rent (choices memory.fees): content, 4 a component of the embedding, and key. */
export function weightOf({ content, key, embedding }: NoteText): number {
  const vector = embedding === undefined ? 0 : 4 * DIMENSIONS;
  return utf8Length(content) + vector + (key === undefined ? 0 : utf8Length(key));
}

export function utf8Length(text: string): number {
  return Buffer.byteLength(text, 'utf8');
}

/** The same for the same note: two of one digest in one space are duplicates. */
export function noteDigest({ content, key, embedding }: NoteText): string {
  return sha256Hex(JSON.stringify([key ?? null, content, embedding ?? null]));
}
