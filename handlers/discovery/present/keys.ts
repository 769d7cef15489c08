import { hubKeyRows, type HubKeyRow } from '../../../db/time/hubKeys.ts';
import { keyBytes } from '../../../domain/account.ts';
import type { Instant } from '../../../domain/instant.ts';
import type { Schemas } from '../../../workflows/kernel/answered.ts';
import type { Hub } from '../../../workflows/kernel/hub.ts';

type Shown = Schemas['HubKeys']['keys'][number];
export interface PublicKey extends Shown {
  readonly notBefore: Instant | undefined;
  readonly notAfter: Instant | undefined;
}

const USES: PublicKey['uses'] = [
  ...(['pulses', 'seals', 'agent-card', 'attestations'] as const),
  ...(['outbound-calls', 'mandates'] as const),
];

export async function publicKeys({ store, clock }: Hub): Promise<readonly PublicKey[]> {
  const rows = await store.read(hubKeyRows);
  const now = clock.now();
  return rows.map((row) => present(row, now));
}

function present({ keyId, notBefore, notAfter, announcedIn }: HubKeyRow, now: Instant): PublicKey {
  return {
    keyId,
    algorithm: 'ed25519',
    publicKeyHex: Buffer.from(publicKeyOf(keyId)).toString('hex'),
    state: stateOf(notBefore, notAfter, now),
    uses: USES,
    notBefore: notBefore ?? undefined,
    notAfter: notAfter ?? undefined,
    announcedIn: announcedIn ?? undefined,
  };
}

function stateOf(
  notBefore: Instant | null,
  notAfter: Instant | null,
  now: Instant,
): PublicKey['state'] {
  if (notBefore === null) return 'next';
  return notAfter !== null && now > notAfter ? 'retired' : 'active';
}

export function publicKeyOf(keyId: string): Uint8Array {
  const bytes = keyBytes(keyId);
  if (bytes === undefined) throw new Error(`a key of the hub is no key: ${keyId}`);
  return bytes;
}
