import assert from 'node:assert/strict';
import { text } from './columns.ts';
import { lookup } from './lookup.ts';
import { lockOf, parentIn, type AnyTable, type Related } from './need.ts';
import { lockOrder, writeOrderOf } from './order.ts';
import { table, type Options } from './table.ts';
import { describedIn } from './tables.ts';

function tableOf(name: string, options: Options = {}): AnyTable {
  const personal = { apart: 'about no account' };
  return table(name, { id: text().key() }, { personal, ...options }) as AnyTable;
}

const namesOf = (tables: readonly Related[]): readonly string[] => tables.map(({ name }) => name);

describe('the order of tables', () => {
  const money = tableOf('a_money');
  const entries = tableOf('a_entries', { under: [money] });
  const call = tableOf('call', { after: [entries] });
  const part = tableOf('b_part', { parent: parentIn(call as never, () => 'call') });
  const count = lookup('c_count', {
    by: { id: text() },
    found: { id: text() },
    sql: () => ({ id: '1' }),
    lock: lockOf('keys', ['id']),
  }) as AnyTable;

  for (const given of [
    [money, entries, call, part],
    [part, call, entries, money],
    [call, money, part, entries],
  ]) {
    it(`locks a call before its money, and writes it behind, given ${namesOf(given).join()}`, () => {
      assert.deepEqual(namesOf(lockOrder(given)), ['call', 'a_money', 'a_entries', 'b_part']);
      assert.deepEqual(namesOf(writeOrderOf(given)), ['a_money', 'a_entries', 'call', 'b_part']);
    });
  }

  it('locks first what has a statement of its own', () => {
    assert.equal(lockOrder([money, call, count])[0]?.name, 'c_count');
  });

  it('follows arrows through tables that are locked in another class', () => {
    const first = tableOf('z_first', { lock: 'first' });
    const between = tableOf('m_between', { under: [first] });
    const last = tableOf('a_last', { lock: 'first', under: [between] });
    assert.deepEqual(namesOf(lockOrder([last, between, first])).slice(0, 2), ['z_first', 'a_last']);
  });

  it('refuses a circle, and names its tables', () => {
    const one = tableOf('one');
    const two = tableOf('two', { under: [one] });
    Object.assign(one, { under: [two] });
    assert.throws(() => writeOrderOf([one, two, money]), /each written before .*: one, two$/);
    assert.throws(() => lockOrder([one, two, money]), /each locked before .*: one, two$/);
    const three = tableOf('a_three', { after: [one] });
    assert.throws(() => lockOrder([one, two, three]), /each locked before .*: one, two$/);
  });
});

describe('the tables that files describe', () => {
  it('are found by what they are, and those that write win over those that read', () => {
    const read = tableOf('ships', { use: 'read' });
    const written = tableOf('ships');
    const other = { SHIPS_MAX: 3, name: 'ships', of: (id: string) => id };
    for (const files of [
      [{ read, other }, { written }],
      [{ written }, { read }],
    ]) {
      assert.deepEqual(describedIn(files), [written]);
    }
  });

  it('say whose rows they have', () => {
    const crew = table('crew', { id: text().key() });
    assert.throws(() => describedIn([{ crew }]), /0 descriptions of crew say whose rows it has/);
    const again = table('crew', { id: text().key() }, { as: 'crew_again', use: 'read' });
    const owned = tableOf('crew');
    assert.deepEqual(describedIn([{ again, owned }]), [again, owned]);
    const twice = tableOf('crew', { as: 'crew_twice' });
    assert.throws(() => describedIn([{ owned, twice }]), /2 descriptions of crew say/);
  });

  it('may not have one name, nor name a table that no file exports', () => {
    const [one, two] = [tableOf('ships'), tableOf('ships')];
    assert.throws(() => describedIn([{ one }, { two }]), /two tables of batches are named ships/);
    const lost = tableOf('lost');
    for (const options of [{ after: [lost] }, { under: [lost] }]) {
      const crew = tableOf('crew', options);
      assert.throws(() => describedIn([{ crew }]), /crew names lost, which no file exports/);
    }
  });
});
