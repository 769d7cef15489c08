import type { Agent, Answer } from '../harness/agents.ts';
import { mustOk } from '../harness/must.ts';
import { openFixture, type Fixture } from '../harness/fixture.ts';
import { fill, listing, set } from './_index.ts';

/** A hub with one listing, which Bob holds, and accounts that report it. */
export type Body = Record<string, unknown>;
export interface ReportedFixture {
  readonly world: Fixture;
  readonly agentId: string;
  readonly path: string;
  report(by: Agent, body?: Body): Promise<Answer>;
  /** The listing as everybody reads it. */
  shown(): Promise<Body>;
  reports(query?: string): Promise<Body>;
}

export async function openReported(
  databaseUrl: string,
  env: Readonly<Record<string, string>> = {},
): Promise<ReportedFixture> {
  const world = await openFixture({ databaseUrl, env });
  const desk = listing('desk.example');
  const agentId = desk.listing.id;
  await fill(world, [desk]);
  await set(world, agentId, { verification: 'endpoint', passport_key_id: world.bob.keyId });
  const path = `/api/v1/agents/${agentId}/reports`;
  return {
    world,
    agentId,
    path,
    report: (by, body = {}) =>
      by.post(path, { reporter: by.account, reason: 'inaccurate', ...body }),
    shown: async () => mustOk(await world.anyone.get(`/api/v1/agents/${agentId}`)),
    reports: async (query = '') => mustOk(await world.anyone.get(`${path}${query}`)),
  };
}
