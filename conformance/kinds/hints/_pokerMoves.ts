import assert from 'node:assert/strict';
import { mustOk } from '../../harness/must.ts';
import type { Agent, Answer } from '../../harness/agents.ts';
import type { Fixture } from '../../harness/fixture.ts';
import { act, leave, newTable, onTurn, sit, TABLES, view } from '../../poker/_table.ts';
import type { Body } from '../../tasks/_work.ts';
import { firstCall, type Meet, type Meets } from './_follow.ts';
import { begun, finished, inHand, leadsElsewhere, tabled, third } from './_pokerSteps.ts';

/** Refusals of looking at a seat and of moving. */
const TOKEN = 'q3Jm0cXv2Yt8bLwK5dHnRA';
const fold = (by: Agent, id: string): Promise<Answer> => act(by, id, TOKEN, { move: 'fold' });
const look = (by: Agent, id: string): Promise<Answer> => by.get(`${TABLES}/${id}/seat`);

/** Sits down as the hint says; the look at the seat is then answered. */
const sitsFirst =
  (ask: (by: Agent, id: string) => Promise<Answer>): Meet =>
  async (world) => {
    const { bob } = world;
    const id = await newTable(tabled(world));
    return {
      by: bob,
      answer: await ask(bob, id),
      says: /Sit first with /,
      helps: async (_, hint) => {
        mustOk(await bob.post(firstCall(hint, /sit$/), { buyIn: '100000' }));
        return look(bob, id);
      },
    };
  };

/** No hint asks to sit where sitting is refused. */
const sitsElsewhere =
  (
    ask: (by: Agent, id: string) => Promise<Answer>,
    at: (world: Fixture) => Promise<string>,
  ): Meet =>
  async (world) => {
    const late = await world.agent();
    await world.fund(late, '1000000');
    const id = await at(world);
    return leadsElsewhere(world, late, () => ask(late, id), /takes no new players/);
  };

interface OnTurn {
  readonly id: string;
  readonly player: Agent;
  readonly waits: Agent;
  readonly seen: Body;
}

async function turnAt(world: Fixture, id: string): Promise<OnTurn> {
  const turn = await onTurn(tabled(world), id);
  if (turn === undefined) throw new Error('it is no turn');
  return { id, ...turn, waits: turn.player === world.alice ? world.bob : world.alice };
}

/** Alice and Bob are all-in, hand after hand, until one has no chips left; others fold. */
async function bust(world: Fixture, id: string, players = tabled(world).players): Promise<Agent> {
  const room = { world, players };
  for (let hands = 0; hands < 20; hands += 1) {
    for (let turn = await onTurn(room, id); turn !== undefined; turn = await onTurn(room, id)) {
      const wanted = turn.player === players[2] ? ['fold'] : ['allin', 'call'];
      const legal = (turn.seen['legal'] as readonly Body[]).map((each) => each['move']);
      const move = wanted.find((each) => legal.includes(each)) ?? 'check';
      mustOk(await act(turn.player, id, turn.seen['token'], { move }));
    }
    for (const player of room.players) {
      if ((await view(player, id))['state'] === 'busted') return player;
    }
    world.hub.clock.advance(1);
  }
  throw new Error('twenty hands were split');
}

/** The hint's call is sent already, as it is written: the seat is played again. */
async function mustBeBack(player: Agent, hint: string): Promise<Answer> {
  const seat = firstCall(hint, /sit$/).replace(/sit$/, 'seat');
  const answer = await player.get(seat);
  assert.ok(['ready', 'waiting', 'inHand'].includes(String(answer.body['state'])), answer.text);
  return answer;
}

/** A move that is refused is made as the refusal says, with the token of the seat. */
const mended =
  (bad: Body, says: RegExp, move: (hint: string) => Body): Meet =>
  async (world) => {
    const { id, player, seen } = await turnAt(world, await inHand(world));
    return {
      by: player,
      answer: await act(player, id, bad['token'] ?? seen['token'], { move: 'fold', ...bad }),
      says,
      helps: async (_, hint) => {
        const { token } = mustOk(await player.get(firstCall(hint, /seat$/)));
        return act(player, id, token, move(hint));
      },
    };
  };

