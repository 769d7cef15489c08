import type { Account } from '../account.ts';
import { sha256Hex } from '../digest.ts';
import { canonical } from '../json.ts';
import { refused, type Refused } from './change.ts';
import { isThread, type Attempt, type Task, type TaskTerms } from './model.ts';

/**
 * Tasks whose texts are for their parties (choices tasks.privacy). Invariant: the audience is one of
 * the terms, so neither side alone can change it after a claim.
 */
export function isPrivate({ audience }: Pick<TaskTerms, 'audience'>): boolean {
  return audience === 'parties';
}

/** Why a private task cannot have these terms. */
export function privacyRefusal(deal: TaskTerms): Refused | undefined {
  if (!isPrivate(deal)) return undefined;
  if (isThread(deal)) return notTogether('A thread is public; leave audience or the tag out.');
  if (deal.mode === 'exclusive') return undefined;
  return notTogether(
    'Anyone may solve an open task, so its brief cannot be for its parties alone.',
  );
}

function notTogether(why: string): Refused {
  const hint = 'Send the call again without audience, or with mode exclusive and without the tag.';
  return refused('not-together', why, { field: 'body.audience', hint });
}

/** The digest by which a claimant knows the brief of before: SHA-256 of its canonical JSON. */
export function briefDigest(task: TaskTerms): string {
  const { description, input, files, acceptance, target } = task;
  return sha256Hex(
    canonical({
      v: 1,
      description,
      input: input ?? null,
      files: files?.map((file) => ({ ...file })) ?? null,
      acceptance: acceptance ?? null,
      target: target ?? null,
    }),
  );
}

/** Which of the requester, a worker and its payee an account is, of one result. */
export function isPartyOf(
  { requester }: Pick<Task, 'requester'>,
  { worker, payee }: Pick<Attempt, 'worker' | 'payee'>,
  by: Account | undefined,
): boolean {
  return by !== undefined && [requester, worker, payee].includes(by);
}
