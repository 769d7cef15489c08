import { standing } from '../../db/karma/entries.ts';
import { BORNE, EVERYBODY, SPEND } from '../../db/models/spend.ts';
import type { Reader, Writer } from '../../db/store.ts';
import type { Account } from '../../domain/account.ts';
import { iso } from '../../domain/instant.ts';
import type { ModelReceipt } from '../../domain/models/receipt.ts';
import { atomic, type Atomic } from '../../domain/money.ts';
import type { NetworkId } from '../../domain/network.ts';
import { nextUtcDay, utcDay } from '../../domain/walletFaucet.ts';
import { refuse } from '../../server/hub/errors.ts';
import type { Hub } from '../../server/hub/hub.ts';

/** What may be spent on models in a UTC day (choices models.charging). */
export const ACCOUNT_DAY = atomic(20_000_000n);
export const HUB_DAY = atomic(500_000_000n);
const KARMA_FOR_DOUBLE = 200;

/** Counts what a call may cost as spent; refuses it when a ceiling has no room. */
export async function takeSpend(tx: Writer, hub: Hub, receipt: ModelReceipt): Promise<void> {
  const { at, payer, network, held } = receipt;
  const day = utcDay(at);
  const own = await accountDay(tx, payer);
  for (const [who, ceiling] of [[payer, own] as const, [EVERYBODY, HUB_DAY] as const]) {
    const of = { day, payer: who, network };
    if (await SPEND.add(tx, of, held, ceiling)) continue;
    const spent = await SPEND.read(tx, of);
    const whose = who === EVERYBODY ? 'The ceiling of the whole hub' : "The account's ceiling";
    const left = ceiling > spent ? ceiling - spent : 0n;
    refuse('model-ceiling', {
      error: `${whose} of ${ceiling} atomic units a day leaves ${left} until ${iso(nextUtcDay(at))}; this call may cost ${held}.`,
      field: 'body.max_tokens',
    });
  }
}

/** Counts out what a call that ended did not cost. */
export async function giveBackSpend(
  tx: Writer,
  { at, payer, network }: ModelReceipt,
  amount: Atomic,
): Promise<void> {
  const day = utcDay(at);
  for (const who of [payer, EVERYBODY] as const) {
    await SPEND.less(tx, { day, payer: who, network }, amount);
  }
}

/** What the hub may bear of rewritings in a UTC day, of an account's and in all. */
export const ACCOUNT_BORNE_DAY = atomic(200_000n);
export const HUB_BORNE_DAY = atomic(5_000_000n);

/** Counts what a rewriting may cost as borne; refuses it when a quota has no room. */
export async function takeBorne(tx: Writer, receipt: ModelReceipt): Promise<void> {
  const { at, payer, network, held } = receipt;
  const day = utcDay(at);
  const quotas = [[payer, ACCOUNT_BORNE_DAY] as const, [EVERYBODY, HUB_BORNE_DAY] as const];
  for (const [who, quota] of quotas) {
    if (await BORNE.add(tx, { day, payer: who, network }, held, quota)) continue;
    refuse('model-ceiling', { error: 'The hub bears no more rewritings today.' });
  }
}

/** Counts out what the hub did not bear of one that ended. */
export async function giveBackBorne(
  tx: Writer,
  { at, payer, network, held, borne }: ModelReceipt,
): Promise<void> {
  const day = utcDay(at);
  for (const who of [payer, EVERYBODY] as const) {
    await BORNE.less(tx, { day, payer: who, network }, atomic(held - borne));
  }
}

export async function hubDayLeft(db: Reader, hub: Hub, network: NetworkId): Promise<Atomic> {
  const day = utcDay(hub.clock.now());
  const spent = await SPEND.read(db, { day, payer: EVERYBODY, network });
  return atomic(HUB_DAY > spent ? HUB_DAY - spent : 0n);
}

async function accountDay(tx: Writer, payer: Account): Promise<Atomic> {
  const { total } = await standing(tx, payer);
  return total >= KARMA_FOR_DOUBLE ? atomic(ACCOUNT_DAY * 2n) : ACCOUNT_DAY;
}
