import { mustOk } from '../../harness/must.ts';
import { act, leave, newTable, onTurn, sit } from '../../poker/_table.ts';
import type { Body } from '../../tasks/_work.ts';
import { link } from '../../predictions/_markets.ts';
import { firstCall, type Meets } from './_follow.ts';
import {
  begun,
  finished,
  inHand,
  OTHERS,
  leadsElsewhere,
  sitElsewhere,
  tabled,
  third,
} from './_pokerSteps.ts';

/** Refusals of sitting down and standing up. */
export const SEATS: Meets = {
  'poker.sit wrong-state': async (world) => {
    const { bob } = world;
    return {
      by: bob,
      answer: await sit(bob, await finished(world)),
      says: /lists tables with room/,
      helps: (_, hint) => sitElsewhere(bob, hint),
    };
  },
  'poker.sit started': async (world) => {
    const id = await begun(world);
    const late = await third(world);
    return leadsElsewhere(
      world,
      late,
      () => sit(late, id, {}),
      /^`GET [^`]+tables\?state=open` lists tables with room/,
    );
  },
  'poker.sit already-seated': async (world) => {
    const { bob } = world;
    const id = await newTable(tabled(world));
    mustOk(await sit(bob, id, { buyIn: '50000' }));
    return {
      by: bob,
      answer: await sit(bob, id, {}),
      says: /Your seat is at .*a sit with `buyIn`.* adds chips/,
      helps: async (_, hint) => {
        mustOk(await bob.get(firstCall(hint, /seat$/)));
        return sit(bob, id, { buyIn: '1000' });
      },
    };
  },
  'poker.sit already-seated while leaving': async (world) => {
    const { alice, bob } = world;
    const id = await inHand(world, { seats: 3 });
    const turn = await onTurn(tabled(world), id);
    const waits = turn?.player === alice ? bob : alice;
    mustOk(await leave(waits, id));
    return {
      by: waits,
      answer: await sit(waits, id),
      says: /answers when the hand moves on; when it is over, send the call again/,
      helps: async (_, hint) => {
        const watched = firstCall(hint, /wait=30$/);
        if (turn === undefined) throw new Error('no player is on turn');
        mustOk(await act(turn.player, id, turn.seen['token'], { move: 'call' }));
        const { hand } = mustOk(await waits.get(watched));
        if (hand !== undefined) throw new Error('the hand is over');
        return sit(waits, id);
      },
    };
  },
  'poker.sit already-seated at a tournament': async (world) => {
    const { bob } = world;
    const id = await begun(world);
    return {
      by: bob,
      answer: await sit(bob, id, {}),
      says: /Your seat is at /,
      helps: (_, hint) => bob.get(firstCall(hint, /seat$/)),
    };
  },
  'poker.sit already-seated and away from a tournament': async (world) => {
    const id = await begun(world);
    const turn = await onTurn(tabled(world), id);
    if (turn === undefined) throw new Error('no player is on turn');
    world.hub.clock.advance(30);
    const { player } = turn;
    return {
      by: player,
      answer: await sit(player, id, { buyIn: '10000' }),
      says: /without `buyIn` to come back to your seat/,
      helps: () => sit(player, id, {}),
    };
  },
  'poker.sit seat-taken': async (world) => {
    const { alice, bob } = world;
    const id = await newTable(tabled(world));
    mustOk(await sit(alice, id, { buyIn: '50000', seat: 3 }));
    return {
      by: bob,
      answer: await sit(bob, id, { buyIn: '50000', seat: 3 }),
      says: /Leave `seat` out to get any free one/,
      helps: async ({ error }, hint) => {
        mustOk(await bob.get(firstCall(hint, /[\w-]{36}$/)));
        return sit(bob, id, {
          buyIn: '50000',
          seat: Number(/free: (\d)/.exec(String(error))?.[1]),
        });
      },
    };
  },
  'poker.sit seat-taken of a seat that is none': async (world) => {
    const { bob } = world;
    const id = await newTable(tabled(world));
    return {
      by: bob,
      answer: await sit(bob, id, { buyIn: '50000', seat: 9 }),
      says: /Leave `seat` out to get any free one/,
      helps: () => sit(bob, id, { buyIn: '50000' }),
    };
  },
  'poker.sit table-full': async (world) => {
    const id = await inHand(world);
    const late = await third(world);
    return leadsElsewhere(world, late, () => sit(late, id), /lists tables with room/);
  },
  'poker.sit linked-account': async (world) => {
    const { alice, bob } = world;
    const [id, other] = [await newTable(tabled(world)), await newTable(tabled(world))];
    mustOk(await sit(alice, id));
    await link(world, alice, bob);
    return {
      by: bob,
      answer: await sit(bob, id),
      says: /another table/,
      helps: async (_, hint) => {
        mustOk(await bob.get(firstCall(hint, OTHERS)));
        return sit(bob, other);
      },
    };
  },
  'poker.leave not-seated': async (world) => {
    const { alice, bob } = world;
    const [id, other] = [await newTable(tabled(world)), await newTable(tabled(world))];
    mustOk(await sit(bob, other));
    mustOk(await sit(alice, id));
    return {
      by: bob,
      answer: await leave(bob, id),
      says: /You have no seat to leave here/,
      helps: async (_, hint) => {
        const { positions } = mustOk(await bob.get(firstCall(hint, /positions$/)));
        const [here] = positions as readonly Body[];
        return leave(bob, String(here?.['tableId']));
      },
    };
  },
  'poker.leave started': async (world) => {
    const { bob } = world;
    const id = await begun(world);
    return {
      by: bob,
      answer: await leave(bob, id),
      says: /Play on: /,
      helps: (_, hint) => bob.get(firstCall(hint, /seat$/)),
    };
  },
  'poker.leave idempotency-mismatch': async (world) => {
    const { bob } = world;
    const [id, other] = [await newTable(tabled(world)), await newTable(tabled(world))];
    for (const each of [id, other]) mustOk(await sit(bob, each));
    const idempotencyKey = 'away';
    mustOk(await leave(bob, id, { idempotencyKey }));
    return {
      by: bob,
      answer: await leave(bob, other, { idempotencyKey }),
      says: /with a new key/,
      helps: () => leave(bob, other, { idempotencyKey: 'away too' }),
    };
  },
};
