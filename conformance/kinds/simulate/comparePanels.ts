import { compareFields, type Body } from './fields.ts';
import { againstIn } from './model/seats.ts';
import type { Panelist, Model, Round, Seat, Task } from './model/types.ts';
import type { Names } from './requests.ts';
import type { Site } from './site.ts';

/** Panels and seats in public view, held against the model. */
const PANELS_SHOWN = 20;

export function comparePanels(
  { accounts }: Site,
  names: Names,
  { name, rounds, verification }: Task,
  shown: Body,
): readonly string[] {
  if (verification !== 'validator') return [];
  const seen = (shown['panels'] as readonly Body[] | undefined) ?? [];
  const known = rounds.slice(-PANELS_SHOWN);
  return compareFields(
    `${name} panels`,
    { panels: seen.map(roundShown) },
    { panels: known.map((round) => roundKnown(round, accounts, names)) },
  );
}

function roundShown({ attemptId, round, state, size, verdict, endsAt, judges }: Body): string {
  const each = (judges as readonly Body[]).map(
    (judge) => `${judge['account']} ${judge['state']} ${judge['verdict']}`,
  );
  return [attemptId, round, state, size, verdict, endsAt, ...each].join();
}

function roundKnown(round: Round, accounts: readonly string[], { ids }: Names): string {
  const { attempt, n, state, size, verdict, endsAt, panelists } = round;
  const each = panelists.map((panelist) => {
    const isSealed = state === 'open';
    const shown = isSealed ? sealed(panelist) : reported(panelist);
    return `${accounts[panelist.agent]} ${shown} ${isSealed ? undefined : panelist.vote}`;
  });
  const ends = new Date(endsAt).toISOString();
  return [ids.get(attempt.name), n, state, size, verdict, ends, ...each].join();
}

/** A judge does not learn how, or whether, another judge voted before the round is over. */
function sealed({ state }: Panelist): string {
  return state === 'no-show' ? 'no-show' : 'drawn';
}

function reported({ state }: Panelist): string {
  return state === 'due' || state === 'called' ? 'released' : state;
}

/** Compares every seat with its record; a seat that was not taken is not on the list. */
export async function compareSeats(site: Site, model: Model): Promise<readonly string[]> {
  const path = '/api/v1/validators?limit=200';
  const { body } = await site.call(undefined, { method: 'GET', path });
  const seats = (body['validators'] as readonly Body[] | undefined) ?? [];
  return model.agents.flatMap(({ seat }, index) => {
    const shown = seats.find((each) => each['account'] === site.accounts[index]) ?? {};
    return compareFields(
      `seat of ${index}`,
      shown,
      seat === undefined ? { state: undefined } : seatKnown(seat),
    );
  });
}

function seatKnown(seat: Seat): Body {
  return {
    state: seat.state,
    paused: seat.paused !== undefined,
    pausedReason: seat.paused,
    stake: String(seat.stake),
    minFeeBps: seat.minFeeBps,
    'record.rounds': seat.rounds,
    'record.agreed': seat.agreed,
    'record.disagreed': seat.disagreed,
    'record.noShows': seat.noShows,
    'record.overturned': seat.overturned,
    'record.lastTwenty.rounds': seat.lastTwenty.length,
    'record.lastTwenty.disagreed': againstIn(seat),
  };
}
