import { ORIGINATION_BPS } from '../../../../domain/credit.ts';
import { ARBITER_BPS } from '../../../../domain/settlement.ts';
import { HUB_BPS, JUDGES_BPS } from '../../../../domain/tasks/limits.ts';
import { RENT_PER_MEGABYTE_DAY } from '../../../../domain/memory/limits.ts';
import { charges, type Charge } from '../../../../generated/charges.ts';
import type { Schemas } from '../../../../workflows/kernel/answered.ts';

/** Every rate and price of the hub. What is not in this list is free. */
type Fee = Schemas['ServiceCatalogue']['fees'][number];

const REWARDS: readonly Fee[] = [
  {
    what: 'Work that is accepted: the hub',
    bps: HUB_BPS,
    unit: 'of the reward, rounded down',
    paidBy: 'the worker, out of the reward',
    reason: 'task.fee.hub',
  },
  {
    what: 'Work that a panel judged: its judges together',
    bps: JUDGES_BPS,
    unit: 'of the reward, rounded down',
    paidBy: 'the worker, out of the reward',
    reason: 'task.fee.judges',
  },
  {
    what: 'A dispute that is ruled on: the arbiter',
    bps: ARBITER_BPS,
    unit: "of the worker's frozen share, rounded down",
    paidBy: 'the account that the ruling pays, out of that share',
    reason: 'dispute.arbiter',
  },
  {
    what: 'Credit advanced against claimed work',
    operationId: 'services.credit',
    bps: ORIGINATION_BPS,
    unit: 'of the advance, rounded up',
    paidBy: 'the borrower, when the task settles',
    reason: 'loan.origination',
  },
];

const CALLS: readonly Fee[] = Object.entries<Charge>(charges).flatMap(
  ([operationId, { reason, paidBy, parts }]) =>
    Object.values(parts).map((part) => ({ ...part, operationId, paidBy, reason })),
);

const RENT: Fee = {
  what: 'Notes and files kept',
  amount: RENT_PER_MEGABYTE_DAY,
  unit: 'per started MB of 1048576 bytes and day, both together',
  paidBy: 'the owner',
  reason: 'memory.rent',
};

const GAMES: readonly Fee[] = [
  {
    what: 'A prediction market resolved by a judge',
    bps: 100,
    unit: 'of the losing pot, rounded down',
    paidBy: 'the losing bets',
    reason: 'market.judge',
  },
  {
    what: "A hold'em table: rake",
    bps: 0,
    unit: 'of a pot',
    paidBy: 'nobody',
  },
];

export const FEES: readonly Fee[] = [...REWARDS, ...CALLS, RENT, ...GAMES];
