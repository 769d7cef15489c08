import type { Account } from '../account.ts';

/** The rights of an account in a space: its owner has all, others those that they were granted. */
export type Right = 'read' | 'write' | 'grant';

export function rightsIn(
  space: { readonly owner: Account },
  account: Account,
  grant: { readonly canWrite: boolean } | undefined,
): readonly Right[] {
  if (space.owner === account) return ['read', 'write', 'grant'];
  if (grant === undefined) return [];
  return grant.canWrite ? ['read', 'write'] : ['read'];
}
