import assert from 'node:assert/strict';
import type { Agent } from '../../harness/agents.ts';
import type { Fixture } from '../../harness/fixture.ts';
import { at, mustOk } from '../../harness/must.ts';
import { balanceOf, leave, sit, TABLES, type Body } from '../../poker/_table.ts';
import { agreement } from '../../kinds/simulate/agreement.ts';
import type { Cards } from './handModel.ts';
import { playTurn } from './playTurn.ts';
import { mustBeSame } from './tableCompare.ts';
import { TableModel } from './tableModel.ts';
import type { Chance, SitRefusal } from './tableTerms.ts';
import { Tally } from '../../kinds/simulate/tally.ts';
import type { Setup } from '../../kinds/simulate/walk.ts';

/** Compares random play on the hub and the model. A seed fixes who tries what, not the cards. */
const AGENTS = 6;
const TABLES_AT_ONCE = 2;
const START_MONEY = 30_000;
const ACT_SECONDS = 20;
const TERMS = { seats: 5, bigBlind: 100, minBuyIn: 2_000, maxBuyIn: 8_000 };

interface Played {
  readonly id: string;
  readonly model: TableModel;
}

export async function playTables(setup: Setup): Promise<Tally> {
  const { clock, random, operations } = setup;
  const world = await setup.world();
  const tally = new Tally();
  const balances = new Map<string, number>();
  const agents: Agent[] = [];
  for (let nth = 0; nth < AGENTS; nth += 1) {
    const agent = await world.agent();
    await world.fund(agent, `${START_MONEY}`);
    balances.set(agent.account, START_MONEY);
    agents.push(agent);
  }
  const agentOf = (account: string): Agent => {
    const agent = agents.find((each) => each.account === account);
    assert.ok(agent !== undefined, `${account} plays`);
    return agent;
  };
  const open: Played[] = [];
  const newTable = async (): Promise<Played> => {
    const { seats, bigBlind, minBuyIn, maxBuyIn } = TERMS;
    const body = { format: 'cash', seats, bigBlind: `${bigBlind}`, actSeconds: ACT_SECONDS };
    const range = { minBuyIn: `${minBuyIn}`, maxBuyIn: `${maxBuyIn}` };
    const made = mustOk(await random.pick(agents).post(TABLES, { ...body, ...range }));
    const id = String(made['id']);
    const terms = { ...TERMS, actMs: ACT_SECONDS * 1000 };
    return { id, model: new TableModel(terms, balances, chanceOf(world, id), clock.now()) };
  };
  const same = agreement(tally);
  // The first of them is mostly away.
  const away = { away: agents[0], awayPercent: 80, actSeconds: ACT_SECONDS };
  const manners = { clock, random, same, agentOf, ...away };
  const buyInOf = (): number | undefined => {
    if (random.chance(15)) return undefined;
    if (random.chance(10)) return random.pick([0, 1_999, 8_001]);
    return random.pick([2_000, 2_000, 2_500, 5_000, 8_000]);
  };

  const moves = {
    async sit({ id, model }: Played) {
      const [agent, buyIn] = [random.pick(agents), buyInOf()];
      const again = model.of(agent.account) === undefined ? 'sit' : 'sit again';
      const body = buyIn === undefined ? {} : { buyIn: `${buyIn}` };
      const answer = await sit(agent, id, body);
      const refused: SitRefusal | undefined = model.sit(agent.account, buyIn, clock.now());
      same(answer, refused, again);
    },
    async leave({ id, model }: Played) {
      const agent = random.pick(agents);
      const answer = await leave(agent, id);
      same(answer, await model.leave(agent.account, clock.now()), 'leave');
    },
    act: (played: Played) => playTurn(played, manners),
    time: () => clock.advance(random.pick([ACT_SECONDS, 40, 60, 605])),
    async money() {
      const agent = random.pick(agents);
      if ((balances.get(agent.account) ?? 0) > 1_000) return;
      await world.fund(agent, '9000');
      balances.set(agent.account, (balances.get(agent.account) ?? 0) + 9_000);
    },
  };
  const names = [
    ...Array.from({ length: 22 }, () => 'act' as const),
    ...(['sit', 'sit', 'sit', 'leave', 'time', 'money'] as const),
  ];
  for (let nth = 0; nth < operations; nth += 1) {
    if (open.length < TABLES_AT_ONCE) open.push(await newTable());
    const played = random.pick(open);
    await moves[random.pick(names)](played);
    await world.hub.runJob('pokerClock');
    for (const each of [...open]) {
      const hand = each.model.hand;
      const byClock = hand?.toAct;
      await each.model.tick(clock.now());
      if (byClock !== undefined && hand?.toAct !== byClock) tally.count('timed out');
      if (each === played || random.chance(10)) {
        await mustBeSame(world, each.id, each.model, tally);
      }
      if (each.model.finished) open.splice(open.indexOf(each), 1);
    }
    const { account } = random.pick(agents);
    assert.equal(await balanceOf(agentOf(account)), balances.get(account));
  }
  for (const agent of agents) {
    assert.equal(await balanceOf(agent), balances.get(agent.account));
  }
  return tally;
}

/** Reads the chance of a table, which only the hub knows. */
export function chanceOf(world: Fixture, id: string): Chance {
  const record = async (n: number): Promise<Body> => {
    const { hands } = mustOk(await world.anyone.get(`${TABLES}/${id}/hands?limit=20`));
    const found = (hands as Body[]).find((hand) => hand['n'] === n);
    assert.ok(found !== undefined, `hand ${n} has a record`);
    return found;
  };
  return {
    async firstButton() {
      const table = mustOk(await world.anyone.get(`${TABLES}/${id}`));
      const button = at(table, 'hand', 'n') === 1 ? at(table, 'hand', 'button') : undefined;
      return Number(button ?? (await record(1))['button']);
    },
    async cards(n): Promise<Cards> {
      const cards = (await record(n))['cards'] as Body;
      const holes = (cards['holes'] as Body[]).map((hole) => {
        return [Number(hole['seat']), hole['cards'] as string[]] as const;
      });
      return { board: cards['board'] as string[], holes: new Map(holes) };
    },
    async seats() {
      const { players } = mustOk(await world.anyone.get(`${TABLES}/${id}`));
      return new Map(
        (players as Body[]).map((player) => [String(player['account']), Number(player['seat'])]),
      );
    },
  };
}
