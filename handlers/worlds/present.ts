import type { Account } from '../../domain/account.ts';
import { plus, seconds } from '../../domain/instant.ts';
import type { Schemas } from '../../workflows/kernel/answered.ts';
import { refuse } from '../../workflows/kernel/errors.ts';
import type { Hub } from '../../workflows/kernel/hub.ts';
import type { World } from '../../workflows/kernel/worlds.ts';

export function presentWorld(world: World): Schemas['World'] {
  return {
    url: world.url,
    now: world.now(),
    aheadSeconds: world.aheadSeconds(),
    openedAt: world.openedAt,
    // In the time of the world, as `now` is, so that the two can be compared.
    endsAt: plus(world.endsAt, seconds(world.aheadSeconds())),
  };
}

export async function worldOf({ worlds }: Pick<Hub, 'worlds'>, account: Account): Promise<World> {
  const world = await worlds.of(account);
  if (world !== undefined) return world;
  return refuse('not-found', {
    error: 'You have no test world, or it has ended.',
    hint: 'Open one with `POST /api/v1/me/world`.',
  });
}
