import assert from 'node:assert/strict';
import { onBothDatabases } from '../../conformance/harness/databases.ts';
import { DEMAND, person, uuid } from '../../conformance/ledger/book.ts';
import type { Account } from '../../domain/account.ts';
import { parseKeyId } from '../../domain/account.ts';
import { instant } from '../../domain/instant.ts';
import type { KarmaCause, KarmaMoney } from '../../domain/karma.ts';
import type { Store } from '../store.ts';
import { bindKey } from '../wallet/keys.ts';
import { karmaPage, standing } from './entries.ts';
import { karmaReads, recordKarma } from './record.ts';

const DAY_MS = 86_400_000;
/** Midnight UTC. */
const T0 = instant(Date.parse('2026-11-21T00:00:00Z'));

onBothDatabases('recording karma', (open) => {
  let store: Store;
  before(async () => {
    store = await open();
  });

  let occasions = 0;
  const record = async (
    subject: Account,
    counterparty: Account | undefined,
    over: Partial<KarmaCause> & { readonly money?: KarmaMoney; readonly at?: number } = {},
  ): Promise<boolean> => {
    const { money = 'real', at = T0, ...cause } = over;
    occasions += 1;
    const whole: KarmaCause = {
      subject,
      reason: 'task.paid.worker',
      ref: { kind: 'task', id: 'task' },
      occasion: `occasion-${occasions}`,
      ...(counterparty !== undefined && { counterparty }),
      ...cause,
    };
    const id = uuid();
    const startedAt = instant(at);
    return store.decide({
      needs: karmaReads(whole, startedAt),
      decide: (db) => recordKarma(db, whole, { id, at: startedAt, money, startedAt }),
    });
  };
  const deltas = async (subject: Account): Promise<readonly number[]> => {
    const { entries } = await store.read((db) => karmaPage(db, subject, { limit: 200 }));
    return entries.map(({ delta }) => delta).reverse();
  };
  const totals = (subject: Account) => store.read((db) => standing(db, subject));

  it('counts a counterparty 100%, 60%, 30%, then nothing, for 90 days', async () => {
    const [subject, other] = [person(), person()];
    for (const _ of [1, 2, 3, 4]) await record(subject, other);
    await record(subject, person());
    await record(subject, other, { at: T0 + 90 * DAY_MS - 1 });
    await record(subject, other, { at: T0 + 90 * DAY_MS });
    assert.deepEqual(await deltas(subject), [3, 1, 0, 0, 3, 0, 1]);
    assert.deepEqual(await totals(subject), { total: 8, fromTestNetworks: 0 });
  });

  it('counts linked accounts as one party, and oneself not at all', async () => {
    const [subject, owner, linked] = [person(), person(), person()];
    const bind = (key: Account, to: Account) =>
      store.write(async (tx) => {
        const keyId = parseKeyId(key.slice(4));
        assert.ok(keyId !== undefined);
        await bindKey(tx, keyId, to, T0, {});
      });
    await bind(linked, owner);
    await record(subject, owner);
    await record(subject, linked);
    assert.deepEqual(await deltas(subject), [3, 1]);
    await record(owner, linked);
    await record(linked, owner);
    assert.deepEqual([await deltas(owner), await deltas(linked)], [[0], [0]]);
  });

  it('counts the house without lowering, up to 10 in a UTC day', async () => {
    const subject = person();
    for (const _ of [1, 2, 3, 4, 5]) await record(subject, DEMAND);
    await record(subject, DEMAND, { at: T0 + DAY_MS - 1 });
    await record(subject, DEMAND, { at: T0 + DAY_MS });
    assert.deepEqual(await deltas(subject), [3, 3, 3, 1, 0, 0, 3]);
  });

  it('bounds a reason by the day, apart from other reasons', async () => {
    const subject = person();
    const called = { reason: 'call.served' } as const;
    for (const _ of [1, 2, 3, 4, 5, 6]) await record(subject, person(), called);
    await record(subject, person(), { reason: 'judge.agreed' });
    assert.deepEqual(await deltas(subject), [1, 1, 1, 1, 1, 0, 1]);
  });

  it('takes 20 from test networks at most, and losses make room', async () => {
    const subject = person();
    for (let count = 0; count < 21; count += 1) {
      await record(subject, person(), { money: 'test' });
    }
    assert.deepEqual(await totals(subject), { total: 20, fromTestNetworks: 20 });
    await record(subject, person(), { reason: 'claim.lapsed', money: 'test' });
    await record(subject, person(), { money: 'test' });
    await record(subject, person(), { money: 'real' });
    assert.deepEqual(await totals(subject), { total: 19, fromTestNetworks: 16 });
  });

  it('writes an occasion once, and nothing for what is worth nothing', async () => {
    const subject = person();
    const once = { occasion: 'the same', reason: 'claim.lapsed' } as const;
    assert.deepEqual(
      [await record(subject, undefined, once), await record(subject, undefined, once)],
      [true, false],
    );
    const nothing = { reason: 'task.paid.requester', money: 'test' } as const;
    assert.equal(await record(subject, person(), nothing), false);
    assert.deepEqual(await deltas(subject), [-5]);
    assert.deepEqual(await totals(subject), { total: -5, fromTestNetworks: 0 });
  });

  it('holds the caps when many come at once', async () => {
    const [subject, other] = [person(), person()];
    const many = Array.from({ length: 30 }, () => record(subject, person(), { money: 'test' }));
    const same = Array.from({ length: 10 }, () => record(subject, other));
    await Promise.all([...many, ...same]);
    assert.deepEqual(await totals(subject), { total: 24, fromTestNetworks: 20 });
    const sum = (await deltas(subject)).reduce((total, delta) => total + delta, 0);
    assert.equal(sum, 24);
  });
});
