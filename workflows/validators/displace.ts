import { lockHolder } from '../../db/passport/domains.ts';
import { openDisputesWith } from '../../db/tasks/disputes.ts';
import { openRoundsWith } from '../../db/validators/rounds.ts';
import { saveSeat } from '../../db/validators/seats.ts';
import { accountOfKey } from '../../db/wallet/keys.ts';
import type { Reader, Writer } from '../../db/store.ts';
import type { Account } from '../../domain/account.ts';
import type { TransferId } from '../../domain/ledger/transfer.ts';
import { endSeat, type ValidatorSeat } from '../../domain/validators/seat.ts';
import { refuse } from '../kernel/errors.ts';
import type { Hub } from '../kernel/hub.ts';
import { returnStake } from './stake.ts';

/**
 * Closes a locked seat at a host whose domain the account has proved, and refuses any other account:
 * a seat costs nothing, so one account could take the hosts of all others (choices validators.seats).
 */
export async function displace(
  tx: Writer,
  hub: Hub,
  seat: ValidatorSeat,
  account: Account,
): Promise<void> {
  const { endpointHost: host } = seat;
  const holder = await lockHolder(tx, host);
  if (holder === undefined || (await accountOfKey(tx, holder)) !== account) {
    refuse('seat-exists', {
      error: `The host ${host} already has a seat.`,
      hint: 'Use an endpoint on a host of your own; if this one is yours, prove its domain by `POST /api/v1/passport/verify` with `keyId`, and send the call again. `GET /api/v1/validators` lists the seats.',
      field: 'body.endpoint',
    });
  }
  if (await isDrawn(tx, seat.account)) {
    refuse('seat-exists', {
      error: `The seat at ${host} is drawn on open work, and gives way once that is decided.`,
      hint: 'Send the call again later; `GET /api/v1/validators` lists the seats.',
      field: 'body.endpoint',
    });
  }
  await closeSeat(tx, hub, seat, 'hub');
}

/** Whether open rounds or disputes rely on the seat of an account. */
export async function isDrawn(db: Reader, account: Account): Promise<boolean> {
  return (await openRoundsWith(db, account)) > 0 || (await openDisputesWith(db, account)) > 0;
}

/** Closes a locked seat and returns its stake. */
export async function closeSeat(
  tx: Writer,
  hub: Hub,
  seat: ValidatorSeat,
  actor: Account | 'hub',
): Promise<{ readonly closed: ValidatorSeat; readonly transferId: TransferId | undefined }> {
  const transferId = await returnStake(tx, hub, seat, actor);
  const closed = endSeat(seat, 'closed', hub.clock.now());
  await saveSeat(tx, closed, seat);
  return { closed, transferId };
}
