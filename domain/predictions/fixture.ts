import type { Account } from '../account.ts';
import { instant, plus, seconds } from '../instant.ts';
import type { Instant } from '../instant.ts';
import { openMarket } from './change.ts';
import type { Draft } from './change.ts';
import type { Market } from './model.ts';

/** Markets, accounts and clocks for the tests of this folder. */
export const NOW = instant(Date.parse('2027-01-15T08:00:00Z'));
export const CLOSES = plus(NOW, seconds(3600));
export const CHECK = { metric: 'agents.total', op: 'gte', value: 5n } as const;

export const account = (name: string): Account => `key:${name}` as Account;
export const [ALICE, BOB, MAKER] = [account('alice'), account('bob'), account('maker')];

export const DRAFT: Draft = {
  id: 'm1',
  question: 'Will it rain?',
  source: 'example.org',
  closesAt: CLOSES,
  network: 'sandbox',
  kind: 'test',
  creator: MAKER,
};

export function opened(over: Partial<Draft> = {}): Market {
  const market = openMarket({ ...DRAFT, ...over }, NOW);
  if ('refused' in market) throw new Error(market.why);
  return market;
}

export const before = (at: Instant): Instant => instant(at - 1);
export const after = (at: Instant): Instant => instant(at + 1);
