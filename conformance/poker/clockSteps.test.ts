import assert from 'node:assert/strict';
import { mustOk, mustRefuse } from '../harness/must.ts';
import { act, balanceOf, dealt, handsOf, leave, onEachDatabase, onTurn } from './_table.ts';
import { at, playOut, sit, table, TABLES, type Agent, type Body } from './_table.ts';

const HOUR = 3_600;
const ACT_SECONDS = 30;

/** A clock that is set back times no player out, deals no hand twice and pays no seat twice. */
onEachDatabase('a table whose clock is set back', (room) => {
  const step = (seconds: number): void => room().world.hub.clock.jump(seconds * 1000);
  const pass = (seconds: number): void => room().world.hub.clock.advance(seconds);
  const tick = (): Promise<unknown> => room().world.hub.runJob('pokerClock');
  const turnNow = async (id: string): Promise<{ readonly player: Agent; readonly seen: Body }> => {
    const turn = await onTurn(room(), id);
    assert.ok(turn !== undefined, 'a player is on turn');
    return turn;
  };
  const timeouts = async (id: string): Promise<readonly unknown[]> =>
    ((await table(room(), id))['players'] as Body[]).map((player) => player['timeouts']);

  it('lets the seat on turn act with the token and cards that it had, and times no player out', async () => {
    const id = await dealt(room(), 3, { actSeconds: ACT_SECONDS });
    pass(ACT_SECONDS - 1);
    const before = await turnNow(id);
    step(-HOUR);
    await tick();
    const after = await turnNow(id);
    assert.equal(after.player, before.player);
    for (const name of ['token', 'cards', 'deadline', 'legal', 'stack', 'seq']) {
      assert.deepEqual(after.seen[name], before.seen[name], name);
    }
    mustOk(await act(after.player, id, after.seen['token'], { move: 'call' }));
    const { seen, player } = await turnNow(id);
    const whole = room().world.hub.clock.now() + ACT_SECONDS * 1000;
    assert.equal(Date.parse(String(seen['deadline'])), whole, 'the next seat has its whole time');
    // Set right again, the turn that began in between has long run out, by no player's fault.
    step(HOUR);
    await tick();
    assert.equal((await turnNow(id)).player, player);
    assert.deepEqual(await timeouts(id), [0, 0, 0]);
    await playOut(room(), id);
    const [hand] = await handsOf(room(), id);
    const byClock = (hand?.['actions'] as Body[]).filter((action) => action['byClock'] === true);
    assert.deepEqual(byClock, []);
  });

  it('times a seat out once, when the clock has come to the deadline', async () => {
    const id = await dealt(room(), 3, { actSeconds: ACT_SECONDS });
    const { seen } = await turnNow(id);
    step(-10);
    pass(ACT_SECONDS + 9);
    await tick();
    assert.equal((await turnNow(id)).seen['seat'], seen['seat']);
    pass(1);
    await tick();
    const { seq } = await table(room(), id);
    step(-10);
    await tick();
    pass(10);
    await tick();
    const players = (await table(room(), id))['players'] as Body[];
    const folded = players.filter((player) => player['folded'] === true);
    assert.deepEqual(
      folded.map((player) => [player['seat'], player['timeouts']]),
      [[seen['seat'], 1]],
    );
    assert.equal((await table(room(), id))['seq'], seq);
    await playOut(room(), id);
  });

  it('deals the next hand once, and numbers hands and events without a gap', async () => {
    const id = await dealt(room(), 3);
    for (const seconds of [-HOUR, -5, HOUR]) {
      await playOut(room(), id);
      step(seconds);
      await tick();
      pass(1 + Math.max(-seconds, 0));
      await tick();
      await tick();
      assert.equal(at(await table(room(), id), 'hand', 'street'), 'preflop');
    }
    await playOut(room(), id);
    const hands = await handsOf(room(), id);
    assert.deepEqual(
      hands.map(({ n }) => n),
      [4, 3, 2, 1],
    );
    const { events } = await table(room(), id, '?after=0');
    const numbers = (events as Body[]).map(({ seq }) => Number(seq));
    assert.deepEqual(
      numbers,
      numbers.map((_, nth) => nth + 1),
    );
  });

  it('gives a seat up once and pays it once, and knows who left before the step', async () => {
    const id = await dealt(room(), 2);
    await playOut(room(), id);
    const [first] = room().players;
    assert.ok(first !== undefined);
    const before = await balanceOf(first);
    const left = mustOk(await leave(first, id));
    const cashed = Number(left['cashedOut']);
    step(-HOUR);
    await tick();
    assert.equal(await balanceOf(first), before + cashed);
    mustRefuse(await leave(first, id), 400, 'not-seated');
    mustRefuse(await first.get(`${TABLES}/${id}/seat`), 400, 'not-seated');
    if (cashed > 40_000) {
      // Who left with more than the least brings it back, whatever the clock says since.
      mustRefuse(await sit(first, id, { buyIn: '40000' }), 400, 'buyin-range');
    }
    pass(2 * HOUR);
    await tick();
    assert.equal(await balanceOf(first), before + cashed);
  });
});
