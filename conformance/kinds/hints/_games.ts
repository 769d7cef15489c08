import { createHash } from 'node:crypto';
import { mustOk } from '../../harness/must.ts';
import type { Answer } from '../../harness/agents.ts';
import type { Fixture } from '../../harness/fixture.ts';
import {
  bet,
  createMarket,
  link,
  newMarket,
  resolve,
  takeSeat,
} from '../../predictions/_markets.ts';
import { firstAllowed, firstCall, type Meets } from './_follow.ts';

/** Refusals of markets, tables and the clock. */
const TABLES = '/api/v1/games/poker/tables';
const HOUR = 3_600;
const digestOf = (text: string): string => createHash('sha256').update(text).digest('hex');

async function minute({ hub }: Fixture): Promise<void> {
  hub.clock.advance(60);
  await hub.runJob('pulse');
}

const OF_MARKETS: Meets = {
  'bad-check': async (world) => {
    const { alice } = world;
    const ask = (check?: object): Promise<Answer> =>
      createMarket(world, alice, check === undefined ? {} : { check });
    const check = { metric: 'btc.price', op: 'gt', value: '5' };
    return {
      by: alice,
      answer: await ask(check),
      says: /a metric such as `tasks.open`.*or without `check`/,
      helps: async (refusal) => {
        mustOk(await ask({ ...check, metric: firstAllowed(refusal) }));
        return ask();
      },
    };
  },
  'already-resolved': async (world) => {
    const { bob, hub } = world;
    const id = await newMarket(world);
    await takeSeat(bob);
    hub.clock.advance(HOUR);
    mustOk(await resolve(bob, id, 'yes'));
    return {
      by: bob,
      answer: await resolve(bob, id, 'no'),
      says: /GET \/api\/v1\/games\/predictions\/markets\/[\w-]{36}` shows the outcome/,
      helps: (_, hint) => bob.get(firstCall(hint, /markets\/[\w-]{36}$/)),
    };
  },
  'holds-position': async (world) => {
    const { bob, hub } = world;
    const [own, other] = [await newMarket(world), await newMarket(world)];
    await takeSeat(bob);
    mustOk(await bet(bob, own, 'yes', 10_000));
    hub.clock.advance(HOUR);
    return {
      by: bob,
      answer: await resolve(bob, own, 'yes'),
      says: /lists the markets that you may resolve/,
      helps: async (_, hint) => {
        const due = mustOk(await bob.get(firstCall(hint, /due\?judge=key:/)));
        const ids = (due['markets'] as readonly { readonly id: string }[]).map(({ id }) => id);
        if (ids.includes(own) || !ids.includes(other)) throw new Error(ids.join());
        return resolve(bob, other, 'yes');
      },
    };
  },
};

const OF_TABLES: Meets = {
  'buyin-range': async ({ alice, bob }) => {
    const body = { format: 'cash', seats: 6, bigBlind: '1000' };
    const { id } = mustOk(await alice.post(TABLES, body));
    const ask = (buyIn: string): Promise<Answer> =>
      bob.post(`${TABLES}/${String(id)}/sit`, { buyIn });
    return {
      by: bob,
      answer: await ask('1'),
      says: /a `buyIn` inside the range that the error text names/,
      helps: ({ error }) => ask(/(\d+) to \d+/.exec(String(error))?.[1] ?? ''),
    };
  },
  'linked-account': async (world) => {
    const { alice, bob } = world;
    const body = { format: 'cash', seats: 6, bigBlind: '1000' };
    const [first, second] = [
      mustOk(await alice.post(TABLES, body)),
      mustOk(await alice.post(TABLES, body)),
    ];
    const sit = (by: typeof bob, id: unknown): Promise<Answer> =>
      by.post(`${TABLES}/${String(id)}/sit`, { buyIn: '100000' });
    mustOk(await sit(alice, first['id']));
    await link(world, alice, bob);
    return {
      by: bob,
      answer: await sit(bob, first['id']),
      says: /another table \(`GET \S+tables\?state=open`\)/,
      helps: async (_, hint) => {
        const { tables } = mustOk(await bob.get(firstCall(hint, /tables\?state=open$/)));
        const free = (tables as readonly { readonly id: string }[]).map(({ id }) => id);
        if (!free.includes(String(second['id']))) throw new Error(free.join());
        return sit(bob, second['id']);
      },
    };
  },
};

const OF_TIME: Meets = {
  'bad-digest': async ({ anyone }) => {
    const ask = (digest: string): Promise<Answer> => anyone.post('/api/v1/time/stamp', { digest });
    return {
      by: anyone,
      answer: await ask('abc'),
      says: /with SHA-256 and send the call again/,
      helps: () => ask(digestOf('my document')),
    };
  },
  'bad-nonce': async ({ anyone }) => ({
    by: anyone,
    answer: await anyone.get('/api/v1/time?nonce=a%20b'),
    says: /1 to 128 characters of base64url.*or without `nonce`/,
    helps: async () => {
      mustOk(await anyone.get('/api/v1/time?nonce=a_b'));
      return anyone.get('/api/v1/time');
    },
  }),
  'leaves-retired': async (world) => {
    const { anyone, hub } = world;
    const digest = digestOf('old');
    const { body } = mustOk(await anyone.post('/api/v1/time/stamp', { digest }));
    await minute(world);
    hub.clock.advance(90 * 86_400 + 120);
    const { pulse } = body as { readonly pulse: string };
    return {
      by: anyone,
      answer: await anyone.get(`/api/v1/time/stamps/${digest}?pulse=${encodeURIComponent(pulse)}`),
      says: /still verifies against the pulse.*POST \/api\/v1\/time\/stamp` stamps the document again/,
      helps: (_, hint) => anyone.post(firstCall(hint, /time\/stamp$/), { digest }),
    };
  },
  'clock-stepped': async (world) => {
    const { anyone, hub } = world;
    await minute(world);
    hub.clock.jump(-100_000);
    const ask = (): Promise<Answer> =>
      anyone.post('/api/v1/time/stamp', { digest: digestOf('after the step') });
    const answer = await ask();
    return {
      by: anyone,
      answer,
      says: /stamp again after `retry-after`/,
      helps: () => {
        hub.clock.advance(Number(answer.headers.get('retry-after')));
        return ask();
      },
    };
  },
};

export const GAMES_AND_TIME: Meets = { ...OF_MARKETS, ...OF_TABLES, ...OF_TIME };
