import assert from 'node:assert/strict';
import { mustOk, mustRefuse } from '../harness/must.ts';
import { link } from '../predictions/_markets.ts';
import {
  balanceOf,
  newSng,
  newTable,
  onEachDatabase,
  playOut,
  PURSE,
  sit,
  table,
  type Agent,
  type Body,
} from './_table.ts';

onEachDatabase('accounts that are linked after they sat down', (room) => {
  /** Four players that no other test links. */
  const fresh = async (count: number): Promise<readonly Agent[]> => {
    const players: Agent[] = [];
    for (let nth = 0; nth < count; nth += 1) {
      const player = await room().world.agent();
      await room().world.fund(player, `${PURSE}`);
      players.push(player);
    }
    return players;
  };
  const seats = async (id: string): Promise<Readonly<Record<string, unknown>>> => {
    const players = (await table(room(), id))['players'] as Body[];
    return Object.fromEntries(players.map(({ account, state }) => [String(account), state]));
  };
  const tick = (): void => room().world.hub.clock.advance(1);

  it('are not both dealt in: the later one stands up with its buy-in', async () => {
    const [first, second, third] = (await fresh(3)) as [Agent, Agent, Agent];
    const id = await newTable(room());
    for (const player of [first, second, third]) {
      mustOk(await sit(player, id));
    }
    await link(room().world, second, third);
    tick();
    const states = await seats(id);
    assert.deepEqual(
      [states[first.account], states[second.account], states[third.account]],
      ['inHand', 'inHand', undefined],
    );
    assert.equal(await balanceOf(third), PURSE);
    mustRefuse(await sit(third, id), 400, 'linked-account');
  });

  it('do not play each other alone', async () => {
    const [first, second] = (await fresh(2)) as [Agent, Agent];
    const id = await newTable(room());
    for (const player of [first, second]) mustOk(await sit(player, id));
    await link(room().world, first, second);
    tick();
    const now = await table(room(), id);
    assert.deepEqual([now['state'], now['atStake']], ['open', '100000']);
    assert.equal(await balanceOf(second), PURSE);
  });

  it('finish the hand under way and are separated before the next one', async () => {
    const players = (await fresh(3)) as [Agent, Agent, Agent];
    const [first, second, third] = players;
    const id = await newTable(room());
    for (const player of players) mustOk(await sit(player, id));
    tick();
    assert.equal((await table(room(), id))['state'], 'running');
    await link(room().world, first, third);
    assert.equal((await seats(id))[third.account], 'inHand');
    await playOut({ ...room(), players }, id);
    tick();
    const states = await seats(id);
    assert.deepEqual([states[second.account], states[third.account]], ['inHand', undefined]);
    const purses = await Promise.all(players.map(balanceOf));
    const stake = Number((await table(room(), id))['atStake']);
    assert.equal(stake + purses.reduce((sum, purse) => sum + purse, 0), 3 * PURSE);
  });

  it('do not begin a tournament: the later buy-in is returned and the seat is free', async () => {
    const [first, second] = (await fresh(2)) as [Agent, Agent];
    const id = await newSng(room(), 2);
    for (const player of [first, second]) mustOk(await sit(player, id, {}));
    await link(room().world, first, second);
    tick();
    const now = await table(room(), id);
    assert.deepEqual([now['state'], (now['players'] as Body[]).length], ['open', 1]);
    assert.equal(await balanceOf(second), PURSE);
    const [stranger] = (await fresh(1)) as [Agent];
    mustOk(await sit(stranger, id, {}));
    tick();
    assert.equal((await table(room(), id))['state'], 'running');
  });

  it('do not go on in a tournament: the later one is out with the place it has then', async () => {
    const players = (await fresh(3)) as [Agent, Agent, Agent];
    const [first, , third] = players;
    const id = await newSng(room(), 3);
    for (const player of players) {
      mustOk(await sit(player, id, {}));
      tick();
    }
    assert.equal((await table(room(), id))['state'], 'running');
    await link(room().world, first, third);
    await playOut({ ...room(), players }, id);
    tick();
    const seen = ((await table(room(), id))['players'] as Body[]).filter(
      ({ account }) => account === third.account,
    );
    assert.deepEqual(
      seen.map(({ state, place }) => [state, place]),
      [['busted', 3]],
    );
  });
});
