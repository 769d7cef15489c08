import { need, type Need } from '../../db/batch/need.ts';
import type { Decider } from '../../db/batch/transaction.ts';
import { KARMA_SUMS } from '../../db/karma/karmaTables.ts';
import {
  addBorne,
  EVERYBODY,
  lessBorne,
  MODEL_CEILINGS,
  MODEL_SPEND,
  spendOf,
  type SpendDay,
} from '../../db/models/spend.ts';
import type { Reader, Writer } from '../../db/store.ts';
import type { Account } from '../../domain/account.ts';
import { iso } from '../../domain/instant.ts';
import { ACCOUNT_DAY, HUB_DAY } from '../../domain/models/ceilings.ts';
import type { ModelReceipt } from '../../domain/models/receipt.ts';
import { atomic, ZERO, type Atomic } from '../../domain/money.ts';
import type { NetworkId } from '../../domain/network.ts';
import { nextUtcDay, utcDay } from '../../domain/walletFaucet.ts';
import { refuse } from '../kernel/errors.ts';
import type { Hub } from '../kernel/hub.ts';

/** Ceilings of spending on models (choices models.charging). */
const KARMA_FOR_DOUBLE = 200;

type Of = Pick<ModelReceipt, 'at' | 'payer' | 'network'>;

function daysOf({ at, payer, network }: Of): readonly [own: SpendDay, all: SpendDay] {
  const day = utcDay(at);
  return [
    { day, payer, network },
    { day, payer: EVERYBODY, network },
  ];
}

/** The reads of `giveBackSpend`; those of `takeSpend` in the common case have the ceiling too. */
export function daysNeeded(of: Of): readonly Need[] {
  return daysOf(of).map((day) => need(MODEL_SPEND, day));
}

export function spendNeeds(of: Of): readonly Need[] {
  return [...daysNeeded(of), need(MODEL_CEILINGS, of.payer)];
}

/** Counts what a call may cost as spent; refuses it when a ceiling has no room. */
export function takeSpend(db: Decider, receipt: ModelReceipt): void {
  const { at, payer, held } = receipt;
  const [own, all] = daysOf(receipt);
  for (const day of [own, all]) {
    const spent = db.find(MODEL_SPEND, day)?.amount ?? ZERO;
    const ceiling = day === all ? HUB_DAY : accountDay(db, payer, spent + held);
    if (spent + held > ceiling) {
      const whose = day === all ? 'The ceiling of the whole hub' : "The account's ceiling";
      const left = ceiling > spent ? ceiling - spent : 0n;
      refuse('model-ceiling', {
        error: `${whose} of ${ceiling} atomic units a day leaves ${left} until ${iso(nextUtcDay(at))}; this call may cost ${held}.`,
        ...(day === own && {
          hint: 'Send the call again after the reset that the error text names, or with a lower `max_tokens`, or raise the ceiling: POST /api/v1/wallet/{owner}/keys/models/policy with `perDay`.',
        }),
        field: 'body.max_tokens',
      });
    }
    db.put(MODEL_SPEND, day, { ...day, amount: atomic(spent + held) });
  }
}

/** Counts out what a call that ended did not cost. */
export function giveBackSpend(db: Decider, of: Of, amount: Atomic): void {
  if (amount === ZERO) return;
  for (const day of daysOf(of)) {
    const spent = db.find(MODEL_SPEND, day)?.amount ?? ZERO;
    db.put(MODEL_SPEND, day, { ...day, amount: atomic(spent - amount) });
  }
}

/** Ceilings of rewritings that the hub bears in a UTC day, for an account and in all. */
const ACCOUNT_BORNE_DAY = atomic(200_000n);
const HUB_BORNE_DAY = atomic(5_000_000n);

/** Counts what a rewriting may cost as borne; refuses it when a quota has no room. */
export async function takeBorne(tx: Writer, receipt: ModelReceipt): Promise<void> {
  const [own, all] = daysOf(receipt);
  for (const [day, quota] of [[own, ACCOUNT_BORNE_DAY] as const, [all, HUB_BORNE_DAY] as const]) {
    if (await addBorne(tx, day, receipt.held, quota)) continue;
    refuse('model-ceiling', { error: 'The hub bears no more rewritings today.' });
  }
}

/** Counts out what the hub did not bear of one that ended. */
export async function giveBackBorne(tx: Writer, receipt: ModelReceipt): Promise<void> {
  const { held, borne } = receipt;
  for (const day of daysOf(receipt)) await lessBorne(tx, day, atomic(held - borne));
}

export async function hubDayLeft(db: Reader, hub: Hub, network: NetworkId): Promise<Atomic> {
  const day = utcDay(hub.clock.now());
  const spent = await spendOf(db, { day, payer: EVERYBODY, network });
  return atomic(HUB_DAY > spent ? HUB_DAY - spent : 0n);
}

/**
 * The amount that the account set, or the usual ceiling, which karma doubles. Karma is looked up
 * for what is above the single one alone.
 */
function accountDay(db: Decider, payer: Account, wanted: bigint): Atomic {
  const { perDay } = db.find(MODEL_CEILINGS, payer) ?? {};
  if (perDay !== undefined) return perDay;
  if (wanted <= ACCOUNT_DAY) return ACCOUNT_DAY;
  const karma = db.find(KARMA_SUMS, payer)?.total ?? 0;
  return karma >= KARMA_FOR_DOUBLE ? atomic(ACCOUNT_DAY * 2n) : ACCOUNT_DAY;
}
