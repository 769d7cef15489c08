import assert from 'node:assert/strict';
import type { Fixture } from '../../harness/fixture.ts';
import { at, mustOk } from '../../harness/must.ts';
import { TABLES, type Body } from '../../poker/_table.ts';
import type { TableModel } from './tableModel.ts';
import type { Tally } from '../../kinds/simulate/tally.ts';

/** A table as everybody sees it, beside what the model says. */
export async function mustBeSame(
  world: Fixture,
  id: string,
  model: TableModel,
  tally: Tally,
): Promise<void> {
  const table = mustOk(await world.anyone.get(`${TABLES}/${id}`));
  const { hand } = model;
  const players = [...model.players].sort((a, b) => a.seat - b.seat);
  for (const { state } of players) tally.count(state);
  assert.deepEqual(
    (table['players'] as Body[]).map(playerOf),
    players.map(({ seat, account, state, timeouts, stack }) => {
      const chips = hand?.seats.find((each) => each.seat === seat);
      const seen = { seat, account, state, timeouts };
      if (chips === undefined) return { ...seen, stack, committed: 0, folded: undefined };
      return { ...seen, stack: chips.stack, committed: chips.bet, folded: chips.folded };
    }),
  );
  assert.equal(table['atStake'], `${model.atStake()}`);
  assert.equal(table['state'] === 'finished', model.finished);
  const { handsPlayed } = table;
  assert.equal(handsPlayed, hand === undefined ? model.hands : model.hands - 1);
  assert.equal(table['hand'] === undefined, hand === undefined);
  if (hand === undefined) return;
  tally.count(hand.street);
  const pots = hand.potsShown();
  if (pots.length > 2) tally.count('side pots');
  if (hand.at.small === undefined) tally.count('dead small blind');
  const seen = table['hand'] as Body;
  assert.deepEqual(
    {
      n: seen['n'],
      street: seen['street'],
      positions: [seen['button'], seen['smallBlindSeat'], seen['bigBlindSeat']],
      bets: [seen['currentBet'], seen['minRaiseTo']],
      toAct: at(seen, 'toAct', 'seat'),
      deadline: Date.parse(String(at(seen, 'toAct', 'deadline'))),
      pots: (seen['pots'] as Body[]).map(({ amount, eligible }) => [amount, eligible]),
    },
    {
      n: hand.n,
      street: hand.street,
      positions: [hand.at.button, hand.at.small, hand.at.big],
      bets: [`${hand.bet}`, `${hand.least()}`],
      toAct: hand.toAct,
      deadline: model.deadline,
      pots: pots.map(({ amount, eligible }) => [`${amount}`, eligible]),
    },
  );
}

function playerOf(player: Body): object {
  const { seat, account, state, timeouts, folded } = player;
  const chips = { stack: Number(player['stack']), committed: Number(player['committed']) };
  return { seat, account, state, timeouts, ...chips, folded };
}
