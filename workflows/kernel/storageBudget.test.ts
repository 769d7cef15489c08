import assert from 'node:assert/strict';
import type { Account } from '../../domain/account.ts';
import { instant } from '../../domain/instant.ts';
import { openLimits } from '../../server/http/limits.ts';
import { openStorageBudget } from './storageBudget.ts';

describe('the budget of idempotency keys', () => {
  it('lets an account keep 100,000 a day and an address 400,000', () => {
    const budget = openStorageBudget(openLimits(() => instant(0), true));
    const caller = (name: string, ip: string) =>
      ({ kind: 'wallet', account: `key:${name}` as Account, ip }) as const;
    const take = (times: number, name: string, ip: string): void => {
      for (let n = 0; n < times; n += 1) budget.takeKey(caller(name, ip));
    };
    take(100_000, 'a', '192.0.2.1');
    const over = { code: 'rate-limited', message: /"keys";q=100000;w=86400.*idempotency keys/ };
    assert.throws(() => take(1, 'a', '192.0.2.2'), over);
    for (const name of ['b', 'c', 'd']) take(100_000, name, '192.0.2.1');
    const here = { code: 'rate-limited', message: /"keyshere"/ };
    assert.throws(() => take(1, 'e', '192.0.2.1'), here);
    take(1, 'e', '192.0.2.2');
  });
});
