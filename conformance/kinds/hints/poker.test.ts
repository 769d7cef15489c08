import assert from 'node:assert/strict';
import { errorTable } from '../../../generated/errors.ts';
import { houseAccount } from '../../../domain/account.ts';
import { operations } from '../../harness/contract.ts';
import { openFixture, type Fixture } from '../../harness/fixture.ts';
import { accountOf, move } from '../../services/_lend.ts';
import { followed, type Meets } from './_follow.ts';
import { BUY_INS } from './_pokerBuyIns.ts';
import { MOVING } from './_pokerMoves.ts';
import { SEATS } from './_pokerSeats.ts';
import { OPENING } from './_pokerTables.ts';

const MEETS: Meets = { ...OPENING, ...BUY_INS, ...SEATS, ...MOVING };

/** Play money has no faucet: the operator issues it. */
async function openPlay(): Promise<Fixture> {
  const world = await openFixture({ env: { HUB_NETWORK: 'play' } });
  const from = houseAccount('external:issuance');
  const fund: Fixture['fund'] = (agent, amount) =>
    move(world, 'play', { from, to: accountOf(agent), amount: BigInt(amount), reason: 'issue' });
  return { ...world, fund };
}

followed('poker on the sandbox', { meets: MEETS, open: openFixture, purse: '9000000' });
followed('poker on play money', { meets: MEETS, open: openPlay, purse: '9000000' });

describe('the followed hints of poker', () => {
  it('are of every refusal that its operations list', () => {
    const listed = operations
      .filter(({ operationId }) => operationId.startsWith('poker.'))
      .flatMap(({ operationId, raw }) =>
        (raw['x-errors'] as readonly (keyof typeof errorTable)[])
          .filter((code) => errorTable[code].applies === 'specific')
          .map((code) => `${operationId} ${code}`),
      );
    const matched = Object.keys(MEETS);
    assert.ok(listed.length > 20);
    assert.deepEqual(
      listed.filter((each) => !matched.some((key) => `${key} `.startsWith(`${each} `))),
      [],
    );
  });
});
