import assert from 'node:assert/strict';
import { mustOk } from '../harness/must.ts';
import { onEachDatabase, openCourt, type PanelDriver } from '../validators/_court.ts';
import { arbiterOf, disputed } from '../tasks/_disputing.ts';
import { act, claim, publish, type Body } from '../tasks/_work.ts';
import type { Agent } from '../harness/agents.ts';

/** The kinds of "your turn" that an account has, each with its subject. */
async function turns(agent: Agent): Promise<readonly Body[]> {
  const { events } = mustOk(
    await agent.get('/api/v1/me/events?types=lease.your-turn,dispute.your-turn'),
  );
  return events as Body[];
}

onEachDatabase('events of a turn', (url) => {
  let driver: PanelDriver;
  before(async () => {
    driver = await openCourt({ databaseUrl: await url(), judges: 3 });
  });
  after(() => driver.close());

  it('warn a holder once for each end of its lease, and not after the delivery', async () => {
    const { hub, alice } = driver.world;
    const bob = await driver.world.agent();
    const { id } = await publish(alice);
    const claimToken = await claim(bob, id);
    await hub.runJob('claimWarnings');
    assert.deepEqual(await turns(bob), []);
    hub.clock.advance(1_600);
    await hub.runJob('claimWarnings');
    await hub.runJob('claimWarnings');
    const [first, ...more] = await turns(bob);
    assert.deepEqual([first?.['kind'], first?.['taskId'], more], ['lease.your-turn', id, []]);
    assert.equal(Date.parse(String(first?.['until'])), hub.clock.now() + 200_000);
    await claim(bob, id);
    await hub.runJob('claimWarnings');
    assert.equal((await turns(bob)).length, 1, 'the renewed lease has time');
    hub.clock.advance(1_600);
    await hub.runJob('claimWarnings');
    assert.equal((await turns(bob)).length, 2);
    mustOk(await act(bob, id, 'submit', { claimToken, result: 'done' }));
    hub.clock.advance(100);
    await hub.runJob('claimWarnings');
    assert.equal((await turns(bob)).length, 2);
  });

  it('reach the arbiter who was drawn, with the end of its time', async () => {
    const { id } = await disputed(driver, {});
    const mine = (await turns(await arbiterOf(driver, id))).filter(({ taskId }) => taskId === id);
    assert.deepEqual(
      mine.map(({ kind }) => kind),
      ['dispute.your-turn'],
    );
    assert.match(String(mine[0]?.['until']), /Z$/);
  });
});
