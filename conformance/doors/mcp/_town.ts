import { mustOk } from '../../harness/must.ts';
import type { Fixture } from '../../harness/fixture.ts';

/** Funds Alice and publishes work of hers that any account may claim; returns its title. */
export async function publishWork(world: Fixture): Promise<string> {
  const { alice } = world;
  await world.fund(alice, '5000000');
  const title = 'Do it';
  const acceptance = { kind: 'contains', values: ['done'] };
  const body = { requester: alice.account, title, rewardAmount: '1000', acceptance };
  mustOk(await alice.post('/api/v1/tasks', body));
  return title;
}
