import type { Decider } from '../../db/batch/transaction.ts';
import type { Writer } from '../../db/store.ts';
import { houseAccount, type Account } from '../../domain/account.ts';
import {
  commitmentId,
  type CommitmentId,
  type Step,
  type TransferId,
} from '../../domain/ledger/transfer.ts';
import type { ValidatorSeat } from '../../domain/validators/seat.ts';
import type { Hub } from '../kernel/hub.ts';
import { refuseFunds } from '../wallet/funds.ts';
import { mustMove, mustTransfer, transfer, type TransferCause } from '../wallet/transfer.ts';

/** Burned stakes end here and are never spent (choices ledger.accounts). */
const BURNED = houseAccount('hub:burned');

export interface Staked {
  readonly transferId?: TransferId;
  readonly holdId?: CommitmentId;
}

/** Holds the seat's new stake in place of the old; refuses what is not there. */
export async function holdStake(
  tx: Writer,
  hub: Hub,
  seat: ValidatorSeat,
  before: ValidatorSeat | undefined,
): Promise<Staked> {
  const { stake, holdId: held } = seat;
  if (stake === (before?.stake ?? 0n)) return held === undefined ? {} : { holdId: held };
  const holdId = commitmentId(hub.ids.uuid());
  const posted = await transfer(tx, hub, {
    ...ofSeat(seat, 'validators.register', seat.account),
    steps: [
      ...(held === undefined ? [] : [released(held)]),
      {
        verb: 'hold',
        commitment: holdId,
        account: seat.account,
        kind: 'stake',
        amount: stake,
        reason: 'stake.hold',
      },
    ],
  });
  if ('refused' in posted) {
    return refuseFunds(hub, posted, { network: seat.network, field: 'body.stake' });
  }
  return { transferId: posted.transferId, holdId };
}

/** Makes the stake of a seat that resigns, or gives way, spendable again. */
export async function returnStake(
  tx: Writer,
  hub: Hub,
  seat: ValidatorSeat,
  actor: Account | 'hub',
): Promise<TransferId | undefined> {
  if (seat.holdId === undefined) return undefined;
  const steps = [released(seat.holdId)];
  return mustTransfer(tx, hub, { ...ofSeat(seat, 'validators.resign', actor), steps });
}

/** Takes the stake of a seat that disagreed too often, for good. */
export function burnStake(db: Decider, hub: Hub, seat: ValidatorSeat): void {
  const { holdId: commitment, stake: amount } = seat;
  if (commitment === undefined) return;
  const reason = 'stake.burn';
  const burned: Step = {
    verb: 'capture',
    commitment,
    reason,
    to: [{ account: BURNED, amount, reason }],
  };
  mustMove(db, hub, { ...ofSeat(seat, 'seat.retired', 'hub'), steps: [burned] });
}

function released(commitment: CommitmentId): Step {
  return { verb: 'release', commitment, reason: 'stake.return' };
}

function ofSeat(
  { id, network }: ValidatorSeat,
  event: string,
  actor: Account | 'hub',
): TransferCause {
  return { network, event, ref: { kind: 'seat', id }, actor };
}
