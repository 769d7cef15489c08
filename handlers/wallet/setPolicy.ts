import type { KeyRule } from '../../db/wallet/policies.ts';
import { defined } from '../../domain/defined.ts';
import type { KeyPolicy } from '../../domain/wallet/policy.ts';
import { operationTable } from '../../generated/operations.ts';
import type { Call } from '../../server/hub/call.ts';
import { refuse } from '../../server/hub/errors.ts';
import type { Handler } from '../../server/hub/handler.ts';
import type { Hub } from '../../server/hub/hub.ts';
import { networkNamed } from '../../workflows/wallet/network.ts';
import { changeRule, mustMayJoin } from '../../workflows/wallet/keyRules.ts';
import { presentKeyState } from './present/policy.ts';

/** Sets the policy of a key, bound or about to join; it counts from the commit on. */
export const setPolicy: Handler<'wallet.setPolicy'> = async (call, hub) => {
  const { owner: account, keyId } = call.path;
  const policy = policyOf(hub, call.body);
  const at = hub.clock.now();
  const change = { account, keyId, by: call.caller.keyId, operation: call.operation, at };
  const rule = await hub.act(call, async (tx) => {
    await mustMayJoin(tx, change);
    return changeRule(tx, change, (found) => ({ policy, ...revocationOf(found) }), 'policy.set');
  });
  return { status: 200, body: presentKeyState(rule, at) };
};

/** A revoked key gets no other policy: nothing gives it back. */
function revocationOf(found: KeyRule | undefined): Record<never, never> {
  if (found?.revokedAt === undefined) return {};
  return refuse('wrong-state', {
    error: 'This key was revoked, which cannot be undone.',
    hint: 'Make another key for what it did.',
    field: 'path.keyId',
  });
}

function policyOf(hub: Hub, body: Call<'wallet.setPolicy'>['body']): KeyPolicy {
  const { networks, ...rest } = body;
  body.operations?.forEach((name, at) => mustBeAllowable(name, `body.operations[${at}]`));
  const known = networks?.map((name, at) => networkNamed(hub, name, `body.networks[${at}]`));
  return defined({ ...rest, networks: known });
}

/** Refuses a name that a policy could never allow, since a mistyped one would allow nothing. */
function mustBeAllowable(name: string, field: string): void {
  const spec = Object.values(operationTable).find(({ id }) => id === name);
  if (spec !== undefined && spec.ownerKey !== 'always') return;
  refuse('bad-request', {
    error:
      spec === undefined
        ? `The hub has no operation ${name}.`
        : `No key with a policy may call ${name}.`,
    hint: 'Name operations such as `wallet.pay`; `GET /api/v1` lists them all.',
    field,
  });
}
