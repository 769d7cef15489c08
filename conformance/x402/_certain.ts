import { EVERYBODY } from '../../db/models/spend.ts';
import { BREAKERS } from '../../db/router/calls.ts';
import { instant } from '../../domain/instant.ts';
import { operationTable } from '../../generated/operations.ts';
import type { Fixture } from '../harness/fixture.ts';
import { hubctl } from '../operator/_operator.ts';

/** States of a hub in which a call is refused whatever it pays. */
export const LONG_PROMPT = [{ role: 'user', content: 'word '.repeat(100_000) }];

/** Runs while the ledger is frozen. */
export async function frozen<T>(world: Fixture, run: () => Promise<T>): Promise<T> {
  await hubctl([world], 'freeze', 'A test.');
  try {
    return await run();
  } finally {
    await hubctl([world], 'thaw');
  }
}

/** Runs while all accounts together have spent the ceiling of a day on models. */
export async function spentDay<T>(world: Fixture, run: () => Promise<T>): Promise<T> {
  const day = Math.floor(world.hub.clock.now() / 86_400_000) * 86_400_000;
  const payer = EVERYBODY;
  const row = { day, payer, network: 'base', amount: 500_000_000 };
  const { store } = world.hub.running.hub;
  await store.write((tx) => tx.knex('model_spend').insert(row));
  try {
    return await run();
  } finally {
    await store.write((tx) => tx.knex('model_spend').where({ payer }).delete());
  }
}

/** Runs while the breaker of an address is open. */
export async function resting<T>(
  world: Fixture,
  endpoint: string,
  run: () => Promise<T>,
): Promise<T> {
  const { store } = world.hub.running.hub;
  const restsUntil = instant(world.hub.clock.now() + 60_000);
  const put = (until?: typeof restsUntil) =>
    store.decide({
      needs: [],
      decide(db) {
        db.find(BREAKERS, endpoint);
        if (until === undefined) db.remove(BREAKERS, endpoint);
        else db.put(BREAKERS, endpoint, { endpoint, faults: 5, restsUntil: until });
      },
    });
  await put(restsUntil);
  try {
    return await run();
  } finally {
    await put();
  }
}

/** Codes of every signed call, and those that ask for the payment. */
export function isOfAnyCall(code: string): boolean {
  const signed = Object.values(operationTable).filter(
    ({ auth, method, owner, body }) =>
      auth === 'signed' && method === 'POST' && owner !== undefined && body !== undefined,
  );
  return (
    ['payment-required', 'insufficient-funds'].includes(code) ||
    signed.every(({ errors }) => errors.includes(code as never))
  );
}

/** Returns the credits of x402 payments of an account. */
export async function creditsOf(world: Fixture, name: string): Promise<readonly unknown[]> {
  return world.hub.running.hub.store.read((db) =>
    db
      .knex('entries')
      .join('accounts', 'accounts.id', 'entries.account_id')
      .where({ 'accounts.name': name, 'entries.reason': 'x402.topup' }),
  );
}
