import { proposalsOf } from '../../db/registry/crawlProposals.ts';
import { readTarget } from '../../db/registry/targets.ts';
import { refuse } from '../../workflows/kernel/errors.ts';
import type { Handler } from '../../workflows/kernel/handler.ts';
import { presentSubmission } from './present/submission.ts';
import { foundOf } from '../../workflows/registry/submission.ts';

/** Returns the state of a submitted origin; a bare host means https. */
export const submission: Handler<'registry.submission'> = async ({ path }, hub) => {
  const named = /^https?:\/\//.test(path.origin) ? path.origin : `https://${path.origin}`;
  const origin = URL.canParse(named) ? new URL(named).origin : named;
  const { target, feeds } = await hub.store.read(async (db) => ({
    target: await readTarget(db, origin),
    feeds: await proposalsOf(db, origin),
  }));
  if (target === undefined) {
    return refuse('not-found', {
      error: `The crawler does not know ${origin}.`,
      hint: `Submit it: POST /api/v1/agents {"url":"${origin}"}.`,
      field: 'path.origin',
    });
  }
  const found = await foundOf(hub, target.report);
  return { status: 200, body: presentSubmission(hub, { target, found, feeds }) };
};
