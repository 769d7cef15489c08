import assert from 'node:assert/strict';
import { firstPositions, nextPositions } from './button.ts';
import { blindsOfLevel, bustPlaces, levelOf, prizesBySeat, prizesOf } from './tournament.ts';

describe('TDA 32: the dead button', () => {
  it('draws the button among the players of the first hand', () => {
    assert.deepEqual(firstPositions([2, 5, 7], 1), {
      button: 5,
      smallBlindSeat: 7,
      bigBlindSeat: 2,
      smallBlindPosition: 7,
      players: [2, 5, 7],
    });
    assert.equal(firstPositions([2, 5], 0).smallBlindSeat, 2);
    assert.deepEqual(firstPositions([7, 2, 5], 2).button, 7);
  });

  it('needs two players', () => {
    const before = { smallBlindPosition: 1, bigBlindSeat: 2 };
    for (const deal of [
      () => firstPositions([2], 0),
      () => firstPositions([], 0),
      () => nextPositions(before, [2], []),
      () => nextPositions(before, [], []),
    ]) {
      assert.throws(deal, /^RangeError: a hand needs two players$/);
    }
  });

  it('moves the big blind to the next player, and the rest follows', () => {
    const before = { smallBlindPosition: 1, bigBlindSeat: 2 };
    assert.deepEqual(nextPositions(before, [1, 2, 3, 4], []), {
      button: 1,
      smallBlindSeat: 2,
      bigBlindSeat: 3,
      smallBlindPosition: 2,
      players: [1, 2, 3, 4],
    });
  });

  it('leaves the small blind dead when last hand its big blind went', () => {
    const next = nextPositions({ smallBlindPosition: 1, bigBlindSeat: 2 }, [1, 3, 4], []);
    assert.deepEqual([next.button, next.smallBlindSeat, next.bigBlindSeat], [1, undefined, 3]);
  });

  it('puts the button on an empty seat when the small blind of last hand went', () => {
    const next = nextPositions({ smallBlindPosition: 1, bigBlindSeat: 2 }, [2, 3, 4], []);
    assert.deepEqual([next.button, next.smallBlindSeat, next.bigBlindSeat], [1, 2, 3]);
  });

  it('TDA 34-B: going heads-up, no seat has the big blind twice in a row', () => {
    const afterThree = nextPositions({ smallBlindPosition: 1, bigBlindSeat: 2 }, [1, 2], []);
    assert.deepEqual([afterThree.button, afterThree.bigBlindSeat], [2, 1]);
    const bustedBlind = nextPositions({ smallBlindPosition: 1, bigBlindSeat: 2 }, [1, 3], []);
    assert.deepEqual([bustedBlind.button, bustedBlind.bigBlindSeat], [1, 3]);
  });

  it('deals a newcomer in when the big blind reaches the seat, and not before', () => {
    const before = { smallBlindPosition: 1, bigBlindSeat: 3 };
    assert.deepEqual(nextPositions(before, [1, 3], [2]).players, [1, 3]);
    const reached = nextPositions({ smallBlindPosition: 3, bigBlindSeat: 1 }, [1, 3], [2]);
    assert.deepEqual([reached.players, reached.bigBlindSeat], [[1, 2, 3], 2]);
  });

  it('gives every seat the big blind once a round while players come and go', () => {
    let before = { smallBlindPosition: 9, bigBlindSeat: 1 };
    const seats = [1, 2, 4, 5, 8];
    const paid: number[] = [];
    for (let hand = 0; hand < 10; hand += 1) {
      const next = nextPositions(before, seats, []);
      paid.push(next.bigBlindSeat);
      before = next;
    }
    assert.deepEqual(paid, [2, 4, 5, 8, 1, 2, 4, 5, 8, 1]);
  });
});

describe('sit-and-go', () => {
  it('raises the blinds every ten hands, and after the table by half to the next hundred', () => {
    assert.deepEqual([1, 10, 11, 130, 131].map(levelOf), [1, 1, 2, 13, 14]);
    assert.deepEqual(blindsOfLevel(2), { smallBlind: 15n, bigBlind: 30n });
    assert.deepEqual(blindsOfLevel(13), { smallBlind: 1000n, bigBlind: 2000n });
    assert.deepEqual(blindsOfLevel(14), { smallBlind: 1500n, bigBlind: 3000n });
    assert.deepEqual(blindsOfLevel(15), { smallBlind: 2300n, bigBlind: 4500n });
    assert.deepEqual(blindsOfLevel(17), { smallBlind: 5300n, bigBlind: 10_200n });
  });

  it('raises no blind further that is above all the chips of a table', () => {
    const last = { smallBlind: 8000n, bigBlind: 15_300n };
    for (const level of [18, 19, 1_000]) assert.deepEqual(blindsOfLevel(level), last);
  });

  it('gives out the buy-ins to the unit', () => {
    for (const seats of [1, 10]) {
      assert.throws(() => prizesOf(seats, 1n), new RangeError(`no prizes for ${seats} seats`));
    }
    assert.deepEqual(prizesOf(3, 3003n), [3003n]);
    assert.deepEqual(prizesOf(6, 6007n), [3905n, 2102n]);
    assert.deepEqual(prizesOf(9, 9001n), [4501n, 2700n, 1800n]);
    for (let seats = 2; seats <= 9; seats += 1) {
      const prizes = prizesOf(seats, 12_347n);
      assert.equal(
        prizes.reduce((sum, prize) => sum + prize, 0n),
        12_347n,
      );
    }
  });

  it('ranks those who bust together by their stacks, and lets equals share', () => {
    const finishes = bustPlaces(
      [
        { seat: 4, startStack: 500 },
        { seat: 2, startStack: 500 },
        { seat: 7, startStack: 900 },
      ],
      4,
    );
    assert.deepEqual(finishes, [
      { seat: 4, place: 3 },
      { seat: 2, place: 3 },
      { seat: 7, place: 2 },
    ]);
    const won = prizesBySeat([...finishes, { seat: 1, place: 1 }], [500n, 300n, 201n]);
    assert.deepEqual(Object.fromEntries(won), { 1: 500n, 2: 101n, 4: 100n, 7: 300n });
  });
});
