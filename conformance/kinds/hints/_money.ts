import assert from 'node:assert/strict';
import { defined } from '../../../domain/defined.ts';
import { accountAt } from '../../harness/chain/anvil.ts';
import { joinAccount, type Agent, type Answer } from '../../harness/agents.ts';
import { mustOk } from '../../harness/must.ts';
import type { Body } from '../../tasks/_work.ts';
import { firstAllowed, type Meets } from './_follow.ts';
import { limitedKey, payBy } from '../../wallet/_policies.ts';

/** Refusals of wallets, faucets, keys and networks. */
const walletOf = ({ account }: Agent): string => `/api/v1/wallet/${account}`;
let sent = 0;
const fresh = (): string => `hints-${(sent += 1)}`;
const credit = (by: Pick<Agent, 'post'>, account: string, body: Body): Promise<Answer> =>
  by.post(`/api/v1/wallet/${account}/credit`, { idempotencyKey: fresh(), ...body });
const WITH_A_WRONG_LETTER = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1Beaed';

export const MONEY: Meets = {
  'network-refused': async ({ alice }) => {
    const ask = (network: string): Promise<Answer> =>
      credit(alice, alice.account, { amount: '5', network });
    return {
      by: alice,
      answer: await ask('base'),
      says: /Networks with a faucet: .*; name one in body\.network/,
      helps: (refusal) => ask(firstAllowed(refusal)),
    };
  },
  'faucet-cap': async ({ alice, hub }) => {
    const ask = (amount: string): Promise<Answer> => credit(alice, alice.account, { amount });
    const { hint } = (await ask('2000000000')).body;
    const most = /at most "(\d+)" at a time/.exec(String(hint))?.[1];
    assert.ok(most !== undefined, String(hint));
    for (let given = 0; given < 9; given += 1) mustOk(await ask(most));
    return {
      by: alice,
      answer: await ask(most),
      says: /Ask again from 2026-\S+Z/,
      helps: async ({ retryAfterSeconds }) => {
        hub.clock.advance(Number(retryAfterSeconds));
        return ask(most);
      },
    };
  },
  'faucet-account': async ({ alice }) => ({
    by: alice,
    answer: await credit(alice, 'hub:fees', { amount: '5' }),
    says: /the account of your own key.*POST \/api\/v1\/wallet\/\S+\/credit` again/,
    helps: (_, hint) => {
      const path = /POST (\/api\/v1\/wallet\/\S+\/credit)` again/.exec(hint)?.[1] ?? '';
      const named = path.replace('{owner}', alice.account);
      return alice.post(named, { amount: '5', idempotencyKey: fresh() });
    },
  }),
  'ceiling-reached': async ({ alice }) => {
    const path = `${walletOf(alice)}/api-keys`;
    let answer = await alice.post(path, {});
    for (let made = 0; answer.status === 200 && made < 100; made += 1) {
      answer = await alice.post(path, {});
    }
    return {
      by: alice,
      answer,
      says: /send the call again: `GET \S+\/api-keys` lists them.*\/revoke behind it/,
      helps: async () => {
        const { keys } = mustOk(await alice.get(path)) as { keys: readonly Body[] };
        mustOk(await alice.post(`${path}/${String(keys[0]?.['id'])}/revoke`, {}));
        return alice.post(path, {});
      },
    };
  },
  'address-invalid': async ({ alice }) => {
    const ask = (address: string): Promise<Answer> =>
      alice.post(`${walletOf(alice)}/withdraw`, {
        address,
        amount: '50000',
        idempotencyKey: fresh(),
      });
    return {
      by: alice,
      answer: await ask(WITH_A_WRONG_LETTER),
      says: /all lower case carries no checksum.*\/withdraw` again/,
      helps: () => ask(WITH_A_WRONG_LETTER.toLowerCase()),
    };
  },
  'address-proof': async ({ alice }) => {
    const wallet = accountAt(2);
    const ask = (proof?: string): Promise<Answer> =>
      alice.post(`${walletOf(alice)}/payout-address`, {
        address: wallet.address,
        ...defined({ proof }),
      });
    const answer = await ask(await accountAt(3).signMessage({ message: 'mine' }));
    return {
      by: alice,
      answer,
      says: /Send the call without `proof`, sign `proofText`/,
      helps: async () => {
        const { proofText } = mustOk(await ask());
        return ask(await wallet.signMessage({ message: String(proofText) }));
      },
    };
  },
  'key-bound': async ({ alice, bob, agent }) => {
    const body = { publicKey: bob.keyId };
    return {
      by: alice,
      answer: await alice.post(`${walletOf(alice)}/keys`, body),
      says: /Make a new key, and have it sign this request.*\/keys` again/,
      helps: async () => joinAccount(alice, await agent()),
    };
  },
  'key-revoked': async (world) => {
    const { alice } = world;
    const key = await limitedKey(world, alice, { perDay: '1' });
    mustOk(await alice.post(`${walletOf(alice)}/keys/${key.keyId}/revoke`));
    return {
      by: alice,
      answer: await key.get('/api/v1/me'),
      says: /Sign with another key of the account/,
      helps: () => alice.get('/api/v1/me'),
    };
  },
  'policy-forbids': async (world) => {
    const { alice } = world;
    const key = await limitedKey(world, alice, { perDay: '1' });
    const path = `${walletOf(alice)}/api-keys`;
    return {
      by: key,
      answer: await key.post(path),
      says: /with a key that has no policy/,
      helps: () => alice.post(path),
    };
  },
  'policy-limit': async (world) => {
    const { alice, bob } = world;
    const key = await limitedKey(world, alice, { perDay: '10' });
    return {
      by: key,
      answer: await payBy(key, bob, '11'),
      says: /for no more than `left`/,
      helps: ({ left }) => payBy(key, bob, String(left)),
    };
  },
  'approval-needed': async (world) => {
    const { alice, bob } = world;
    const key = await limitedKey(world, alice, { approveAbove: '10' });
    const same = { idempotencyKey: 'approved by the owner' };
    return {
      by: key,
      answer: await payBy(key, bob, '11', same),
      says: /send the very same call again/,
      helps: async ({ approvalId }) => {
        mustOk(
          await alice.post(`${walletOf(alice)}/approvals/${String(approvalId)}`, {
            decision: 'approved',
          }),
        );
        return payBy(key, bob, '11', same);
      },
    };
  },
};
