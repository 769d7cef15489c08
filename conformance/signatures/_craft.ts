import { generateKey, signer, type GeneratedKey } from '../../clients/typescript/sign.ts';
import { base64, signatureBase, signatureParams, splitTarget } from '../../domain/httpsig/base.ts';
import { agentWith, type Agent, type Place } from '../harness/agents.ts';

/** Signed requests that the client would not make: a chosen nonce, a clock that is wrong. */
export async function signedWithNonce(
  place: Place,
  key: GeneratedKey,
  target: string,
  nonce: string,
): Promise<Request> {
  const { path, query } = splitTarget(target) ?? { path: target, query: undefined };
  const covered = ['@method', '@path'];
  const createdSeconds = Math.floor(place.clock.now() / 1000);
  const params = signatureParams(covered, { createdSeconds, keyId: key.keyId, nonce });
  const message = { method: 'GET', target, path, query, scheme: 'http', authority: undefined };
  const base = signatureBase(
    { ...message, hasBody: false, field: () => undefined },
    covered,
    params,
  );
  if (!base.ok) throw new Error(`no value for ${base.missing}`);
  const signature = await signer(key).sign(new TextEncoder().encode(base.text));
  return new Request(new URL(target, place.url), {
    headers: { 'signature-input': `s=${params}`, signature: `s=:${base64(signature)}:` },
  });
}

/** A new agent whose clock is ahead of the hub's, or behind it. */
export async function agentAhead(place: Place, wholeSeconds: number): Promise<Agent> {
  const now = (): number => place.clock.now() + wholeSeconds * 1000;
  return agentWith({ url: place.url, clock: { now } }, await generateKey());
}