const LEGAL = /Your legal moves: fold, call for 500, raise to a total of 2000 to 100000, allin/;
const raise = (hint: string): Body => ({
  move: 'raise',
  amount: /raise to a total of (\d+)/.exec(hint)?.[1],
});

const OUT_OF_TURN: Meets = {
  'poker.act not-your-turn': async (world) => {
    const { id, player, waits, seen } = await turnAt(world, await inHand(world));
    return {
      by: waits,
      answer: await fold(waits, id),
      says: /You have no legal move now\. `GET [^`]+wait=30` answers when the table moves on/,
      helps: async (_, hint) => {
        mustOk(await act(player, id, seen['token'], { move: 'call' }));
        const { token } = mustOk(await waits.get(firstCall(hint, /wait=30$/)));
        return act(waits, id, token, { move: 'check' });
      },
    };
  },
  'poker.act not-your-turn alone at a table': async (world) => {
    const { alice, bob } = world;
    const id = await newTable(tabled(world));
    mustOk(await sit(bob, id));
    return {
      by: bob,
      answer: await fold(bob, id),
      says: /answers when the table moves on/,
      helps: async (_, hint) => {
        mustOk(await sit(alice, id));
        return bob.get(firstCall(hint, /wait=30$/));
      },
    };
  },
  'poker.act not-your-turn after sitting out': async (world) => {
    const { id, player } = await turnAt(world, await inHand(world, { actSeconds: 5 }));
    for (let hands = 0; hands < 9; hands += 1) {
      world.hub.clock.advance(6);
      if ((await view(player, id))['state'] === 'sittingOut') break;
    }
    return {
      by: player,
      answer: await fold(player, id),
      says: /You sit out\. `POST [^`]+\/sit` brings you back/,
      helps: (_, hint) => mustBeBack(player, hint),
    };
  },
  'poker.act not-your-turn without chips': async (world) => {
    const id = await inHand(world);
    const loser = await bust(world, id);
    return {
      by: loser,
      answer: await fold(loser, id),
      says: /You have no chips left\. `POST [^`]+sit \{"buyIn":"100000"\}` brings you back/,
      helps: (_, hint) => mustBeBack(loser, hint),
    };
  },
  'poker.act not-your-turn while leaving': async (world) => {
    const { id, waits } = await turnAt(world, await inHand(world));
    mustOk(await leave(waits, id));
    return leadsElsewhere(world, waits, () => fold(waits, id), /You leave when the hand ends/);
  },
  'poker.act not-your-turn after a tournament': async (world) => {
    const id = await begun(world);
    const loser = await bust(world, id);
    return leadsElsewhere(world, loser, () => fold(loser, id), /This table is finished/);
  },
  'poker.act not-your-turn once out of a tournament': async (world) => {
    const players = [world.alice, world.bob, await third(world)];
    const id = await begun(world, ...players.slice(2));
    const loser = await bust(world, id, players);
    return leadsElsewhere(world, loser, () => fold(loser, id), /You are out of this tournament/);
  },
};

const MOVES: Meets = {
  'poker.act act-token': mended({ token: TOKEN }, LEGAL, () => ({ move: 'call' })),
  'poker.act illegal-move below the least raise': mended(
    { move: 'raise', amount: '1999' },
    LEGAL,
    raise,
  ),
  'poker.act illegal-move above the stack': mended(
    { move: 'raise', amount: '100001' },
    LEGAL,
    raise,
  ),
  'poker.act illegal-move without an amount': mended({ move: 'raise' }, LEGAL, raise),
  'poker.act illegal-move of a check': mended({ move: 'check' }, LEGAL, () => ({ move: 'call' })),
  'poker.act illegal-move of a bet': mended({ move: 'bet', amount: '2000' }, LEGAL, raise),
};

const NOT_SEATED: Meets = {
  'poker.act not-seated': sitsFirst(fold),
  'poker.seat not-seated': sitsFirst(look),
  'poker.act not-seated at a finished table': sitsElsewhere(fold, finished),
  'poker.seat not-seated at a finished table': sitsElsewhere(look, finished),
  'poker.act not-seated at a tournament': sitsElsewhere(fold, begun),
  'poker.seat not-seated at a tournament': sitsElsewhere(look, begun),
};

export const MOVING: Meets = { ...NOT_SEATED, ...OUT_OF_TURN, ...MOVES };
