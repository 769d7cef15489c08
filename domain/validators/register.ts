import type { Account } from '../account.ts';
import { defined } from '../defined.ts';
import { instant, iso } from '../instant.ts';
import type { Instant } from '../instant.ts';
import { ZERO } from '../money.ts';
import type { Atomic } from '../money.ts';
import type { NetworkId } from '../network.ts';
import { NO_RECORD } from './seat.ts';
import type { ValidatorSeat } from './seat.ts';

/**
 * Taking and changing a seat (choices validators.seats). Invariant: a stake only rises until its
 * owner resigns; a seat with an untried or changed endpoint is paused.
 */
export interface SeatRequest {
  readonly account: Account;
  readonly endpoint: string;
  readonly endpointHost: string;
  readonly skill?: string;
  readonly minFeeBps?: number;
  /** The whole stake; absent leaves it as it is. */
  readonly stake?: Atomic;
  /** The network that the request names; absent means the seat's own, or the hub's. */
  readonly network?: NetworkId;
}

export interface NoSeat {
  readonly refused: 'seat-retired' | 'seat-exists' | 'endpoint-silent';
  readonly why: string;
  readonly field?: string;
}

/** The seat as the request makes it, without its hold; what is held follows from its stake. */
export function takeSeat(
  before: ValidatorSeat | undefined,
  request: SeatRequest,
  given: { readonly id: string; readonly network: NetworkId; readonly now: Instant },
): ValidatorSeat | NoSeat {
  const { now } = given;
  const network = request.network ?? before?.network ?? given.network;
  const refusal =
    before && (whyNot(before, network, request.stake) ?? justSilent(before, request, now));
  if (refusal !== undefined) return refusal;
  const { account, endpoint, endpointHost, skill, minFeeBps } = request;
  const seated = before?.state === 'seated';
  const proven = seated && before.paused === undefined && before.endpoint === endpoint;
  return {
    id: before?.id ?? given.id,
    account,
    network,
    state: 'seated',
    ...(!proven && { paused: 'probe-pending' as const }),
    endpoint,
    endpointHost,
    ...defined({ skill }),
    minFeeBps: minFeeBps ?? 0,
    stake: request.stake ?? before?.stake ?? ZERO,
    ...defined({ holdId: before?.holdId }),
    seatedAt: seated ? before.seatedAt : now,
    record: before?.record ?? NO_RECORD,
    probe: { ...(!proven && { at: now }), failed: 0 },
    ...defined({ measureAt: before?.measureAt }),
  };
}

function whyNot(
  before: ValidatorSeat,
  network: NetworkId,
  stake: Atomic | undefined,
): NoSeat | undefined {
  if (before.state === 'retired') {
    const at = iso(before.endedAt ?? before.seatedAt);
    return { refused: 'seat-retired', why: `The seat was retired at ${at}.` };
  }
  if (network !== before.network) {
    const why = `Your seat is on ${before.network} for good; its record is of that money.`;
    return { refused: 'seat-exists', why, field: 'body.network' };
  }
  if (stake === undefined || stake >= before.stake) return undefined;
  const why = `The stake is ${before.stake} and only rises; resigning returns it.`;
  return { refused: 'seat-exists', why, field: 'body.stake' };
}

/** How long after a synthetic case that was answered badly the next one goes out. */
const PROBE_AGAIN_MS = 60_000;
const PROBE_AGAIN_MS_MAX = 3_600_000;

/** Refuses repeated requests for a seat, so that none makes the hub call an address often. */
function justSilent(before: ValidatorSeat, request: SeatRequest, now: Instant): NoSeat | undefined {
  const { probe, endpoint } = before;
  if (probe.at === undefined || probe.failed === 0) return undefined;
  if (before.state !== 'seated' || endpoint !== request.endpoint) return undefined;
  const tried = instant(probe.at - waitAfter(probe.failed));
  const again = instant(tried + PROBE_AGAIN_MS);
  if (now >= again) return undefined;
  const why = `${endpoint} gave no verdict on the case that it was sent at ${iso(tried)}; it can be tried again at ${iso(again)}.`;
  return { refused: 'endpoint-silent', why, field: 'body.endpoint' };
}

function waitAfter(failed: number): number {
  return Math.min(PROBE_AGAIN_MS * 2 ** Math.min(failed - 1, 10), PROBE_AGAIN_MS_MAX);
}

/** The seat after a synthetic case: seated in full, or asked again later and later. */
export function probed(seat: ValidatorSeat, well: boolean, now: Instant): ValidatorSeat {
  const { paused: _paused, ...kept } = seat;
  if (well) {
    const record = { ...seat.record, missedInRow: 0 };
    return { ...kept, record, probe: { failed: 0 } };
  }
  const failed = seat.probe.failed + 1;
  const paused = seat.paused === 'probe-pending' ? 'probe-failed' : seat.paused;
  return {
    ...kept,
    ...defined({ paused }),
    probe: { at: instant(now + waitAfter(failed)), failed },
  };
}
