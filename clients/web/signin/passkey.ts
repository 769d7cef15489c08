import { seedOf, SignInError } from './derive.ts';

/** Asks an authenticator for the secret of a passkey (WebAuthn with the PRF extension). */
const PURPOSE = 'passkey/v1';
const USER_ID_BYTES = 32;
const CHALLENGE_BYTES = 32;
const ES256 = -7;
const EDDSA = -8;
const RS256 = -257;

/** The input of the PRF. It never changes, so that a passkey always yields the same key. */
const input = (): AuthenticationExtensionsPRFValues => ({
  first: new TextEncoder().encode('agent-exchange-hub account key/v1'),
});

/** A passkey belongs to a name of a host, so there is none for an address of numbers. */
export function canUsePasskeys(host: string = location.hostname): boolean {
  const isNumbers = /^[\d.]+$|^\[/.test(host);
  return isSecureContext && 'PublicKeyCredential' in globalThis && !isNumbers;
}

/** Makes a passkey and returns the seed of its key. `name` is shown where passkeys are listed. */
export async function makePasskey(hub: string, name: string): Promise<Uint8Array> {
  const made = await asked(() =>
    navigator.credentials.create({
      publicKey: {
        rp: { name: hub },
        user: { id: randomBytes(USER_ID_BYTES), name, displayName: name },
        // The hub checks no assertion, only signatures of the derived key.
        challenge: randomBytes(CHALLENGE_BYTES),
        pubKeyCredParams: [ES256, EDDSA, RS256].map((alg) => ({ type: 'public-key', alg })),
        authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
        extensions: { prf: { eval: input() } },
      },
    }),
  );
  const { prf } = made.getClientExtensionResults();
  if (prf?.enabled !== true && prf?.results === undefined) throw new SignInError('noPrf');
  // Most authenticators evaluate the function at a use of the passkey, not when it is made.
  return prf.results === undefined ? openPasskey(made.rawId) : seedOf(prf.results.first, PURPOSE);
}

/** Has the person choose a passkey of this hub, and returns the seed of its key. */
export async function openPasskey(id?: ArrayBuffer): Promise<Uint8Array> {
  const used = await asked(() =>
    navigator.credentials.get({
      publicKey: {
        challenge: randomBytes(CHALLENGE_BYTES),
        userVerification: 'required',
        ...(id !== undefined && { allowCredentials: [{ type: 'public-key', id }] }),
        extensions: { prf: { eval: input() } },
      },
    }),
  );
  const { prf } = used.getClientExtensionResults();
  if (prf?.results === undefined) throw new SignInError('noPrf');
  return seedOf(prf.results.first, PURPOSE);
}

async function asked(ask: () => Promise<Credential | null>): Promise<PublicKeyCredential> {
  const found = await ask().catch((cause: unknown) => {
    throw new SignInError('cancelled', cause);
  });
  if (found instanceof PublicKeyCredential) return found;
  throw new SignInError('cancelled');
}

function randomBytes(length: number): Uint8Array<ArrayBuffer> {
  return crypto.getRandomValues(new Uint8Array(length));
}
