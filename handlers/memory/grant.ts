import { countGrants, deleteGrant, grantOf, saveGrant } from '../../db/memory/spaces.ts';
import { accountClass, type Account } from '../../domain/account.ts';
import { GRANTS_PER_SPACE_MAX } from '../../domain/memory/limits.ts';
import { refuse } from '../../workflows/kernel/errors.ts';
import type { Handler } from '../../workflows/kernel/handler.ts';
import { lockAccess } from '../../workflows/memory/access.ts';
import { mustBeSpendable } from '../../workflows/wallet/receiver.ts';

export const grant: Handler<'memory.grant'> = async (call, hub) => {
  const { owner, spaceId, grantee, canWrite = false, revoke = false } = call.body;
  mustBeSomebody(grantee);
  const at = hub.clock.now();
  const body = await hub.once(call, async (tx) => {
    const { space } = await lockAccess(tx, spaceId, call.caller.account, 'grant');
    if (space.kind === 'private') refusePrivate();
    if (grantee === owner) refuseOneself();
    if (revoke) {
      await deleteGrant(tx, space, grantee);
    } else {
      const known = await grantOf(tx, space, grantee);
      if (known === undefined && (await countGrants(tx, space)) >= GRANTS_PER_SPACE_MAX) {
        refuse('ceiling-reached', {
          error: `The space has ${GRANTS_PER_SPACE_MAX} grants, which is as many as one may have.`,
          hint: 'Take one back with "revoke": true first.',
        });
      }
      await mustBeSpendable(hub, tx, grantee, 'body.grantee');
      await saveGrant(tx, space, { grantee, canWrite, at }, call.caller.keyId);
    }
    const grants = await countGrants(tx, space);
    const state: 'revoked' | 'granted' = revoke ? 'revoked' : 'granted';
    return { spaceId, grantee, state, canWrite: canWrite && !revoke, grants, at };
  });
  return { status: 200, body };
};

function mustBeSomebody(grantee: Account): void {
  if (accountClass(grantee) === 'user') return;
  refuse('bad-account', {
    error: `body.grantee names ${grantee}; the hub's own accounts never sign, so they read nothing.`,
    hint: 'Name a key: account.',
    field: 'body.grantee',
  });
}

function refusePrivate(): never {
  return refuse('wrong-mode', {
    error: 'This space is private; only a shared one takes grants.',
    hint: 'POST /api/v1/memory/spaces with "kind": "shared" makes one; export and import move notes.',
    field: 'body.spaceId',
  });
}

function refuseOneself(): never {
  return refuse('self-dealing', {
    error: 'body.grantee is the owner, who may do everything in the space anyway.',
    hint: 'Name another account in `grantee`.',
    field: 'body.grantee',
  });
}
