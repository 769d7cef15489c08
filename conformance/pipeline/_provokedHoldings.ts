import type { Agent } from '../harness/agents.ts';
import type { Fixture } from '../harness/fixture.ts';
import { mustOk } from '../harness/must.ts';
import { fill, listing } from '../registry/_index.ts';
import { act, publish, RULE, submit, type Body } from '../tasks/_work.ts';
import type { Provoke } from './_provoked.ts';

/** Refusals about money that leaves, keys, listings and what is over, provoked. */
const ADDRESS = '0x52908400098527886E0F7030069857D2E4169EE7';
const OTHER_ADDRESS = '0x8617E340B3D01FA5F11F306F4090FD50E238070D';
const wallet = ({ account }: Agent, verb: string): string => `/api/v1/wallet/${account}/${verb}`;

let names = 0;
/** A listing without a holder. */
async function listed(world: Fixture): Promise<string> {
  names += 1;
  const found = listing(`provoked-${names}.example`);
  await fill(world, [found]);
  return found.listing.id;
}

const withdraws = (amount: string, address = ADDRESS): Body => {
  names += 1;
  return { address, amount, idempotencyKey: `provoked-${names}` };
};

export const PROVOKED_OF_HOLDINGS: Readonly<Record<string, Provoke>> = {
  'body-too-large': async ({ alice }) => {
    const body = { requester: alice.account, title: 'x', description: 'x'.repeat(300_000) };
    return { by: alice, answer: await alice.post('/api/v1/tasks', body) };
  },
  'below-minimum': async ({ alice }) => {
    const path = wallet(alice, 'withdraw');
    return { by: alice, answer: await alice.post(path, withdraws('1')) };
  },
  'address-not-payout': async ({ alice }) => {
    mustOk(await alice.post(wallet(alice, 'payout-address'), { address: ADDRESS }));
    const body = withdraws('2000000', OTHER_ADDRESS);
    return { by: alice, answer: await alice.post(wallet(alice, 'withdraw'), body) };
  },
  'not-recallable': async ({ alice, hub }) => {
    const made = mustOk(await alice.post(wallet(alice, 'withdraw'), withdraws('2000000')));
    const path = wallet(alice, `withdrawals/${String(made['id'])}/cancel`);
    hub.clock.advance(6);
    await hub.runJob('withdrawals');
    return { by: alice, answer: await alice.post(path, {}) };
  },
  'not-a-party': async (world) => {
    const { alice, bob } = world;
    const { id } = await publish(alice);
    return { by: bob, answer: await act(bob, id, 'cancel', { requester: bob.account }) };
  },
  'window-closed': async ({ alice, bob }) => {
    const { id } = await publish(alice, { acceptance: RULE, disputeWindowSeconds: 0 });
    mustOk(await submit(bob, id, 'done'));
    const body = { raisedBy: bob.account, reason: 'too late' };
    return { by: bob, answer: await act(bob, id, 'dispute', body) };
  },
  'not-licensed': async (world) => {
    const { alice } = world;
    const path = `/api/v1/agents/${await listed(world)}/reviews`;
    const transferId = '01a1f866-0d00-70d6-bc9e-3977f7c4f1c7';
    const body = { reviewer: alice.account, rating: 5, transferId };
    return { by: alice, answer: await alice.post(path, body) };
  },
  'already-reported': async (world) => {
    const { alice } = world;
    const path = `/api/v1/agents/${await listed(world)}/reports`;
    const body = { reporter: alice.account, reason: 'broken' };
    mustOk(await alice.post(path, body));
    return { by: alice, answer: await alice.post(path, body) };
  },
  'domain-not-proved': async (world) => {
    const { alice } = world;
    mustOk(await alice.post('/api/v1/passport', { keyId: alice.keyId }));
    const body = { keyId: alice.keyId, agentId: await listed(world) };
    return { by: alice, answer: await alice.post('/api/v1/passport/claim', body) };
  },
};
