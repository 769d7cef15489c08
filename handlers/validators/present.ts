import { defined } from '../../domain/defined.ts';
import {
  ceilingOf,
  disagreedInWindow,
  medianAnswerMs,
  RETIRES_AT_DISAGREED,
  type ValidatorSeat,
  type SeatRecord,
} from '../../domain/validators/seat.ts';
import type { Schemas } from '../../workflows/kernel/answered.ts';
import { ASSET } from '../../domain/network.ts';

function presentSeat(seat: ValidatorSeat) {
  const { id, account, state, paused, skill, minFeeBps, stake, network, seatedAt, endedAt } = seat;
  return {
    id,
    account,
    state,
    paused: paused !== undefined,
    ...defined({ pausedReason: paused, skill }),
    minFeeBps,
    stake,
    ceiling: ceilingOf(stake),
    asset: ASSET,
    network,
    record: presentRecord(seat.record),
    seatedAt,
    endedAt,
  };
}

export interface SeatShown {
  readonly seat: ValidatorSeat;
  readonly karma: number;
  readonly reliabilityBps?: number;
}

export function presentPublicSeat({
  seat,
  karma,
  reliabilityBps,
}: SeatShown): Schemas['Validator'] {
  const { endpointHost } = seat;
  return { ...presentSeat(seat), endpointHost, karma, reliabilityBps };
}

function presentRecord(record: SeatRecord): Schemas['SeatRecord'] {
  const { rounds, agreed, disagreed, noShows, overturned, window } = record;
  const median = medianAnswerMs(record);
  return {
    rounds,
    agreed,
    disagreed,
    noShows,
    overturned,
    medianAnswerMs: median,
    lastTwenty: {
      rounds: window.length,
      disagreed: disagreedInWindow(record),
      retiresAtDisagreed: RETIRES_AT_DISAGREED,
    },
  };
}

/** The seat as its owner sees it, and what the owner may do with it. */
export function presentOwnSeat(
  seat: ValidatorSeat,
  busy: boolean,
): Omit<Schemas['ValidatorSeat'], 'repeated'> {
  return {
    ...presentSeat(seat),
    endpoint: seat.endpoint,
    next: [...(seat.state === 'retired' ? [] : [take(seat)]), ...leave(seat, busy)],
  };
}

function take({ account, endpoint }: ValidatorSeat): Schemas['NextAction'] {
  return {
    action: 'validators.register',
    who: account,
    call: { method: 'POST', path: '/api/v1/validators', body: { account, endpoint } },
  };
}

function leave({ account, state }: ValidatorSeat, busy: boolean): readonly Schemas['NextAction'][] {
  if (state !== 'seated' || busy) return [];
  const call = { method: 'POST', path: '/api/v1/validators/resign', body: { account } } as const;
  return [{ action: 'validators.resign', who: account, call }];
}
