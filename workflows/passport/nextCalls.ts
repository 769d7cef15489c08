import type { Account, KeyId } from '../../domain/account.ts';
import type { Schemas } from '../kernel/answered.ts';

type Next = Schemas['NextAction'];

export function claimCall(who: Account, keyId: KeyId): Next {
  return {
    action: 'passport.claim',
    who,
    call: { method: 'POST', path: '/api/v1/passport/claim', body: { keyId } },
  };
}

/** Checks a domain; without an origin the caller puts in its own. */
export function verifyCall(who: Account, keyId: KeyId, given?: string): Next {
  const origin = given ?? 'https://<your domain>';
  return {
    ...(given === undefined && { note: 'Put the address of your domain into `origin`.' }),
    action: 'passport.verify',
    who,
    call: { method: 'POST', path: '/api/v1/passport/verify', body: { origin, keyId } },
  };
}

export function claimableCall(who: Account, keyId: KeyId): Next {
  return {
    action: 'passport.claimable',
    who,
    call: { method: 'GET', path: `/api/v1/passport/${keyId}/claimable` },
  };
}
