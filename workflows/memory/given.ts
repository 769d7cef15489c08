import { defined } from '../../domain/defined.ts';
import { normalised, packEmbedding, unpackEmbedding } from '../../domain/memory/embedding.ts';
import { NOTE_BYTES_MAX, NOTE_KEY_CHARS_MAX } from '../../domain/memory/limits.ts';
import { utf8Length, type NoteText } from '../../domain/memory/note.ts';
import { refuse } from '../../server/hub/errors.ts';

/** Reads what callers send as notes and embeddings; everything that is wrong is refused here. */
export function vectorGiven(values: readonly number[], field: string): Float32Array {
  return normalised(values) ?? refuseEmbedding(`${field} is not 768 finite numbers, not all zero.`);
}

export function packedGiven(values: readonly number[], field: string): string {
  return packEmbedding(vectorGiven(values, field));
}

/** A note's text: 1 to 8192 bytes in UTF-8, never cut. */
export function contentGiven(content: string, field: string): string {
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

/** A note of an export; `where` names its line. */
export function importedNote({ content, key, embedding }: NoteText, where: string): NoteText {
  if (key !== undefined && (key === '' || [...key].length > NOTE_KEY_CHARS_MAX)) {
    refuse('bad-lines', {
      error: `${where} has a key that is empty or over ${NOTE_KEY_CHARS_MAX} characters.`,
      field: 'body.lines',
    });
  }
  const vector = embedding === undefined ? undefined : unpackEmbedding(embedding);
  if (embedding !== undefined && vector === undefined) {
    refuseEmbedding(`${where} has an embeddingBase64 that is not 768 finite float32 in base64.`);
  }
  return {
    content: contentGiven(content, `The content of ${where.toLowerCase()}`),
    ...defined({ key }),
    ...(vector !== undefined && { embedding: packEmbedding(vector) }),
  };
}

function refuseEmbedding(error: string): never {
  return refuse('bad-embedding', { error, field: 'body.embedding' });
}
