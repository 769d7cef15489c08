import { useEffect, useState } from 'preact/hooks';
import { unwrap } from '../typescript/refusal.ts';
import { reader } from './session.ts';

/** Display names of the accounts on a page, read together. An account without one is kept as ''. */
const known = new Map<string, string>();
const wanted = new Set<string>();
const listeners = new Set<() => void>();
const KEY_ACCOUNT = /^key:[1-9A-HJ-NP-Za-km-z]{32,44}$/;
const GATHER_MS = 20;
const ACCOUNTS_MAX = 50;

/** The display name in the passport of an account, once the hub has answered. */
export function useName(account: string): string | undefined {
  const [, redraw] = useState(0);
  useEffect(() => {
    if (known.has(account) || !KEY_ACCOUNT.test(account)) return undefined;
    const redrawIfKnown = (): void => {
      if (known.has(account)) redraw((before) => before + 1);
    };
    listeners.add(redrawIfKnown);
    if (wanted.size === 0) setTimeout(() => void readNames(), GATHER_MS);
    wanted.add(account);
    return () => void listeners.delete(redrawIfKnown);
  }, [account]);
  return known.get(account) || undefined;
}

/** A failure is not shown: the short account stays, and the next page that shows it asks again. */
async function readNames(): Promise<void> {
  const all = [...wanted];
  wanted.clear();
  for (let start = 0; start < all.length; start += ACCOUNTS_MAX) {
    const accounts = all.slice(start, start + ACCOUNTS_MAX);
    const params = { query: { accounts: accounts.join(',') } };
    const answer = await reader.GET('/api/v1/passports/names', { params }).catch(() => undefined);
    if (answer?.data === undefined) return;
    for (const account of accounts) known.set(account, '');
    for (const { account, name } of unwrap(answer).names) known.set(account, name);
  }
  for (const listener of listeners) listener();
}
