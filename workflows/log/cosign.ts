import { addCosignature, type StoredCheckpoint } from '../../db/log/checkpoints.ts';
import { instant, iso } from '../../domain/instant.ts';
import {
  cosignedText,
  readCheckpoint,
  readCosignature,
  signatureLine,
  type NoteSignature,
  type VerifierKey,
} from '../../domain/log/note.ts';
import { refuse } from '../kernel/errors.ts';
import type { Hub } from '../kernel/hub.ts';
import { createVerify } from '../kernel/keys/ed25519.ts';

/** How far the clock of a witness may be ahead, and its signature be behind. */
const SKEW_MS = 300_000;
const WITNESSES_MAX = 16;
const verify = createVerify(WITNESSES_MAX);

/** Stores a verified line of a witness; refuses a key that the operator did not name. */
export async function keepCosignature(
  hub: Hub,
  { size, note, issuedAt }: StoredCheckpoint,
  given: NoteSignature,
): Promise<VerifierKey> {
  const { name, keyHash } = given;
  const witness = hub.settings.logWitnesses.find(
    (each) => each.name === name && each.keyHash === keyHash,
  );
  if (witness === undefined) no(`The operator has named no witness ${name} with this key.`);
  const cosignature = readCosignature(given.signature);
  if (cosignature === undefined) no('body.line has no timestamped cosignature.');
  const { seconds, signature } = cosignature;
  const at = seconds * 1000;
  const now = hub.clock.now();
  if (at > now + SKEW_MS || at < issuedAt - SKEW_MS) {
    no(`The witness states ${seconds} s since 1970; the hub's clock reads ${iso(now)}.`);
  }
  const text = readCheckpoint(note)?.text ?? '';
  if (!verify(witness.publicKey, Buffer.from(cosignedText(text, seconds)), signature)) {
    no(`The signature of ${name} does not verify over the checkpoint of size ${size}.`);
  }
  const row = { size, witness: name, line: signatureLine(given), at: instant(at) };
  await hub.store.write((tx) => addCosignature(tx, row));
  return witness;
}

function no(error: string): never {
  return refuse('bad-cosignature', { error, field: 'body.line' });
}
