import assert from 'node:assert/strict';
import { plantAnswer } from '../../workflows/validators/plant.ts';
import { mustOk } from '../harness/must.ts';
import { act, publish, type Body } from '../tasks/_work.ts';
import { tick, type PanelDriver } from './_court.ts';

const HOUR_SECONDS = 3_600;

/** Lets an hour pass, after which the figures of judges are computed. */
export async function measure({ world }: PanelDriver): Promise<void> {
  world.hub.clock.advance(HOUR_SECONDS);
  await world.hub.runJob('judgeMeasures');
  await tick(world);
}

/** A delivered task whose answer the operator noted between claim and delivery. */
export async function planted(
  { world }: PanelDriver,
  answer: 'accepted' | 'rejected',
  over: Body = {},
): Promise<string> {
  const { alice, bob, hub } = world;
  const { id } = await publish(alice, { verification: 'validator', ...over });
  const claimed = mustOk(await act(bob, id, 'claim', { agentId: bob.account }));
  const { claimToken } = claimed;
  const attemptId = String(claimed['attemptId']);
  const noted = await hub.running.hub.store.write((tx) =>
    plantAnswer(hub.running.hub, tx, { attemptId, answer }),
  );
  assert.ok('done' in noted, JSON.stringify(noted));
  mustOk(await act(bob, id, 'submit', { claimToken, result: 'The work.' }));
  return id;
}
