import { readCheckpoint } from '../../db/log/checkpoints.ts';
import { readSignature } from '../../domain/log/note.ts';
import { refuse } from '../../workflows/kernel/errors.ts';
import type { Handler } from '../../workflows/kernel/handler.ts';
import { keepCosignature } from '../../workflows/log/cosign.ts';
import { presentWitness } from './present.ts';

export const cosign: Handler<'log.cosign'> = async ({ body: { size, line } }, hub) => {
  const given = readSignature(line);
  if (given === undefined)
    return refuse('bad-cosignature', {
      error: 'body.line is no signature line of a note.',
      field: 'body.line',
    });
  const signed = await hub.store.read((db) => readCheckpoint(db, size));
  if (signed === undefined)
    return refuse('not-found', {
      error: `The log has no checkpoint of size ${size}.`,
      hint: 'Sign the newest one, which GET /api/v1/log/checkpoint has.',
    });
  const witness = await keepCosignature(hub, signed, given);
  return { status: 200, body: await hub.store.read((db) => presentWitness(db, witness)) };
};
