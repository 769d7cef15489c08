import assert from 'node:assert/strict';
import { runCli } from '../../server/cli.ts';
import type { Fixture } from '../harness/fixture.ts';

/** Runs `hubctl` on the database of a hub, and the jobs that read it in each of its processes. */
export async function hubctl(
  worlds: readonly Fixture[],
  ...words: readonly string[]
): Promise<{ readonly code: number; readonly output: string }> {
  const [first] = worlds;
  assert.ok(first !== undefined);
  const { databaseUrl, dataDir } = first.hub.running.hub.settings;
  let output = '';
  const env = { HUB_DATABASE_URL: databaseUrl, HUB_DATA_DIR: dataDir };
  const code = await runCli(words, env, (text) => (output += text));
  for (const { hub } of worlds) {
    for (const job of ['moderationCheck', 'enforceDecisions', 'pauseCheck']) await hub.runJob(job);
  }
  return { code, output };
}

/** Decides and returns the id of the decision. */
export async function decide(
  worlds: readonly Fixture[],
  ...words: readonly string[]
): Promise<string> {
  const { code, output } = await hubctl(worlds, ...words);
  assert.equal(code, 0, output);
  const [, id] = /^decision (\S+) /.exec(output) ?? [];
  assert.ok(id !== undefined, output);
  return id;
}
