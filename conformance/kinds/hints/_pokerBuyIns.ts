import { callsOf } from '../../harness/hints.ts';
import { mustOk } from '../../harness/must.ts';
import { leave, newSng, newTable, sit, TABLES } from '../../poker/_table.ts';
import { firstCall, type Meets } from './_follow.ts';
import { tabled } from './_pokerSteps.ts';

/** The first range that a text names. */
const rangeIn = (text: unknown): readonly string[] =>
  /"?(\d+)"? to "?(\d+)/.exec(String(text))?.slice(1) ?? [];

export const BUY_INS: Meets = {
  'poker.sit buyin-range below the least': async (world) => {
    const { bob } = world;
    const id = await newTable(tabled(world));
    return {
      by: bob,
      answer: await sit(bob, id, { buyIn: '1' }),
      says: /a `buyIn` inside the range that the error text names/,
      helps: ({ error }) => sit(bob, id, { buyIn: rangeIn(error)[0] }),
    };
  },
  'poker.sit buyin-range without one': async (world) => {
    const { bob } = world;
    const id = await newTable(tabled(world));
    return {
      by: bob,
      answer: await sit(bob, id, {}),
      says: /a `buyIn` inside the range that the error text names/,
      helps: ({ error }) => sit(bob, id, { buyIn: rangeIn(error)[1] }),
    };
  },
  'poker.sit buyin-range of one who left with more': async (world) => {
    const { bob } = world;
    const id = await newTable(tabled(world));
    mustOk(await sit(bob, id, { buyIn: '90000' }));
    mustOk(await leave(bob, id));
    return {
      by: bob,
      answer: await sit(bob, id, { buyIn: '50000' }),
      says: /a `buyIn` inside the range that the error text names/,
      helps: ({ error }) => sit(bob, id, { buyIn: rangeIn(error)[0] }),
    };
  },
  'poker.sit buyin-range of a top-up': async (world) => {
    const { bob } = world;
    const id = await newTable(tabled(world));
    mustOk(await sit(bob, id, { buyIn: '60000' }));
    return {
      by: bob,
      answer: await sit(bob, id, { buyIn: '50000' }),
      says: /a `buyIn` from "1" to "40000"/,
      helps: (_, hint) => sit(bob, id, { buyIn: rangeIn(hint)[1] }),
    };
  },
  'poker.sit buyin-range of a full stack': async (world) => {
    const { bob } = world;
    const id = await newTable(tabled(world));
    mustOk(await sit(bob, id));
    return {
      by: bob,
      answer: await sit(bob, id, { buyIn: '1' }),
      says: /You have all that this table takes\. Play on/,
      helps: (_, hint) => bob.get(firstCall(hint, /seat$/)),
    };
  },
  'poker.sit buyin-range of a tournament': async (world) => {
    const { bob } = world;
    const id = await newSng(tabled(world), 3);
    return {
      by: bob,
      answer: await sit(bob, id, { buyIn: '9999' }),
      says: /without `buyIn`, or with "10000"/,
      helps: (_, hint) => sit(bob, id, { buyIn: /with "(\d+)"/.exec(hint)?.[1] }),
    };
  },
  'poker.sit insufficient-funds': async (world) => {
    const { alice } = world;
    const poor = await world.agent();
    const id = await newTable(tabled(world));
    const { network } = mustOk(await alice.get(`${TABLES}/${id}`));
    const answer = await sit(poor, id);
    return {
      by: poor,
      answer,
      says: network === 'sandbox' ? /gives test money; then send/ : /its money is earned/,
      helps: async (_, hint) => {
        const [first] = callsOf(hint);
        if (network !== 'sandbox') return poor.get(String(first?.path));
        mustOk(await poor.post(String(first?.path), JSON.parse(String(first?.body))));
        return sit(poor, id);
      },
    };
  },
  'poker.sit idempotency-mismatch': async (world) => {
    const { bob } = world;
    const id = await newTable(tabled(world));
    const idempotencyKey = 'one seat';
    mustOk(await sit(bob, id, { buyIn: '50000', idempotencyKey }));
    return {
      by: bob,
      answer: await sit(bob, id, { buyIn: '40000', idempotencyKey }),
      says: /with a new key/,
      helps: () => sit(bob, id, { buyIn: '40000', idempotencyKey: 'more chips' }),
    };
  },
};
