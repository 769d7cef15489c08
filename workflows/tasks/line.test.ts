import assert from 'node:assert/strict';
import type { Account } from '../../domain/account.ts';
import { atomic } from '../../domain/money.ts';
import { openLine, type Offer, type Place, type Wish } from './line.ts';

const offer = (id: string, over: Partial<Offer> = {}): Offer => ({
  id,
  requester: 'key:requester' as Account,
  reward: atomic(1_000n),
  isLast: false,
  requiredSkills: [],
  tags: [],
  verification: 'automatic',
  autoAccepts: false,
  isRare: false,
  ...over,
});
const wish = (name: string, over: Partial<Wish> = {}): Wish => ({
  who: { account: `key:${name}` as Account },
  minReward: '0',
  ...over,
});

interface Poll {
  readonly place: Place;
  /** Ends when the poll is woken or called away. */
  readonly asleep: Promise<boolean>;
  callAway(): void;
}

/** Starts to sleep; the result is whether the poll was woken. */
function sleep(place: Place): Poll {
  let callAway = (): void => undefined;
  let isWoken = false;
  const asleep = place
    .sleep((woken) => {
      return new Promise<void>((resolve) => {
        callAway = resolve;
        woken.addEventListener('abort', () => {
          isWoken = true;
          resolve();
        });
      });
    }, 'any')
    .then(() => isWoken);
  return { place, asleep, callAway };
}

const ids = (polls: readonly Poll[]): (string | undefined)[] =>
  polls.map(({ place }) => place.offered()?.id);

describe('the line of polls that wait for work', () => {
  const openedLine = () => {
    const line = openLine();
    line.found([], true);
    return line;
  };

  it('serves in the order of arrival, the best paid task first', async () => {
    const line = openedLine();
    const polls = ['a', 'b', 'c'].map((name) => sleep(line.enter(wish(name))));
    line.found([offer('1'), offer('2', { reward: atomic(2_000n) })], true);
    assert.deepEqual(ids(polls), ['2', '1', undefined]);
    polls[2]?.callAway();
    assert.deepEqual(await Promise.all(polls.map(({ asleep }) => asleep)), [true, true, false]);
  });

  it('wakes as many polls as there are tasks', async () => {
    const line = openedLine();
    const polls = Array.from({ length: 20 }, (_, n) => sleep(line.enter(wish(`${n}`))));
    for (let n = 0; n < 7; n += 1) line.opened(offer(`${n}`));
    for (const { callAway } of polls) callAway();
    const woken = await Promise.all(polls.map(({ asleep }) => asleep));
    assert.deepEqual(
      woken,
      polls.map((_, n) => n < 7),
    );
    assert.equal(new Set(ids(polls.slice(0, 7))).size, 7, 'each has a task of its own');
  });

  it('passes a poll by whose wishes a task does not meet', () => {
    const line = openedLine();
    const polls = [
      wish('requester'),
      wish('dear', { minReward: '1001' }),
      wish('skilled', { skills: ['b'] }),
      wish('tagged', { tags: ['x'] }),
      wish('judged', { verification: 'requester' }),
      wish('fits', { skills: ['a', 'b'], tags: ['t', 'x'] }),
    ].map((each) => sleep(line.enter(each)));
    line.opened(offer('1', { requiredSkills: ['a'], tags: ['t'] }));
    assert.deepEqual(ids(polls), [...Array.from({ length: 5 }), '1']);
  });

  it('leaves a poll that lost where it stood', async () => {
    const line = openedLine();
    const first = line.enter(wish('first'));
    const tried = sleep(first);
    const second = sleep(line.enter(wish('second')));
    line.opened(offer('1'));
    assert.equal(await tried.asleep, true);
    line.left('1');
    first.pass();
    assert.deepEqual(ids([tried, second]), [undefined, undefined]);
    const again = sleep(first);
    line.opened(offer('2'));
    assert.deepEqual(ids([again, second]), ['2', undefined]);
  });

  it('hands on what a poll does not take, and what one had that left', () => {
    const line = openedLine();
    const [a, b, c] = ['a', 'b', 'c'].map((name) => sleep(line.enter(wish(name))));
    assert.ok(a && b && c);
    line.opened(offer('1'));
    a.place.pass();
    assert.deepEqual(ids([a, b, c]), [undefined, '1', undefined]);
    b.place.leave();
    assert.deepEqual(ids([a, c]), [undefined, '1']);
    assert.equal(line.size(), 2);
    line.left('1');
    c.place.leave();
    line.opened(offer('1'));
    assert.equal(a.place.offered()?.id, '1', 'a task that opens again is for everybody');
  });

  it('wakes a poll that waits for reserved tasks once they are decided', async () => {
    const line = openedLine();
    const first = line.enter(wish('first'));
    line.opened(offer('1'));
    assert.equal(first.offered()?.id, '1');
    const second = line.enter(wish('second'));
    assert.equal(second.offered(), undefined);
    assert.equal(second.mayTakeReserved(), true);
    const woken = second.sleep(
      (woken) => new Promise((resolve) => woken.addEventListener('abort', resolve)),
      'reserved',
    );
    line.left('1');
    await woken;
    assert.equal(second.mayTakeReserved(), false);
  });

  it('lets polls scan while more is queued than is known', async () => {
    const line = openLine();
    line.found([offer('1', { tags: ['other'] })], false);
    const place = line.enter(wish('a', { tags: ['mine'] }));
    assert.equal(place.offered(), undefined);
    assert.equal(place.mustScan(), true);
    await place.scan(({ skipped }) => Promise.resolve(skipped.add('2')));
    assert.equal(place.mustScan(), false, 'once is enough until the queue is read again');
    const poll = sleep(place);
    line.found([offer('1', { tags: ['other'] })], false);
    assert.equal(await poll.asleep, true);
    assert.equal(place.mustScan(), true);
  });

  it('offers a task that is about to be published, and remembers nothing of it', () => {
    const line = openedLine();
    const poll = sleep(line.enter(wish('a')));
    line.announced(offer('1'));
    assert.equal(poll.place.offered()?.id, '1');
    line.left('1');
    poll.place.pass();
    assert.equal(poll.place.offered(), undefined);
  });

  it('remembers no more than it has room for, the best paid', () => {
    const line = openedLine();
    const place = line.enter(wish('picky', { tags: ['x'] }));
    for (let n = 0; n < 500; n += 1) {
      line.opened(offer(`${n}`, { reward: atomic(BigInt(1_000 + n)) }));
    }
    assert.equal(place.mustScan(), true, 'the rest is looked for where it is kept');
    assert.equal(line.enter(wish('any')).offered()?.id, '499');
    assert.equal(line.enter(wish('poor', { minReward: '1000' })).offered()?.id, '498');
    const dear = Array.from({ length: 198 }, (_, n) => line.enter(wish(`${n}`)).offered()?.id);
    assert.equal(dear.at(-1), '300');
    assert.equal(line.enter(wish('late')).offered(), undefined);
  });
});
