import type { Agent, Answer } from '../../harness/agents.ts';
import { mustOk } from '../../harness/must.ts';
import { sit, TABLES } from '../../poker/_table.ts';
import type { Body } from '../../tasks/_work.ts';
import { firstAllowed, firstCall, type Meet, type Meets } from './_follow.ts';
import { OTHERS } from './_pokerSteps.ts';
import { NOTHING } from './_walk.ts';

/** Refusals of opening a table and of tables that are not there. */
const create =
  (over: Body, says: RegExp, mended: (refusal: Body) => Body): Meet =>
  async ({ alice }) => {
    const body = { format: 'cash', seats: 6, bigBlind: '1000', ...over };
    return {
      by: alice,
      answer: await alice.post(TABLES, body),
      says,
      helps: (refusal) => alice.post(TABLES, { ...body, ...mended(refusal) }),
    };
  };
const lastNumber = ({ error }: Body): string => /(\d+)\D*$/.exec(String(error))?.[1] ?? '';
const figure = ({ error }: Body, end: RegExp): string => end.exec(String(error))?.[1] ?? '';
const fieldOf = ({ field }: Body): string => String(field).slice('body.'.length);
const NETWORKS = /Networks: sandbox, base, play; GET \/api\/v1\/networks describes them/;
const ORDER = /none above the next: smallBlind, bigBlind, minBuyIn, maxBuyIn/;

const CREATE: Meets = {
  'poker.create network-unknown': create({ network: 'moon' }, NETWORKS, (refusal) => ({
    network: firstAllowed(refusal),
  })),
  'poker.create below-minimum of the big blind': create(
    { bigBlind: '1' },
    /with more in body\.bigBlind/,
    (refusal) => ({ [fieldOf(refusal)]: lastNumber(refusal) }),
  ),
  'poker.create below-minimum of the small blind': create(
    { smallBlind: '0' },
    /with more in body\.smallBlind/,
    (refusal) => ({ [fieldOf(refusal)]: lastNumber(refusal) }),
  ),
  'poker.create below-minimum of a tournament': create(
    { format: 'sng', bigBlind: undefined, buyIn: '5' },
    /with more in body\.buyIn/,
    (refusal) => ({ buyIn: figure(refusal, /at least (\d+)/) }),
  ),
  'poker.create not-together of the blinds': create({ smallBlind: '2000' }, ORDER, (refusal) => ({
    [fieldOf(refusal)]: '1000',
  })),
  'poker.create not-together of a small minBuyIn': create(
    { minBuyIn: '999' },
    ORDER,
    (refusal) => ({
      [fieldOf(refusal)]: '1000',
    }),
  ),
  'poker.create not-together of a minBuyIn above the usual maxBuyIn': create(
    { minBuyIn: '200000' },
    ORDER,
    (refusal) => ({ [fieldOf(refusal)]: lastNumber(refusal) }),
  ),
  'poker.create not-together of a maxBuyIn below the usual minBuyIn': create(
    { maxBuyIn: '20000' },
    ORDER,
    (refusal) => ({ [fieldOf(refusal)]: figure(refusal, /minBuyIn (\d+)/) }),
  ),
  'poker.create buyin-range of the big blind': create(
    { bigBlind: '900000000000000' },
    /with less in body\.bigBlind/,
    (refusal) => ({ bigBlind: String(BigInt(figure(refusal, /at most (\d+)/)) / 100n) }),
  ),
  'poker.create buyin-range of maxBuyIn': create(
    { maxBuyIn: '900000000000000' },
    /with less in body\.maxBuyIn/,
    (refusal) => ({ [fieldOf(refusal)]: figure(refusal, /at most (\d+)/) }),
  ),
  'poker.create buyin-range of a tournament': create(
    { format: 'sng', bigBlind: undefined, buyIn: '900000000000000' },
    /with less in body\.buyIn/,
    (refusal) => ({ [fieldOf(refusal)]: figure(refusal, /at most (\d+)/) }),
  ),
  'poker.create ceiling-reached': async (world) => {
    const { alice, hub } = world;
    const body = { format: 'cash', seats: 6, bigBlind: '1000' };
    for (let made = 0; made < 10; made += 1) mustOk(await alice.post(TABLES, body));
    const answer = await alice.post(TABLES, body);
    return {
      by: alice,
      answer,
      says: /Sit at one of them.*closes after 30 minutes/,
      helps: async (_, hint) => {
        const { tables } = mustOk(await alice.get(firstCall(hint, OTHERS)));
        const [one] = tables as readonly Body[];
        mustOk(await sit(alice, String(one?.['id'])));
        hub.clock.advance(1_800);
        mustOk(await alice.get(TABLES));
        return alice.post(TABLES, body);
      },
    };
  },
  'poker.list network-unknown': async ({ bob }) => ({
    by: bob,
    answer: await bob.get(`${TABLES}?network=moon`),
    says: NETWORKS,
    helps: (refusal) => bob.get(`${TABLES}?network=${firstAllowed(refusal)}`),
  }),
};

const nowhere =
  (ask: (by: Agent, path: string) => Promise<Answer>): Meet =>
  async ({ alice }) => ({
    by: alice,
    answer: await ask(alice, `${TABLES}/${NOTHING}`),
    says: /GET \/api\/v1\/games\/poker\/tables lists the tables/,
    helps: (_, hint) => alice.get(firstCall(hint, /poker\/tables$/)),
  });

const NOWHERE: Meets = {
  'poker.get not-found': nowhere((by, path) => by.get(path)),
  'poker.hands not-found': nowhere((by, path) => by.get(`${path}/hands`)),
  'poker.seat not-found': nowhere((by, path) => by.get(`${path}/seat`)),
  'poker.sit not-found': nowhere((by, path) => by.post(`${path}/sit`, { buyIn: '100000' })),
  'poker.leave not-found': nowhere((by, path) => by.post(`${path}/leave`, {})),
  'poker.act not-found': nowhere((by, path) =>
    by.post(`${path}/act`, { token: 'q3Jm0cXv2Yt8bLwK5dHnRA', move: 'fold' }),
  ),
};

export const OPENING: Meets = { ...CREATE, ...NOWHERE };
