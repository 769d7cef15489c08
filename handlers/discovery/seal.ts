import { readSeal } from '../../db/ledger/seals.ts';
import { readPulse } from '../../db/time/pulses.ts';
import { withdrawnAt } from '../../db/time/withdrawn.ts';
import { refuse } from '../../workflows/kernel/errors.ts';
import type { Handler } from '../../workflows/kernel/handler.ts';
import { presentProof, presentWithdrawn } from '../time/present.ts';
import { presentSeal } from './present/seals.ts';

export const seal: Handler<'discovery.seal'> = async ({ path: { block } }, { store }) => {
  const found = await store.read(async (db) => {
    const stored = await readSeal(db, block === 'head' ? block : Number(block));
    const landed = stored?.landed;
    const pulse = landed === undefined ? undefined : await readPulse(db, landed.pulseSeq);
    const withdrawn =
      stored === undefined ? [] : await withdrawnAt(db, 'seal', stored.seal.body.blockNo);
    const newest = stored === undefined ? await readSeal(db, 'head') : undefined;
    return { stored, landed, pulse, withdrawn, newest };
  });
  const { stored, landed, pulse, withdrawn, newest } = found;
  if (stored === undefined) {
    const newestNo = newest?.seal.body.blockNo;
    return refuse('not-found', {
      error: `There is no block ${block}; ${
        newestNo === undefined ? 'nothing is sealed yet' : `the newest is ${newestNo}`
      }.`,
      hint:
        newestNo === undefined
          ? 'Transfers are sealed each minute; ask again a minute after the first one.'
          : 'New transfers are sealed each minute. GET /api/v1/economy/seals/head is the newest.',
    });
  }
  return {
    status: 200,
    body: {
      seal: { ...presentSeal(stored), ...presentWithdrawn(withdrawn) },
      ...(landed !== undefined &&
        pulse !== undefined && {
          proof: presentProof(stored.seal.digest, stored.stampedIn, { pulse, ...landed }),
        }),
    },
  };
};
