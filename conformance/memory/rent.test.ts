import assert from 'node:assert/strict';
import { at, mustOk, mustRefuse } from '../harness/must.ts';
import { fakeClock } from '../harness/clock.ts';
import type { Agent } from '../harness/agents.ts';
import type { Fixture } from '../harness/fixture.ts';
import { filePath, putFile } from '../files/file.ts';
import {
  costOf,
  found,
  makeSpace,
  MEMORY,
  searchNotes,
  spendable,
  writeNote,
  type MadeSpace,
} from './space.ts';
import { hubsOnBothDatabases } from '../harness/hubsOnBothDatabases.ts';

const DAY = 86_400;
const YEAR_MS_MAX = 300_000;

interface Rent {
  readonly account: string;
  readonly day: number;
  readonly amount: number;
}

hubsOnBothDatabases('storage rent', (open) => {
  // Twelve hours before a rent day begins.
  const clock = fakeClock(Date.parse('2026-11-20T12:05:00Z'));
  let worlds: readonly Fixture[] = [];
  let world: Fixture;
  before(async () => {
    const first = await open({ clock });
    worlds = [first, await open({ clock }), await open({ clock })];
    world = first;
  });

  /** All processes look at once, twice. */
  const look = async (): Promise<void> => {
    for (let times = 0; times < 2; times += 1) {
      await Promise.all(worlds.map(({ hub }) => hub.runJob('storageRent')));
    }
  };
  const tomorrow = async (): Promise<void> => {
    clock.advance(DAY);
    await look();
  };
  const usageOf = async (who: Agent) => mustOk(await who.get(`${MEMORY}/usage/${who.account}`));
  const rentsOf = (who: Agent): Promise<readonly Rent[]> =>
    world.hub.running.hub.store.read((db) =>
      db.knex<Rent>('memory_rents').where({ account: who.account }).orderBy('day'),
    );
  const stored = async (money: string): Promise<{ who: Agent; space: MadeSpace }> => {
    const who = await world.agent();
    await world.fund(who, money);
    const space = await makeSpace(who, 'shared');
    mustOk(await writeNote(who, space, 'kept', { key: 'k' }));
    return { who, space };
  };

  it('is charged exactly once a day for a year, by whichever process, from the day after', async function year() {
    this.timeout(YEAR_MS_MAX);
    const rich = await stored('1000200');
    const empty = await world.agent();
    await world.fund(empty, '1000');
    await makeSpace(empty);
    await look();
    assert.equal((await rentsOf(rich.who)).length, 0, 'the first day is free');
    for (let day = 1; day <= 365; day += 1) {
      await tomorrow();
      if (day % 73 === 0) assert.equal((await rentsOf(rich.who)).length, day);
    }
    const rents = await rentsOf(rich.who);
    assert.equal(rents.length, 365);
    for (const [n, { day, amount }] of rents.entries()) {
      assert.deepEqual([Number(day), Number(amount)], [Number(rents[0]?.day) + n, 50]);
    }
    assert.equal(await spendable(rich.who), 1_000_000n - 365n * 50n);
    assert.equal(await spendable(empty), 1000n, 'nothing stored, nothing owed');
    const usage = await usageOf(rich.who);
    assert.equal(usage['readOnly'], false);
    const paid = Date.parse(String(usage['paidThrough']));
    assert.ok(paid > clock.now() && paid - clock.now() <= DAY * 1000);
    const path = `/api/v1/wallet/${rich.who.account}/statement?limit=1`;
    const entry = at(mustOk(await rich.who.get(path)), 'entries', 0) as Record<string, unknown>;
    assert.deepEqual(
      [entry['reason'], entry['amount'], at(entry, 'ref', 'kind')],
      ['memory.rent', '50', 'rent'],
    );
  });

  it('goes by what is stored at that moment, notes and files together', async () => {
    const { who } = await stored('10000');
    mustOk(await putFile(who, 'a', Buffer.alloc(1_048_576)));
    await tomorrow();
    mustOk(await putFile(who, 'a', 'small'));
    await tomorrow();
    assert.deepEqual(
      (await rentsOf(who)).map(({ amount }) => Number(amount)),
      [100, 50],
    );
  });

  it('keeps the day that a read-only author paid, when its note is there already', async () => {
    const { who, space } = await stored('200');
    await tomorrow();
    assert.equal((await usageOf(who))['readOnly'], true);
    await world.fund(who, '1000');
    for (let times = 0; times < 2; times += 1) {
      const again = mustOk(await writeNote(who, space, 'kept', { key: 'k' }));
      assert.equal(again['duplicate'], true);
      assert.deepEqual([await spendable(who), (await usageOf(who))['readOnly']], [950n, false]);
    }
    mustOk(await writeNote(who, space, 'another'));
    assert.equal(await spendable(who), 750n);
  });

  it('turns who cannot pay read-only: everything is kept, nothing accrues, a deposit and a write lift it', async () => {
    const { who, space } = await stored('420');
    mustOk(await putFile(who, 'f', 'file'));
    // 420 less a note and a file leaves two days.
    await tomorrow();
    await tomorrow();
    assert.equal(await spendable(who), 0n);
    for (let day = 0; day < 5; day += 1) {
      await tomorrow();
      assert.equal((await usageOf(who))['readOnly'], true);
    }
    assert.equal((await rentsOf(who)).length, 2);
    mustRefuse(await writeNote(who, space, 'more'), 400, 'memory-read-only');
    mustRefuse(await putFile(who, 'g', 'more'), 400, 'memory-read-only');
    const contents = mustOk(await who.get(space.path));
    assert.equal(at(contents, 'notes', 0, 'content'), 'kept');
    // A day costs 50: what is there is less, so it stays read-only and nothing is taken.
    await world.fund(who, '49');
    mustRefuse(await writeNote(who, space, 'more'), 400, 'memory-read-only');
    mustRefuse(await putFile(who, 'g', 'more'), 400, 'memory-read-only');
    await world.fund(who, '951');
    const cost = await costOf(who, async () => {
      assert.deepEqual(await found(searchNotes(who, space, { text: 'kept' })), ['kept']);
      mustOk(await who.get(filePath(who, 'f')));
    });
    assert.equal(cost, 520n, 'reading is not writing and lifts nothing');
    assert.equal((await usageOf(who))['readOnly'], true);
    const lifted = await costOf(who, async () => {
      mustOk(await writeNote(who, space, 'more'));
    });
    assert.equal(lifted, 250n, 'one day and the note, no arrears');
    assert.equal((await usageOf(who))['readOnly'], false);
    await look();
    assert.equal((await rentsOf(who)).length, 3, 'the day that was paid is not charged again');
    await tomorrow();
    assert.equal((await rentsOf(who)).length, 4);
  });

  it('lifts with the next day that can be paid, without a write', async () => {
    const { who } = await stored('200');
    await tomorrow();
    assert.equal((await usageOf(who))['readOnly'], true);
    await world.fund(who, '60');
    await tomorrow();
    assert.equal((await usageOf(who))['readOnly'], false);
    assert.equal(await spendable(who), 10n);
  });

  it('asks the owner, not the writer; a space of who cannot pay takes no writes of others', async () => {
    const { who, space } = await stored('200');
    const writer = await world.agent();
    await world.fund(writer, '10000');
    const grant = {
      owner: who.account,
      spaceId: space.id,
      grantee: writer.account,
      canWrite: true,
    };
    mustOk(await who.post(`${MEMORY}/grants`, grant));
    mustOk(await writeNote(writer, space, 'before'));
    await tomorrow();
    const cost = await costOf(writer, async () => {
      const refused = mustRefuse(await writeNote(writer, space, 'after'), 400, 'memory-read-only');
      assert.match(String(refused['error']), /owner/);
    });
    assert.equal(cost, 0n);
    assert.deepEqual(await found(searchNotes(writer, space, { text: 'before' })), ['before']);
    assert.equal((await rentsOf(writer)).length, 0);
  });

  it('charges days that the hub missed, three at most, and today first', async () => {
    const { who: rich } = await stored('10200');
    const { who: short } = await stored('300');
    const { who: poor } = await stored('240');
    clock.advance(6 * DAY);
    await look();
    assert.deepEqual(
      [(await rentsOf(rich)).length, (await rentsOf(short)).length, (await rentsOf(poor)).length],
      [4, 2, 0],
    );
    const days = (await rentsOf(short)).map(({ day }) => Number(day));
    assert.equal(days.at(-1), Math.floor((clock.now() - 300_000) / 86_400_000), 'today is paid');
    assert.deepEqual(
      [(await usageOf(short))['readOnly'], (await usageOf(poor))['readOnly']],
      [false, true],
      'who can pay today stays writable',
    );
    await look();
    assert.equal((await rentsOf(rich)).length, 4, 'what was let go is not asked for again');
  });
});
