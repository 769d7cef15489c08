import type { LimitName } from './operation.ts';

/** Rate policies by name, and how an answer names them (choices pipeline.limits). */
export type PolicyName =
  | 'anon'
  | 'introduced'
  | 'signed'
  | 'unverified'
  | 'crowd'
  | 'newcomers'
  | 'refused'
  | 'searches'
  | 'meaning'
  | 'meanings'
  | 'storage'
  | 'storagehere'
  | 'keys'
  | 'keyshere'
  | 'admin'
  | LimitName;

export interface Policy {
  readonly quota: number;
  readonly windowSeconds: number;
  readonly partition: 'ip' | 'account';
}

const MINUTE = 60;
const HOUR = 3600;
const DAY = 86_400;
export const POLICIES: Readonly<Record<PolicyName, Policy>> = {
  anon: { quota: 300, windowSeconds: MINUTE, partition: 'ip' },
  introduced: { quota: 1200, windowSeconds: MINUTE, partition: 'ip' },
  signed: { quota: 1200, windowSeconds: MINUTE, partition: 'account' },
  // A failed signature costs the sender's address, never the account that it names.
  unverified: { quota: 300, windowSeconds: MINUTE, partition: 'ip' },
  // Keys cost nothing, so what they do counts against the address that they come from as well.
  crowd: { quota: 3600, windowSeconds: MINUTE, partition: 'ip' },
  newcomers: { quota: 60, windowSeconds: MINUTE, partition: 'ip' },
  refused: { quota: 600, windowSeconds: MINUTE, partition: 'ip' },
  money: { quota: 300, windowSeconds: MINUTE, partition: 'account' },
  act: { quota: 240, windowSeconds: MINUTE, partition: 'account' },
  search: { quota: 60, windowSeconds: MINUTE, partition: 'ip' },
  // The searches of a signer, in place of `search`: agents at one address share none.
  searches: { quota: 60, windowSeconds: MINUTE, partition: 'account' },
  // Queries whose vector the operator pays for, of an address and of all (choices search.meaning).
  meaning: { quota: 120, windowSeconds: HOUR, partition: 'ip' },
  meanings: { quota: 6_000, windowSeconds: HOUR, partition: 'ip' },
  verify: { quota: 60, windowSeconds: MINUTE, partition: 'ip' },
  stamp: { quota: 120, windowSeconds: MINUTE, partition: 'ip' },
  submit: { quota: 60, windowSeconds: MINUTE, partition: 'ip' },
  handshake: { quota: 60, windowSeconds: HOUR, partition: 'ip' },
  faucet: { quota: 200, windowSeconds: DAY, partition: 'ip' },
  // Units are KB of texts that are stored for nothing (choices pipeline.storage).
  storage: { quota: 8_192, windowSeconds: DAY, partition: 'account' },
  storagehere: { quota: 32_768, windowSeconds: DAY, partition: 'ip' },
  // Idempotency keys of calls that cost nothing (choices ledger.idempotency).
  keys: { quota: 100_000, windowSeconds: DAY, partition: 'account' },
  keyshere: { quota: 400_000, windowSeconds: DAY, partition: 'ip' },
  // Wrong passwords at the operator's page.
  admin: { quota: 20, windowSeconds: HOUR, partition: 'ip' },
  // Opening a test world and moving its clock run all jobs of a hub.
  worlds: { quota: 30, windowSeconds: MINUTE, partition: 'ip' },
  // Polls of a connected agent, in place of `signed`: its work must not use up its own requests.
  serve: { quota: 12_000, windowSeconds: MINUTE, partition: 'account' },
};

export const POLICY_NAMES = Object.keys(POLICIES) as readonly PolicyName[];

/** `"anon";q=300;w=60;pk=ip`, the form of the IETF rate-limit-headers draft. */
export function policyText(name: PolicyName): string {
  const { quota, windowSeconds, partition } = POLICIES[name];
  return `"${name}";q=${quota};w=${windowSeconds};pk=${partition}`;
}
