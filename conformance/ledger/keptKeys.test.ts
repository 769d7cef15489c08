import assert from 'node:assert/strict';
import { supplyNow } from '../../db/ledger/supply.ts';
import type { NetworkId } from '../../domain/network.ts';
import { issueHouseMoney } from '../../workflows/wallet/houseMoney.ts';
import { openFixture } from '../harness/fixture.ts';
import { mustOk } from '../harness/must.ts';
import { walletPath } from '../wallet/_signed.ts';

const YEAR = 365 * 86_400;
const PLACE = { network: 'sandbox' as NetworkId, asset: 'USDC' };

describe('idempotency records', () => {
  it('are kept for a year, and those of the house for longer', async () => {
    const world = await openFixture();
    const { alice, bob, hub } = world;
    await world.fund(alice, '5000');
    const body = { to: bob.account, amount: '1000', idempotencyKey: 'once' };
    const pay = async (): Promise<unknown> =>
      mustOk(await alice.post(`${walletPath(alice)}/pay`, body))['transferId'];
    const first = await pay();
    hub.clock.advance(YEAR);
    await hub.runJob('housekeeping');
    assert.equal(await pay(), first);
    hub.clock.advance(1);
    await hub.runJob('housekeeping');
    assert.notEqual(await pay(), first);
    const supply = () => hub.running.hub.store.read((db) => supplyNow(db, PLACE));
    const before = await supply();
    await issueHouseMoney(hub.running.hub);
    assert.deepEqual(await supply(), before);
    await world.close();
  });
});
