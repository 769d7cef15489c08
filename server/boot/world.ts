import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import type { RequestListener } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { instant, plus, seconds } from '../../domain/instant.ts';
import { handlers } from '../../handlers/index.ts';
import { openAnswersUnderWay } from '../http/answersUnderWay.ts';
import { createApp } from '../http/app.ts';
import { assemble, type Assembly, type AssemblyOptions } from './assemble.ts';
import { makeDataFolder } from './dataFolder.ts';
import type { Clock } from '../../workflows/kernel/clock.ts';
import type { Flight } from '../../workflows/kernel/flight.ts';
import type { Settings } from '../../workflows/kernel/settings.ts';
import {
  WORLD_SECONDS_MAX,
  WORLDS_PATH,
  type World,
  type Worlds,
} from '../../workflows/kernel/worlds.ts';
import { NO_AGENTS } from '../dispatch/sandboxMarks.ts';

export interface WorldParts extends Pick<AssemblyOptions, 'log' | 'limits' | 'outbound' | 'clock'> {
  readonly settings: Settings;
  readonly flight: Flight;
}

export interface RunningWorld extends World {
  readonly id: string;
  readonly listener: RequestListener;
  /** Lets requests under way end, closes the hub and deletes its folder. */
  end(): Promise<void>;
}

/** A world opens none itself. */
const NO_WORLDS: Worlds = {
  of: () => Promise.resolve(undefined),
  open: () => Promise.resolve({ refused: 'off' }),
  close: () => Promise.resolve(false),
};
/** How long requests under way may take once a world ends. */
const ENDING_MS_MAX = 5_000;
const ENDING_LOOK_MS = 20;
/** Bytes of embeddings of a world that are kept in memory for searches. */
const CACHE_BYTES = 16_777_216;
/** Parts in which time passes: what is decided in one has consequences that fall due in another. */
const STEPS = 4;

/** A hub with a SQLite file, keys and a clock of its own, below a path that cannot be guessed. */
export async function openWorld(parts: WorldParts): Promise<RunningWorld> {
  const { limits, flight, clock: wallClock } = parts;
  const id = randomBytes(16).toString('hex');
  const below = `${WORLDS_PATH}${id}`;
  const folder = await mkdtemp(join(tmpdir(), `hub-world-${process.pid}-`));
  const settings = settingsOf(parts.settings, folder, below);
  const { clock, advance } = openClock(wallClock);
  const assembly = await open({ ...parts, settings, clock }).catch(async (error: unknown) => {
    await rm(folder, { recursive: true, force: true });
    throw error;
  });
  const { hub, driver, identities } = assembly;
  const app = createApp({ hub, flight, limits, handlers, identities, below });
  const serve = app.callback();
  const underWay = openAnswersUnderWay();
  const openedAt = wallClock.wall();
  let line: Promise<void> = Promise.resolve();
  driver.start();
  return {
    id,
    url: settings.baseUrl,
    openedAt,
    endsAt: plus(openedAt, seconds(WORLD_SECONDS_MAX)),
    now: () => clock.now(),
    aheadSeconds: () => Math.round((clock.now() - clock.wall()) / 1000),
    listener(request, response) {
      underWay.add(request, response);
      void serve(request, response);
    },
    advance(wholeSeconds) {
      const target = (step: number): number => Math.round((wholeSeconds * step) / STEPS);
      line = line.then(async () => {
        for (let step = 1; step <= STEPS; step += 1) {
          advance(target(step) - target(step - 1));
          for (const name of driver.ownWork) await driver.runOnce(name);
        }
        // A result of one job is work for another.
        for (const name of driver.ownWork) await driver.runOnce(name);
      });
      return line;
    },
    async end() {
      assembly.leave();
      await driver.stop();
      await line;
      const latest = performance.now() + ENDING_MS_MAX;
      while (underWay.all().length > 0 && performance.now() < latest) {
        await sleep(ENDING_LOOK_MS);
        // One may have begun to wait since.
        hub.notifier.releaseAll();
      }
      for (const response of underWay.all()) response.destroy();
      await assembly.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function open(options: WorldParts & { readonly settings: Settings }): Promise<Assembly> {
  makeDataFolder(options.settings);
  const { settings, clock, log, limits, outbound } = options;
  return assemble({
    settings,
    clock,
    log,
    limits,
    outbound,
    worlds: NO_WORLDS,
    sandboxAgents: NO_AGENTS,
    clientPackage: undefined,
    allowTestKey: false,
    comparesClock: false,
  });
}

/** The settings of the hub, without whatever costs its operator money or belongs to its data. */
function settingsOf(given: Settings, folder: string, below: string): Settings {
  const { host, port, databaseConnections, logLevel, accessLog, traceBatches, rateLimits } = given;
  const { checkAnswers, allowPrivateHosts, trustedProxies, drainMs, diskLowBytes } = given;
  return {
    host,
    port,
    databaseConnections,
    logLevel,
    accessLog,
    traceBatches,
    rateLimits,
    checkAnswers,
    allowPrivateHosts,
    trustedProxies,
    drainMs,
    diskLowBytes,
    baseUrl: `${given.baseUrl}${below}`,
    databaseUrl: `sqlite:${join(folder, 'hub.sqlite')}`,
    dataDir: folder,
    network: 'sandbox',
    faucetEnabled: true,
    sandboxAgents: false,
    logWitnesses: [],
    crawlFeeds: [],
    models: [],
    memoryCacheBytes: CACHE_BYTES,
    worldsMax: 0,
  };
}

/** A clock that goes as the other one does, and ahead of it. */
function openClock(wall: Clock): { readonly clock: Clock; advance(wholeSeconds: number): void } {
  let aheadMs = 0;
  return {
    clock: {
      now: () => instant(wall.wall() + aheadMs),
      wall: () => wall.wall(),
      elapsedMs: () => wall.elapsedMs() + aheadMs,
    },
    advance: (wholeSeconds) => void (aheadMs += wholeSeconds * 1000),
  };
}
