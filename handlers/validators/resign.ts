import { openDisputesWith } from '../../db/tasks/disputes.ts';
import { openRoundsWith } from '../../db/validators/rounds.ts';
import { lockSeats } from '../../db/validators/seats.ts';
import { iso } from '../../domain/instant.ts';
import { refuse } from '../../workflows/kernel/errors.ts';
import type { Handler } from '../../workflows/kernel/handler.ts';
import { presentOwnSeat } from './present.ts';
import { closeSeat } from '../../workflows/validators/displace.ts';

/** The stake stays while others rely on it: no validator leaves an open round or dispute. */
export const resign: Handler<'validators.resign'> = async (call, hub) => {
  const { account } = call.caller;
  const body = await hub.once(call, async (tx) => {
    const [seat] = await lockSeats(tx, [account]);
    if (seat === undefined || seat.state === 'closed') {
      return refuse('no-seat', { error: `${account} has no seat.` });
    }
    if (seat.state === 'retired') {
      const at = iso(seat.endedAt ?? seat.seatedAt);
      return refuse('seat-retired', { error: `The seat was retired at ${at}.` });
    }
    const rounds = await openRoundsWith(tx, account);
    if (rounds > 0) {
      const open = rounds === 1 ? '1 open round' : `${rounds} open rounds`;
      return refuse('seat-busy', { error: `The seat is drawn on ${open}.` });
    }
    const disputes = await openDisputesWith(tx, account);
    if (disputes > 0) {
      return refuse('seat-busy', { error: `The seat is drawn on ${disputes} open dispute(s).` });
    }
    const { closed, transferId } = await closeSeat(tx, hub, seat, account);
    return {
      ...presentOwnSeat(closed, false),
      stakeReturned: seat.stake,
      transferId,
    };
  });
  return { status: 200, body };
};
