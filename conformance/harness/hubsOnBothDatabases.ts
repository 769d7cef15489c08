import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FakeClock } from './clock.ts';
import { DATABASES } from './databases.ts';
import { openFixture, type Fixture } from './fixture.ts';

/** Opens a hub on the database of the suite; several are processes that share it. */
export type OpenHere = (options?: {
  readonly clock?: FakeClock;
  readonly env?: Readonly<Record<string, string>>;
}) => Promise<Fixture>;

/** First start creates the cluster. */
const START_MS_MAX = 60_000;

export function hubsOnBothDatabases(
  title: string,
  define: (open: OpenHere, url: () => string) => void,
): void {
  for (const [database, freshUrl] of DATABASES) {
    describe(`${title} (${database})`, () => {
      let folder = '';
      let url = '';
      const opened: Fixture[] = [];
      before(async function start() {
        this.timeout(START_MS_MAX);
        folder = await mkdtemp(join(tmpdir(), 'hub-test-'));
        url = await freshUrl(folder);
      });
      define(
        async (options = {}) => {
          const env = { HUB_DATA_DIR: join(folder, 'data'), ...options.env };
          const world = await openFixture({ databaseUrl: url, ...options, env });
          opened.push(world);
          return world;
        },
        () => url,
      );
      after(async () => {
        for (const world of opened.splice(0)) await world.close();
        await rm(folder, { recursive: true, force: true });
      });
    });
  }
}
