import type { Account } from '../../domain/account.ts';
import type { WorldPaths } from '../http/app.ts';
import { logFailure } from '../../workflows/kernel/logFailure.ts';
import {
  ADDRESS_WORLDS_MAX,
  IDLE_SECONDS_MAX,
  WORLDS_PATH,
  type Worlds,
} from '../../workflows/kernel/worlds.ts';
import { openWorld, type RunningWorld, type WorldParts } from './world.ts';

export interface RunningWorlds extends Worlds, WorldPaths {
  /** Ends all worlds; none is opened afterwards. */
  end(): Promise<void>;
}

interface Place {
  readonly address: string;
  readonly opening: Promise<RunningWorld>;
  usedAt: number;
}

const ID = /^[a-f0-9]{32}(?=[/?]|$)/;
const LOOK_MS = 10_000;

/** The test worlds of this process: separate hubs that share its rate limits and memory budgets. */
export function openWorlds(parts: WorldParts): RunningWorlds {
  const { settings, log, clock } = parts;
  const places = new Map<Account, Place>();
  const byId = new Map<string, { readonly world: RunningWorld; readonly place: Place }>();
  let isOver = false;
  const close = async (account: Account): Promise<boolean> => {
    const place = places.get(account);
    const world = await place?.opening;
    // Among two that close it at once, one does.
    if (world === undefined || !byId.delete(world.id)) return false;
    places.delete(account);
    await world.end();
    return true;
  };
  const worldOf = async (account: Account): Promise<RunningWorld | undefined> => {
    const place = places.get(account);
    const world = await place?.opening;
    if (place === undefined || world === undefined) return undefined;
    const now = clock.wall();
    if (now < world.endsAt && now < place.usedAt + IDLE_SECONDS_MAX * 1000) return world;
    await close(account);
    return undefined;
  };
  const look = setInterval(() => {
    for (const account of places.keys()) {
      worldOf(account).catch((error: unknown) => logFailure(log, error, 'a test world stays'));
    }
  }, LOOK_MS);
  look.unref();
  const begin = async (account: Account, place: Place): Promise<RunningWorld> => {
    places.set(account, place);
    try {
      const world = await place.opening;
      byId.set(world.id, { world, place });
      return world;
    } catch (error) {
      places.delete(account);
      throw error;
    }
  };
  return {
    of: worldOf,
    async open(account, address) {
      const known = await worldOf(account);
      if (known !== undefined) return { world: known };
      if (settings.worldsMax === 0 || isOver) return { refused: 'off' };
      const here = [...places.values()].filter((place) => place.address === address);
      if (here.length >= ADDRESS_WORLDS_MAX) return { refused: 'address-full' };
      if (places.size >= settings.worldsMax) return { refused: 'full' };
      const place = { address, opening: openWorld(parts), usedAt: clock.wall() };
      return { world: await begin(account, place) };
    },
    close,
    at(target) {
      if (!target.startsWith(WORLDS_PATH)) return undefined;
      const found = byId.get(ID.exec(target.slice(WORLDS_PATH.length))?.[0] ?? '');
      if (found === undefined) return undefined;
      found.place.usedAt = clock.wall();
      return found.world.listener;
    },
    async end() {
      isOver = true;
      clearInterval(look);
      await Promise.all([...places.keys()].map(close));
    },
  };
}
