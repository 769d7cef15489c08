import type { AcceptanceRule } from './acceptance/rule.ts';
import type { Account } from './account.ts';
import { sha256Hex } from './digest.ts';
import { iso } from './instant.ts';
import type { Instant, Seconds } from './instant.ts';
import { canonical } from './json.ts';
import type { Atomic } from './money.ts';
import type { TaskFile } from './tasks/files.ts';
import { defined } from './defined.ts';

/**
 * A task's deal as one document, without comments, counters and state. Invariant: equal terms give
 * equal bytes (RFC 8785), so settlement uses the digest of the claim (choices tasks.terms).
 */
export interface Terms {
  readonly id: string;
  readonly revision: number;
  readonly requester: Account;
  readonly mode: 'open' | 'exclusive';
  readonly title: string;
  readonly description?: string;
  readonly requiredSkills: readonly string[];
  readonly tags: readonly string[];
  readonly input?: unknown;
  readonly files?: readonly TaskFile[];
  readonly audience?: 'parties';
  readonly reward?: { readonly amount: Atomic; readonly asset: string; readonly network: string };
  readonly fees: { readonly hubBps: number; readonly judgesBps: number };
  readonly verification: 'automatic' | 'validator' | 'requester';
  readonly acceptance?: AcceptanceRule;
  readonly minReliabilityBps?: number;
  readonly shares?: Readonly<Record<string, unknown>>;
  readonly lease?: { readonly leaseSeconds: Seconds; readonly renewForSeconds: Seconds };
  /** Defaults are resolved before they come here; an absent autoAcceptSeconds means never. */
  readonly windows: {
    readonly autoAcceptSeconds?: Seconds;
    readonly disputeWindowSeconds: Seconds;
  };
  readonly target?: { readonly origin: string; readonly paths?: readonly string[] };
  readonly conduct?: Readonly<Record<string, unknown>>;
  /** Texts that were added after publication. */
  readonly clarifications?: readonly string[];
  readonly maxAttempts: number;
  readonly deadline: Instant;
}

/** The JSON that is digested: absent optionals are null, unordered lists are sorted. */
export function termsDocument(terms: Terms): Readonly<Record<string, unknown>> {
  const { reward, windows, minReliabilityBps, shares, files, audience } = terms;
  const { lease, clarifications } = terms;
  return {
    v: 1,
    id: terms.id,
    revision: terms.revision,
    requester: terms.requester,
    mode: terms.mode,
    title: terms.title,
    description: terms.description ?? null,
    requiredSkills: [...terms.requiredSkills].sort(),
    tags: [...terms.tags].sort(),
    input: terms.input ?? null,
    reward: reward === undefined ? null : { ...reward, amount: reward.amount.toString() },
    fees: { hubBps: terms.fees.hubBps, judgesBps: terms.fees.judgesBps },
    verification: terms.verification,
    acceptance: terms.acceptance ?? null,
    // Absent, not null: deals without it have the digest that they were claimed under.
    ...defined({ minReliabilityBps, shares, audience }),
    ...(files !== undefined && { files: files.map((file) => ({ ...file })) }),
    ...defined({ lease, clarifications }),
    windows: {
      autoAcceptSeconds: windows.autoAcceptSeconds ?? null,
      disputeWindowSeconds: windows.disputeWindowSeconds,
    },
    target: terms.target ?? null,
    conduct: terms.conduct ?? null,
    maxAttempts: terms.maxAttempts,
    deadline: wholeSeconds(terms.deadline),
  };
}

/** SHA-256 (hex) over the canonical JSON of the terms document. */
export function termsDigest(terms: Terms): string {
  return sha256Hex(canonical(termsDocument(terms)));
}

/** The vector of choices tasks.terms writes whole seconds without a fraction. */
function wholeSeconds(at: Instant): string {
  return iso(at).replace('.000Z', 'Z');
}
