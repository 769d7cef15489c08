import { joinAccount, type Agent, type Answer } from '../harness/agents.ts';
import type { Fixture } from '../harness/fixture.ts';
import { mustOk } from '../harness/must.ts';
import { walletPath } from './_signed.ts';

/** An agent of its own key that acts for the account of an owner, under a policy. */
export async function limitedKey(
  world: Fixture,
  owner: Agent,
  policy: Readonly<Record<string, unknown>>,
): Promise<Agent> {
  const key = await joinedKey(world, owner);
  mustOk(await setPolicy(owner, key, policy));
  return key;
}

/** The same without a policy. Its account is the owner's, as each of its requests shows. */
export async function joinedKey(world: Fixture, owner: Agent): Promise<Agent> {
  const key = await world.agent();
  mustOk(await joinAccount(owner, key));
  return { ...key, account: owner.account };
}

export function setPolicy(
  owner: Agent,
  key: Pick<Agent, 'keyId'>,
  policy: Readonly<Record<string, unknown>>,
): Promise<Answer> {
  return owner.post(`${walletPath(owner)}/keys/${key.keyId}/policy`, policy);
}

let payments = 0;

export function payBy(
  key: Agent,
  to: Pick<Agent, 'account'>,
  amount: string,
  more: Readonly<Record<string, unknown>> = {},
): Promise<Answer> {
  payments += 1;
  const idempotencyKey = `limited-${payments}`;
  const body = { to: to.account, amount, idempotencyKey, ...more };
  return key.post(`${walletPath(key)}/pay`, body);
}

export interface Limit {
  readonly window: string;
  readonly used: string;
  readonly left: string;
  readonly resetsAt?: string;
}

/** The limits of a key, as its own account shows them, by their windows. */
export async function limitsOf(key: Agent): Promise<Readonly<Record<string, Limit>>> {
  const { spending } = mustOk(await key.get('/api/v1/me'));
  const { limits } = spending as { readonly limits: readonly Limit[] };
  return Object.fromEntries(limits.map((limit) => [limit.window, limit]));
}

/** The kinds of the account's events about its keys, oldest first. */
export async function keyEvents(owner: Agent): Promise<readonly string[]> {
  const { events } = mustOk(await owner.get('/api/v1/me/events?limit=200'));
  return (events as readonly { readonly kind: string }[])
    .map(({ kind }) => kind)
    .filter((kind) => /^(policy|key|approval)\./.test(kind));
}
