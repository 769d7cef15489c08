import { canonical } from '../../domain/json.ts';
import type { Schemas } from '../kernel/answered.ts';
import type { Hub, HubKey } from '../kernel/hub.ts';

/**
 * Signatures of the agent card: JWS with detached payload over its canonical form (A2A 1.0, 8.4).
 * Clients of 1.0 read the card into their schema first, so what they check has no fields of 0.3 and
 * nothing empty. A second signature covers the card as it is served, for clients that canonicalize
 * it as received.
 */
export type Card = Schemas['AgentCard'];
export type UnsignedCard = Omit<Card, 'signatures'>;

/** A card that is signed: that of the hub, or of an agent that it hosts. */
interface Signable {
  readonly skills: readonly { readonly id: string; readonly security?: unknown }[];
  readonly securitySchemes?: Readonly<Record<string, unknown>> | undefined;
  readonly url?: string | undefined;
  readonly preferredTransport?: string | undefined;
  readonly protocolVersion?: string | undefined;
}

const encoder = new TextEncoder();

/** @throws HubError `busy` when this process does not have the key that signs now. */
export function signedCard<Unsigned extends Signable>(
  card: Unsigned,
  { keys, settings }: Hub,
): Unsigned & Pick<Card, 'signatures'> {
  const key = keys.current();
  const jku = `${settings.baseUrl}/.well-known/jwks.json`;
  const sign = (payload: unknown): Card['signatures'][number] => jws(canonical(payload), key, jku);
  return { ...card, signatures: [sign(cardOf10(card)), sign(card)] };
}

/** RFC 7515 7.2.2 and appendix F: the payload is left out, the reader has it. */
function jws(payload: string, key: HubKey, jku: string): Card['signatures'][number] {
  // RFC 8037 3.1 names ed25519 signatures EdDSA.
  const header = { alg: 'EdDSA', kid: key.keyId, typ: 'JOSE', jku };
  const encoded = base64url(JSON.stringify(header));
  const signature = key.sign(encoder.encode(`${encoded}.${base64url(payload)}`));
  return { protected: encoded, signature: Buffer.from(signature).toString('base64url') };
}

function base64url(text: string): string {
  return Buffer.from(text).toString('base64url');
}

export function cardOf10(card: Signable): unknown {
  const { url: _url, preferredTransport: _transport, protocolVersion: _version, ...rest } = card;
  const skills = rest.skills.map(({ security: _security, ...skill }) => skill);
  const securitySchemes = Object.fromEntries(
    Object.entries(rest.securitySchemes ?? {}).map(([name, scheme]) => [name, only10(scheme)]),
  );
  return withoutEmpty({ ...rest, skills, securitySchemes });
}

/** A scheme of 1.0 is wrapped in its kind; beside the wrapper stands what 0.3 reads. */
function only10(scheme: unknown): unknown {
  if (typeof scheme !== 'object' || scheme === null) return scheme;
  return Object.fromEntries(Object.entries(scheme).filter(([name]) => name.endsWith('Scheme')));
}

/** Leaves out empty texts, lists and objects, and whatever is empty without them. */
function withoutEmpty(value: unknown): unknown {
  if (Array.isArray(value)) {
    const items = value.map(withoutEmpty).filter((item) => item !== undefined);
    return items.length === 0 ? undefined : items;
  }
  if (typeof value === 'object' && value !== null) {
    const members = Object.entries(value)
      .map(([name, member]) => [name, withoutEmpty(member)] as const)
      .filter(([, member]) => member !== undefined);
    return members.length === 0 ? undefined : Object.fromEntries(members);
  }
  return value === '' ? undefined : value;
}
