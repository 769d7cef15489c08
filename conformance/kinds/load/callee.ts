import { listedSkill, probedListing } from '../../../db/registry/fixture.ts';
import { saveListing } from '../../../db/registry/listings.ts';
import { openStore } from '../../../db/store.ts';
import { atomic } from '../../../domain/money.ts';
import { generateKey } from '../../../clients/typescript/index.ts';
import { charging, echo, startAgent } from '../../router/_agent.ts';

/** The agent on this machine that everybody calls: a free tool, and one that asks for money. */
export interface Callee {
  readonly agentId: string;
  readonly pair: string;
  close(): Promise<void>;
}

const PRICE = 1_000n;

/** Starts it and writes its listing, held by a key that is paid. */
export async function startCallee(databaseUrl: string): Promise<Callee> {
  const agent = await startAgent({ free: echo, paid: charging(() => `${PRICE}`) });
  agent.offer([{ name: 'free' }, { name: 'paid' }]);
  const { origin } = new URL(agent.endpoint);
  const listing = probedListing({ origin, endpoint: agent.endpoint });
  const price = { amount: atomic(PRICE), asset: 'USDC' };
  const skills = [listedSkill('free'), listedSkill('paid', { access: 'paid', price })];
  const held = { passport_key_id: (await generateKey()).keyId, verification: 'dns' };
  const store = await openStore(databaseUrl);
  await store.write(async (tx) => {
    await saveListing(tx, { listing, skills });
    await tx.knex('listings').where({ id: listing.id }).update(held);
  });
  await store.close();
  return { agentId: listing.id, pair: agent.site.pair, close: () => agent.site.close() };
}
