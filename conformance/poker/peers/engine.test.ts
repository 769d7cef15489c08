import assert from 'node:assert/strict';
import { compareHand, type Parting } from './compare.ts';
import { randomSource } from './counts.ts';

/**
 * The engine beside poker-ts, hand by hand: turns, chips, legal moves, pots, winners and stacks are
 * the same wherever the two follow one rule (`compare.ts` says where they do not).
 * `npm run poker:peer` plays a million hands.
 */
const HANDS = Number(process.env['POKER_HANDS'] ?? 2_000);
const random = randomSource(412);

describe('the engine beside poker-ts', function suite() {
  this.timeout(60_000 + HANDS * 5);
  it(`has the same turns, chips, moves, pots and winners over ${HANDS} hands`, () => {
    let [moves, paid, showdowns, sidePots] = [0, 0, 0, 0];
    const partings = new Map<Parting, number>();
    for (let nth = 0; nth < HANDS; nth += 1) {
      const compared = compareHand(random);
      moves += compared.moves;
      for (const each of compared.partings) partings.set(each, (partings.get(each) ?? 0) + 1);
      if (!compared.paid) continue;
      paid += 1;
      showdowns += compared.isShowdown ? 1 : 0;
      sidePots += compared.potCount > 1 ? 1 : 0;
    }
    const apart = [...partings].map(([name, hands]) => `${name} ${hands}`).join(', ');
    console.log(
      `      ${moves} moves; ${paid} hands paid the same (${showdowns} showdowns, ${sidePots} with side pots); apart: ${apart}`,
    );
    assert.ok(paid > HANDS * 0.6, `${paid} of ${HANDS} hands were compared to the last chip`);
    assert.ok(showdowns > HANDS * 0.1, `${showdowns} showdowns`);
    assert.ok(sidePots > 0 && moves > HANDS * 2);
  });
});
