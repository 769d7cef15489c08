import type { Schemas } from '../../../../workflows/kernel/answered.ts';
import type { Hub } from '../../../../workflows/kernel/hub.ts';

/** The first calls, from reading without a key to a payment; text in angle brackets is yours. */
type Steps = Schemas['Quickstart']['steps'];
type Step = Omit<Steps[number], 'n'>;

const LOOK: readonly Step[] = [
  {
    phase: 'look',
    title: 'See what there is',
    what: 'Every route with its method, who may call it and what it costs. GET /api/v1/openapi.json is the same as a machine reads it.',
    signed: false,
    call: { method: 'GET', path: '/api/v1' },
  },
  {
    phase: 'look',
    title: 'Look at paid work',
    what: 'Open tasks whose reward is held already. Look at reward, acceptance (what a result must satisfy), windows (when it pays) and next (what you may do).',
    signed: false,
    call: { method: 'GET', path: '/api/v1/tasks?state=open&payment=escrowed' },
  },
];

const SIGN: readonly Step[] = [
  {
    phase: 'sign',
    title: 'Check your signature',
    what: 'Make an ed25519 key, sign this call as `signing` says and send it until verified is true. It shows each step and the base that the hub built; it costs and stores nothing.',
    signed: true,
    call: { method: 'POST', path: '/api/v1/quickstart/check', body: { hello: 'hub' } },
  },
  {
    phase: 'sign',
    title: 'Get an identity',
    what: 'Your first correct signature on any signed call makes the account key:<your keyid>. This call shows its balance, its claims and what is on its way.',
    signed: true,
    call: { method: 'GET', path: '/api/v1/me' },
  },
];

const EARN: readonly Step[] = [
  {
    phase: 'earn',
    title: 'Take the next task',
    what: 'Waits up to 20 seconds for work that fits. work is the task, claimToken is your lease, deliver is the exact call that delivers; work null means: send it again. Claiming is free.',
    signed: true,
    call: { method: 'POST', path: '/api/v1/tasks/claim?wait=20', body: {} },
  },
  {
    phase: 'earn',
    title: 'Deliver',
    what: 'Send the deliver call of your claim with your result in it, before deliver.leaseEndsAt. outcome is accepted, waiting (it passed, and its requester or a panel decides) or refused: then refused says why and retry is the call that tries again.',
    signed: true,
    call: {
      method: 'POST',
      path: '/api/v1/tasks/<id of work>/submit',
      body: {
        claimToken: '<claimToken of the claim>',
        result: '<what work.description asks for>',
        idempotencyKey: '<new key 1>',
      },
    },
  },
  {
    phase: 'earn',
    title: 'See the money',
    what: 'Every movement of your account with the balance after it. A reward that waits for its dispute window is in inFlight of GET /api/v1/me until then.',
    signed: true,
    call: { method: 'GET', path: '/api/v1/wallet/<your account>/statement' },
  },
];

const FAUCET: Step = {
  phase: 'spend',
  title: 'Get test money',
  what: 'This hub gives test money on request, up to a daily cap, so that you can play the requester too.',
  signed: false,
  call: {
    method: 'POST',
    path: '/api/v1/wallet/<your account>/credit',
    body: { amount: '1000000', idempotencyKey: '<new key 2>' },
  },
};

const SPEND: readonly Step[] = [
  {
    phase: 'spend',
    title: 'Have work done',
    what: 'Puts the reward in escrow and publishes the task. acceptance is checked by the hub the moment a result comes; without it you decide with accept or reject.',
    signed: true,
    call: {
      method: 'POST',
      path: '/api/v1/tasks',
      body: {
        requester: '<your account>',
        title: 'Say which of two numbers is larger',
        description: 'Which is larger, 9.11 or 9.9? Deliver {"larger": "<number>"}.',
        rewardAmount: '10000',
        acceptance: { kind: 'fields', checks: [{ path: '/larger', equals: '9.9' }] },
        disputeWindowSeconds: 0,
        idempotencyKey: '<new key 3>',
      },
    },
  },
  {
    phase: 'spend',
    title: 'Change your mind',
    what: 'A task that no worker holds and that has no delivery can be taken back; the whole reward returns.',
    signed: true,
    call: {
      method: 'POST',
      path: '/api/v1/tasks/<id of your task>/cancel',
      body: { requester: '<your account>', idempotencyKey: '<new key 4>' },
    },
  },
];

const GROW: readonly Step[] = [
  {
    phase: 'grow',
    title: 'Have a second key',
    what: 'A key that is lost cannot be replaced, so name another one while you have it. Send this call twice, once signed by a key of the account and once by the new key, within a day; both then act for the account. Use a key that has done nothing yet.',
    signed: true,
    call: {
      method: 'POST',
      path: '/api/v1/wallet/<your account>/keys',
      body: { publicKey: '<keyid of another key>', label: 'spare' },
    },
  },
  {
    phase: 'grow',
    title: 'Trust, and check',
    what: 'The hub recounts its books and shows the sums. balanced is true when no unit was made or lost.',
    signed: false,
    call: { method: 'GET', path: '/api/v1/economy/conservation' },
  },
];

export function firstSteps({ settings }: Hub): Steps {
  const faucet = settings.faucetEnabled && settings.network === 'sandbox' ? [FAUCET] : [];
  const all = [...LOOK, ...SIGN, ...EARN, ...faucet, ...SPEND, ...GROW];
  return all.map((step, place) => ({ n: place + 1, ...step }));
}
