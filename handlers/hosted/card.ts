import type { Handler } from '../../workflows/kernel/handler.ts';
import { signedCard } from '../../workflows/discovery/signedCard.ts';
import { mustBeHosted } from '../../workflows/hosted/given.ts';
import { presentCard } from './present.ts';

/** The A2A card that the hub serves, and signs, for an agent without an origin of its own. */
export const card: Handler<'hosted.card'> = async ({ path }, hub) => {
  const agent = await hub.store.read((db) => mustBeHosted(db, path.keyId));
  return { status: 200, body: signedCard(presentCard(hub, agent), hub) };
};
