import assert from 'node:assert/strict';
import { mustRefuse } from '../harness/must.ts';
import { at, dealt, handsOf, newSng, onEachDatabase, onTurn, playOut, sit } from './_table.ts';
import { act, balanceOf, leave, table, TABLES, type Body } from './_table.ts';
import { mustOk } from '../harness/must.ts';

onEachDatabase('poker.hands', (room) => {
  it('shows each hand in full, and the commitment that stood before it', async () => {
    const id = await dealt(room(), 3);
    const commits: unknown[] = [];
    for (let hand = 1; hand <= 3; hand += 1) {
      const now = await table(room(), id);
      commits.push(at(now, 'hand', 'commit'));
      const next = at(now, 'nextHand', 'commit');
      await playOut(room(), id);
      assert.equal(at(await table(room(), id), 'nextHand', 'commit'), next);
      room().world.hub.clock.advance(1);
      assert.equal(at(await table(room(), id), 'hand', 'commit'), next);
    }
    await playOut(room(), id);
    const hands = await handsOf(room(), id);
    assert.deepEqual(
      hands.map(({ n }) => n),
      [4, 3, 2, 1],
    );
    assert.deepEqual(
      [...hands]
        .reverse()
        .slice(0, 3)
        .map(({ commit }) => commit),
      commits,
    );
    for (const hand of hands) {
      const players = hand['players'] as Body[];
      const sum = (name: string): number =>
        players.reduce((total, each) => total + Number(each[name]), 0);
      assert.equal(sum('startStack'), sum('endStack'));
      assert.equal((at(hand, 'cards', 'holes') as Body[]).length, 3);
    }
    const page = await handsOf(room(), id, '?limit=1&after=3');
    assert.deepEqual(
      page.map(({ n }) => n),
      [2],
    );
    const all = mustOk(await room().world.anyone.get(`${TABLES}/${id}/hands?limit=100000`));
    assert.deepEqual([all['limit'], all['count']], [100, 4], 'the hub lowers what is asked for');
    const nowhere = '01938c7a-9d4e-7c31-8a55-0b6f2d1e4c90';
    mustRefuse(await room().world.anyone.get(`${TABLES}/${nowhere}/hands`), 404, 'not-found');
  });

  it('plays a tournament to its end and pays its prizes to the unit', async () => {
    const id = await newSng(room(), 4, '10001');
    const before = await Promise.all(room().players.map(balanceOf));
    // Money that came back before it began is no prize.
    for (const player of room().players.slice(0, 3)) {
      mustOk(await sit(player, id, {}));
      mustOk(await leave(player, id));
    }
    for (const player of room().players) mustOk(await sit(player, id, {}));
    for (let turns = 0; turns < 400; turns += 1) {
      room().world.hub.clock.advance(1);
      if ((await table(room(), id))['state'] === 'finished') break;
      const turn = await onTurn(room(), id);
      if (turn === undefined) continue;
      const moves = (turn.seen['legal'] as Body[]).map(({ move }) => move);
      const move = moves.includes('allin') ? 'allin' : 'call';
      mustOk(await act(turn.player, id, turn.seen['token'], { move }));
    }
    const done = await table(room(), id);
    assert.deepEqual([done['state'], done['finishedBecause']], ['finished', 'won']);
    const after = await Promise.all(room().players.map(balanceOf));
    const gains = after.map((has, nth) => has - (before[nth] ?? 0));
    assert.equal(
      gains.reduce((sum, gain) => sum + gain, 0),
      0,
    );
    assert.equal(Math.max(...gains), 26_003 - 10_001, 'the first prize has the odd unit');
    const prizes = (done['prizes'] as Body[]).map(({ amount }) => Number(amount));
    assert.equal(
      prizes.reduce((sum, prize) => sum + prize, 0),
      40_004,
    );
  });
});
