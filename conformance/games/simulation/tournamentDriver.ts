import assert from 'node:assert/strict';
import type { Agent } from '../../harness/agents.ts';
import type { Fixture } from '../../harness/fixture.ts';
import { mustOk } from '../../harness/must.ts';
import { balanceOf, leave, sit, TABLES, type Body } from '../../poker/_table.ts';
import { agreement } from '../../kinds/simulate/agreement.ts';
import { playTurn } from './playTurn.ts';
import { mustBeSame } from './tableCompare.ts';
import { chanceOf } from './tableDriver.ts';
import { Tally } from '../../kinds/simulate/tally.ts';
import type { Setup } from '../../kinds/simulate/walk.ts';
import { TournamentModel } from './tournamentModel.ts';

/** Compares random sit-and-gos on hub and model: seats, levels, places, prizes and absences. */
const AGENTS = 6;
const AT_ONCE = 2;
const START_MONEY = 200_000;
const ACT_SECONDS = 20;
const DAY = 86_400;

interface Played {
  readonly id: string;
  readonly model: TournamentModel;
}

export async function playTournaments(setup: Setup): Promise<Tally> {
  const { clock, random, operations } = setup;
  const world = await setup.world();
  const tally = new Tally();
  const balances = new Map<string, number>();
  const agents = new Map<string, Agent>();
  for (let nth = 0; nth < AGENTS; nth += 1) {
    const agent = await world.agent();
    await world.fund(agent, `${START_MONEY}`);
    balances.set(agent.account, START_MONEY);
    agents.set(agent.account, agent);
  }
  const everybody = [...agents.values()];
  const agentOf = (account: string): Agent => agents.get(account) ?? assert.fail(account);
  const open: Played[] = [];
  const newTournament = async (): Promise<Played> => {
    const terms = { seats: 2 + random.below(4), buyIn: random.pick([1_000, 3_333, 10_001]) };
    const body = { format: 'sng', seats: terms.seats, buyIn: `${terms.buyIn}` };
    const made = mustOk(
      await random.pick(everybody).post(TABLES, { ...body, actSeconds: ACT_SECONDS }),
    );
    const id = String(made['id']);
    const all = { ...terms, actMs: ACT_SECONDS * 1000 };
    return { id, model: new TournamentModel(all, balances, chanceOf(world, id), clock.now()) };
  };
  const same = agreement(tally);
  const away = { away: everybody[0], awayPercent: 50, actSeconds: ACT_SECONDS };
  const manners = { clock, random, same, agentOf, ...away, allInPercent: 60 };
  const moves = {
    async sit({ id, model }: Played) {
      const agent = random.pick(everybody);
      const buyIn = random.chance(80) ? undefined : random.pick([model.buyIn, 999]);
      const answer = await sit(agent, id, buyIn === undefined ? {} : { buyIn: `${buyIn}` });
      same(answer, model.sit(agent.account, buyIn, clock.now()), 'sit');
    },
    async leave({ id, model }: Played) {
      const agent = random.pick(everybody);
      const answer = await leave(agent, id);
      same(answer, await model.leave(agent.account), 'leave');
    },
    act: (played: Played) => playTurn(played, manners),
    time: () => clock.advance(random.chance(10) ? DAY : random.pick([1, ACT_SECONDS, 40])),
  };
  const names = [
    ...Array.from({ length: 20 }, () => 'act' as const),
    ...(['sit', 'sit', 'sit', 'sit', 'leave', 'time'] as const),
  ];
  for (let nth = 0; nth < operations; nth += 1) {
    if (open.length < AT_ONCE) open.push(await newTournament());
    const played = random.pick(open);
    await moves[random.pick(names)](played);
    await world.hub.runJob('pokerClock');
    for (const each of [...open]) {
      await each.model.tick(clock.now());
      if (each === played || random.chance(10)) await mustAgree(world, each, tally);
      if (each.model.finished) open.splice(open.indexOf(each), 1);
    }
  }
  for (const agent of everybody) {
    assert.equal(await balanceOf(agent), balances.get(agent.account));
  }
  return tally;
}

async function mustAgree(world: Fixture, { id, model }: Played, tally: Tally): Promise<void> {
  await mustBeSame(world, id, model, tally);
  const table = mustOk(await world.anyone.get(`${TABLES}/${id}`));
  const places = (table['players'] as Body[]).flatMap(({ account, place }) =>
    place === undefined ? [] : [[account, place]],
  );
  assert.deepEqual(new Map(places as [string, number][]), model.places);
  for (const { timeouts } of model.players) if (timeouts > 1) tally.count('absent');
  if (model.hands > 10) tally.count('second level');
  if (!model.finished) return;
  tally.count(model.started ? 'won' : 'not filled');
  assert.equal(table['finishedBecause'], model.started ? 'won' : 'not-filled');
  if (!model.started) return;
  if (new Set(model.places.values()).size < model.places.size) tally.count('shared place');
  const prizes = (table['prizes'] as Body[]).map(({ account, amount }) => [
    account,
    Number(amount),
  ]);
  assert.deepEqual(new Map(prizes as [string, number][]), model.prizes);
}
