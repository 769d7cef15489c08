import { defined } from '../../domain/defined.ts';
import type { Instant } from '../../domain/instant.ts';
import { normalised, unpackEmbedding } from '../../domain/memory/embedding.ts';
import { NOTE_BYTES_MAX, NOTE_KEY_CHARS_MAX } from '../../domain/memory/limits.ts';
import { packMetadata, type Metadata } from '../../domain/memory/metadata.ts';
import { utf8Length, type NoteText } from '../../domain/memory/note.ts';
import { packVector } from '../../domain/models/embedding.ts';
import { refuse } from '../kernel/errors.ts';

/** Reads what callers send as notes and embeddings; everything that is wrong is refused here. */
export function vectorGiven(
  values: readonly number[],
  dimensions: number,
  field: string,
): Float32Array {
  const wanted = `${dimensions} finite numbers, not all zero`;
  return (
    normalised(values, dimensions) ?? refuseEmbedding(`${field} is not ${wanted}.`, dimensions)
  );
}

/** A note as a caller sends it. */
export interface NoteEntry {
  readonly content: string;
  readonly key?: string | undefined;
  readonly embedding?: readonly number[] | undefined;
  readonly metadata?: Metadata | undefined;
  readonly expiresAt?: Instant | undefined;
}

/** The note for a space whose vectors have so many numbers; `at` names its place in the body. */
export function noteGiven(note: NoteEntry, dimensions: number, at: string, now: Instant): NoteText {
  const { content, embedding, key, metadata, expiresAt } = note;
  mustLast(expiresAt, now, `${at}.expiresAt`);
  return {
    content: contentGiven(content, `${at}.content`),
    ...defined({ key, metadata: packMetadata(metadata), expiresAt }),
    ...(embedding !== undefined && {
      embedding: packVector(vectorGiven(embedding, dimensions, `${at}.embedding`)),
    }),
  };
}

function mustLast(expiresAt: Instant | undefined, now: Instant, field: string): void {
  if (expiresAt === undefined || expiresAt > now) return;
  refuse('bad-request', {
    error: `${field} is in the past, so the note would be gone at once.`,
    hint: 'Send a later moment, or leave it out to keep the note.',
    field,
  });
}

/** A note's text: 1 to 8192 bytes in UTF-8, never cut. */
function contentGiven(content: string, field: string): string {
  const bytes = utf8Length(content);
  if (bytes === 0) {
    refuse('note-too-long', {
      error: `${field} is empty; a note has at least one letter.`,
      hint: 'Send the text of the note.',
      field,
    });
  }
  if (bytes > NOTE_BYTES_MAX) {
    refuse('note-too-long', {
      error: `${field} has ${bytes} bytes; a note has at most ${NOTE_BYTES_MAX}.`,
      field,
    });
  }
  return content;
}

/** A note of an export; `where` names its line. One that has expired since is passed over. */
export function importedNote(
  { content, key, embedding, ...facts }: NoteText,
  dimensions: number,
  where: string,
): NoteText {
  if (key !== undefined && (key === '' || [...key].length > NOTE_KEY_CHARS_MAX)) {
    refuse('bad-lines', {
      error: `${where} has a key that is empty or over ${NOTE_KEY_CHARS_MAX} characters.`,
      field: 'body.lines',
    });
  }
  const vector = embedding === undefined ? undefined : unpackEmbedding(embedding, dimensions);
  if (embedding !== undefined && vector === undefined) {
    const error = `${where} has an embeddingBase64 that is not ${dimensions} finite float32 in base64.`;
    refuseEmbedding(error, dimensions);
  }
  return {
    content: contentGiven(content, `The content of ${where.toLowerCase()}`),
    ...defined({ key }),
    ...(vector !== undefined && { embedding: packVector(vector) }),
    ...facts,
  };
}

function refuseEmbedding(error: string, dimensions: number): never {
  return refuse('bad-embedding', {
    error,
    hint: `Send the call again with ${dimensions} numbers, or without \`embedding\`. A space made with \`dimensions\` takes others.`,
    field: 'body.embedding',
  });
}
