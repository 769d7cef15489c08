import assert from 'node:assert/strict';
import { NETWORK, type ScriptedAgent } from '../../clients/sandbox/agents.ts';
import { marketHouse } from '../../clients/sandbox/markets.ts';
import { takeValidatorSeat } from '../../clients/sandbox/validators.ts';
import { createHub } from '../../clients/typescript/index.ts';
import { generateKey } from '../../clients/typescript/sign.ts';
import { mustOk } from '../harness/must.ts';
import { at, bet, HOUR, market, MARKETS, newMarket, onEachDatabase, purse } from './_markets.ts';
import type { Body, Fixture } from './_markets.ts';

/** The agents of the sandbox that make a market with one person (choices predictions.sandbox). */
interface House {
  readonly look: () => Promise<void>;
  readonly maker: ScriptedAgent;
  coin: boolean;
}

async function openHouse(world: Fixture): Promise<House> {
  const now = (): number => world.hub.clock.now();
  const scripted = async (): Promise<ScriptedAgent> => {
    const key = await generateKey();
    const hub = createHub({ baseUrl: world.hub.url, key, now, retry: false });
    return { hub, account: key.account, agents: new Set() };
  };
  const [maker, bettor, judge] = [await scripted(), await scripted(), await scripted()];
  const url = `https://${judge.account.slice(-20).toLowerCase()}.example-judges.org/judge`;
  const endpoint = { url, pair: '', close: () => Promise.resolve() };
  await takeValidatorSeat(judge, endpoint);
  const house: House = {
    maker,
    coin: true,
    look: marketHouse({ maker, bettor, judge, now, toss: () => house.coin }),
  };
  return house;
}

onEachDatabase('house markets', (world, agents) => {
  const later = (seconds: number): void => world().hub.clock.advance(seconds);
  let house: House;
  before(async () => {
    house = await openHouse(world());
  });

  async function houseMarkets(state: string): Promise<readonly Body[]> {
    const list = await world().anyone.get(`${MARKETS}?state=${state}&network=${NETWORK}`);
    const markets = mustOk(list)['markets'] as Body[];
    return markets.filter(({ creator }) => creator === house.maker.account);
  }

  it('keep one market open, with a bet on each side, and resolve it after it closed', async () => {
    const { yes } = agents();
    await house.look();
    await house.look();
    const [open, ...more] = await houseMarkets('open');
    assert.ok(open !== undefined);
    assert.equal(more.length, 0, 'one market at a time');
    const id = String(open['id']);
    assert.deepEqual(
      (open['sides'] as Body[]).map(({ pot }) => pot),
      ['100000', '150000'],
    );
    const [had] = await purse(yes);
    mustOk(await bet(yes, id, 'yes', 100_000));
    await house.look();
    later(181);
    house.coin = true;
    await house.look();
    const settled = await market(world(), id);
    assert.deepEqual([settled['state'], settled['outcome']], ['resolved', 'yes']);
    // Half of the losing 150,000 less the hundredth of the judge.
    assert.deepEqual(await purse(yes), [had + 74_250, 0]);
    await house.look();
    assert.equal((await houseMarkets('open')).length, 1, 'the next one is open');
  });

  it('give a person that wants them bettors and a judge, who follows the word', async () => {
    for (const [word, state, outcome] of [
      ['[no]', 'resolved', 'no'],
      ['[yes]', 'resolved', 'yes'],
      ['[void]', 'voided', 'void'],
    ] as const) {
      const id = await newMarket(world(), { source: `I say so. [try] ${word}` });
      await house.look();
      assert.equal(at(await market(world(), id), 'pot'), '250000');
      later(HOUR);
      await house.look();
      const settled = await market(world(), id);
      assert.deepEqual([settled['state'], settled['outcome']], [state, outcome]);
    }
  });

  it('take the side that a first bettor left empty', async () => {
    const id = await newMarket(world(), { source: 'A coin. [try]' });
    mustOk(await bet(agents().no, id, 'no', 40_000));
    await house.look();
    assert.deepEqual(
      (at(await market(world(), id), 'sides') as Body[]).map(({ pot }) => pot),
      ['100000', '40000'],
    );
  });

  it('leave markets alone that do not ask for them, and those of a number', async () => {
    const plain = await newMarket(world());
    const check = { metric: 'time.head', op: 'gt', value: '0' };
    const counted = await newMarket(world(), { source: 'time.head [try]', check });
    await house.look();
    later(HOUR);
    await house.look();
    for (const id of [plain, counted]) assert.equal(at(await market(world(), id), 'pot'), '0');
    assert.equal((await market(world(), plain))['state'], 'closed');
  });
});
