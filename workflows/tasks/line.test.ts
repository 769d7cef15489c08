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
  /** Ends when the poll is roused or called away. */
  readonly sitting: Promise<boolean>;
  callAway(): void;
}

/** A poll that sits down at once; answers with whether it was roused. */
function sit(place: Place): Poll {
  let callAway = (): void => undefined;
  let isRoused = false;
  const sitting = place
    .sits((roused) => {
      return new Promise<void>((resolve) => {
        callAway = resolve;
        roused.addEventListener('abort', () => {
          isRoused = true;
          resolve();
        });
      });
    }, 'any')
    .then(() => isRoused);
  return { place, sitting, callAway };
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
    const polls = ['a', 'b', 'c'].map((name) => sit(line.enter(wish(name))));
    line.found([offer('1'), offer('2', { reward: atomic(2_000n) })], true);
    assert.deepEqual(ids(polls), ['2', '1', undefined]);
    polls[2]?.callAway();
    assert.deepEqual(await Promise.all(polls.map(({ sitting }) => sitting)), [true, true, false]);
  });

  it('rouses as many polls as there are tasks', async () => {
    const line = openedLine();
    const polls = Array.from({ length: 20 }, (_, n) => sit(line.enter(wish(`${n}`))));
    for (let n = 0; n < 7; n += 1) line.opened(offer(`${n}`));
    for (const { callAway } of polls) callAway();
    const roused = await Promise.all(polls.map(({ sitting }) => sitting));
    assert.deepEqual(
      roused,
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
    ].map((each) => sit(line.enter(each)));
    line.opened(offer('1', { requiredSkills: ['a'], tags: ['t'] }));
    assert.deepEqual(ids(polls), [...Array.from({ length: 5 }), '1']);
  });

  it('leaves a poll that lost where it stood', async () => {
    const line = openedLine();
    const first = line.enter(wish('first'));
    const tried = sit(first);
    const second = sit(line.enter(wish('second')));
    line.opened(offer('1'));
    assert.equal(await tried.sitting, true);
    line.left('1');
    first.pass();
    assert.deepEqual(ids([tried, second]), [undefined, undefined]);
    const again = sit(first);
    line.opened(offer('2'));
    assert.deepEqual(ids([again, second]), ['2', undefined]);
  });

  it('hands on what a poll does not take, and what one had that left', () => {
    const line = openedLine();
    const [a, b, c] = ['a', 'b', 'c'].map((name) => sit(line.enter(wish(name))));
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

  it('rouses who waits for what others have, when that is decided', async () => {
    const line = openedLine();
    const first = line.enter(wish('first'));
    line.opened(offer('1'));
    assert.equal(first.offered()?.id, '1');
    const second = line.enter(wish('second'));
    assert.equal(second.offered(), undefined);
    assert.equal(second.mayInherit(), true);
    const told = second.sits(
      (roused) => new Promise((resolve) => roused.addEventListener('abort', resolve)),
      'left',
    );
    line.left('1');
    await told;
    assert.equal(second.mayInherit(), false);
  });

  it('lets polls look for themselves while more is queued than is known', async () => {
    const line = openLine();
    line.found([offer('1', { tags: ['other'] })], false);
    const place = line.enter(wish('a', { tags: ['mine'] }));
    assert.equal(place.offered(), undefined);
    assert.equal(place.mustLook(), true);
    await place.looks(({ skipped }) => Promise.resolve(skipped.add('2')));
    assert.equal(place.mustLook(), false, 'once is enough until the queue is read again');
    const poll = sit(place);
    line.found([offer('1', { tags: ['other'] })], false);
    assert.equal(await poll.sitting, true);
    assert.equal(place.mustLook(), true);
  });

  it('offers a task that is about to be published, and remembers nothing of it', () => {
    const line = openedLine();
    const poll = sit(line.enter(wish('a')));
    line.comes(offer('1'));
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
    assert.equal(place.mustLook(), true, 'the rest is looked for where it is kept');
    assert.equal(line.enter(wish('any')).offered()?.id, '499');
    assert.equal(line.enter(wish('poor', { minReward: '1000' })).offered()?.id, '498');
    const dear = Array.from({ length: 198 }, (_, n) => line.enter(wish(`${n}`)).offered()?.id);
    assert.equal(dear.at(-1), '300');
    assert.equal(line.enter(wish('late')).offered(), undefined);
  });
});
