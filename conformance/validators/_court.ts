import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Reader } from '../../db/store.ts';
import { policyAt } from '../../domain/httpsig/fixture.ts';
import { inspect } from '../../domain/httpsig/inspect.ts';
import type { Agent } from '../harness/agents.ts';
import { DATABASES } from '../harness/databases.ts';
import { at, mustOk } from '../harness/must.ts';
import type { TestHubOptions } from '../harness/hub.ts';
import { openFixture, type Fixture } from '../harness/fixture.ts';
import { publish, submit, type Body } from '../tasks/_work.ts';

/** The reaction of an endpoint to one call; a text is the whole answer, with status 200. */
export type Conduct = (call: JudgeRequest, response: ServerResponse) => string | void;

interface JudgeRequest {
  readonly body: Body;
  /** How often this endpoint was called before. */
  readonly nth: number;
  /** The key that signed, once the signature verified; undefined when it did not. */
  readonly signedBy?: string;
  readonly headers: IncomingMessage['headers'];
}

export interface Judge {
  readonly agent: Agent;
  readonly endpoint: string;
  readonly pair: string;
  /** Cases of panels that came in, synthetic ones aside. */
  readonly cases: Body[];
  readonly requests: JudgeRequest[];
  /** Sets its conduct from now on, also for synthetic cases when `scope` says so. */
  does(conduct: Conduct, scope?: 'synthetic too'): void;
}

/** A hub with judges that have seats and real endpoints, a pulse, and a requester with money. */
export interface PanelDriver {
  readonly world: Fixture;
  readonly judges: readonly Judge[];
  /** Lets the jobs of panels run until nothing is due. */
  sit(): Promise<void>;
  close(): Promise<void>;
}

export const accepts: Conduct = () => JSON.stringify({ verdict: 'accepted', reason: 'Fine.' });
export const rejects: Conduct = () => JSON.stringify({ verdict: 'rejected', reason: 'Wrong.' });
/** Closes the connection without a word. */
export const isSilent: Conduct = (_, response) => void response.destroy();

const STAKE = '1000000';
const FUNDS = '100000000';

interface Site {
  readonly pair: string;
  readonly endpoint: string;
  readonly cases: Body[];
  readonly requests: JudgeRequest[];
  does(conduct: Conduct, scope?: 'synthetic too'): void;
  close(): Promise<void>;
}

async function openSite(): Promise<Site> {
  let conduct: Conduct = accepts;
  let probed: Conduct = accepts;
  const requests: JudgeRequest[] = [];
  const cases: Body[] = [];
  const origin = { url: '' };
  const server = createServer((request, response) => {
    const pieces: Buffer[] = [];
    request.on('data', (piece: Buffer) => pieces.push(piece));
    request.on('end', () => {
      const bytes = Buffer.concat(pieces);
      const body = JSON.parse(bytes.toString()) as Body;
      const call = { body, nth: requests.length, headers: request.headers };
      requests.push({ ...call, ...signer(request, bytes, origin.url) });
      const synthetic = String(body['title']).startsWith('Synthetic case');
      if (!synthetic) cases.push(body);
      const answer = (synthetic ? probed : conduct)(requests.at(-1) ?? call, response);
      if (typeof answer === 'string') response.end(answer);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const pair = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  origin.url = `http://${pair}`;
  return {
    pair,
    endpoint: `http://${pair}/verdict`,
    cases,
    requests,
    does: (next, scope) => {
      conduct = next;
      probed = scope === undefined ? accepts : next;
    },
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

function signer(request: IncomingMessage, body: Uint8Array, origin: string): { signedBy?: string } {
  const created = /created=(\d+)/.exec(String(request.headers['signature-input']))?.[1];
  const { method = '', url: target = '', rawHeaders: headers } = request;
  const policy = policyAt(Number(created), { origins: [origin] });
  const verdict = inspect({ method, target, headers, body }, policy);
  return verdict.kind === 'verified' ? { signedBy: verdict.keyId } : {};
}

export interface CourtOptions extends TestHubOptions {
  readonly judges: number;
  /** The stake of each judge; 1 USDC when absent. */
  readonly stakes?: readonly string[];
  /** Without seats: judges register themselves. */
  readonly unseated?: boolean;
  /** Without the pulse that a draw needs. */
  readonly unpulsed?: boolean;
}

export async function openCourt(options: CourtOptions): Promise<PanelDriver> {
  const { judges: count, stakes = [], unseated = false, unpulsed = false, ...hubOptions } = options;
  const sites = await Promise.all(Array.from({ length: count }, openSite));
  const env = { ...hubOptions.env, HUB_ALLOW_PRIVATE_HOSTS: sites.map(({ pair }) => pair).join() };
  const world = await openFixture({ ...hubOptions, env });
  const { hub } = world;
  const judges: Judge[] = [];
  for (const [place, site] of sites.entries()) {
    const agent = await world.agent();
    await world.fund(agent, FUNDS);
    const judge = { agent, ...site };
    judges.push(judge);
    if (!unseated) await seat(judge, { stake: stakes[place] ?? STAKE });
  }
  await world.fund(world.alice, FUNDS);
  if (!unpulsed) await tick(world);
  await hub.runJob('seatProbes');
  return {
    world,
    judges,
    async sit() {
      for (let round = 0; round < 3; round += 1) {
        await hub.runJob('panels');
        await hub.runJob('panelCalls');
      }
    },
    async close() {
      await world.close();
      await Promise.all(sites.map((site) => site.close()));
    },
  };
}

/** A minute passes, and its pulse is issued. */
export async function tick({ hub }: Fixture): Promise<void> {
  hub.clock.advance(60);
  await hub.runJob('pulse');
}

export async function seat({ agent, endpoint }: Judge, over: Body = {}): Promise<Body> {
  const body = { account: agent.account, endpoint, ...over };
  return mustOk(await agent.post('/api/v1/validators', body));
}

/** A task for a panel, with bob's result in front of it. */
export async function delivered(
  { world }: PanelDriver,
  over: Body = {},
  result: unknown = 'The work.',
): Promise<string> {
  const task = await publish(world.alice, { verification: 'validator', ...over });
  mustOk(await submit(world.bob, task.id, result));
  return task.id;
}

export async function panels({ world }: PanelDriver, id: string): Promise<readonly Body[]> {
  return mustOk(await world.anyone.get(`/api/v1/tasks/${id}`))['panels'] as Body[];
}

/** Real endpoints, on a machine that others use too. */
export const COURT_MS_MAX = 120_000;

/** Defines a suite twice; `url` answers a fresh database of its kind each time. */
export function onEachDatabase(title: string, define: (url: () => Promise<string>) => void): void {
  for (const [name, url] of DATABASES) {
    describe(`${title} (${name})`, function suite() {
      this.timeout(COURT_MS_MAX);
      define(url);
    });
  }
}

/** Karma of an account, as everybody reads it. */
export async function karmaOf({ world }: PanelDriver, { keyId }: Agent): Promise<unknown> {
  const path = `/api/v1/passport/${keyId}/karma`;
  return at(mustOk(await world.anyone.get(path)), 'total');
}

/** The judge of an account that a panel shows. */
export function judgeBy(driver: PanelDriver, account: unknown): Judge {
  const found = driver.judges.find(({ agent }) => agent.account === account);
  if (found === undefined) throw new Error('no judge has this account');
  return found;
}

/** Returns the shown outcome of each drawn judge, in draw order. */
export function shown(panel: unknown): readonly unknown[] {
  return (at(panel, 'judges') as Body[]).map(({ state, verdict }) => verdict ?? state);
}

/** The public record of one judge. */
export async function recordOf(driver: PanelDriver, { agent }: Judge): Promise<Body> {
  const page = mustOk(await driver.world.anyone.get('/api/v1/validators?limit=200'));
  const found = (page['validators'] as Body[]).find((each) => each['account'] === agent.account);
  if (found === undefined) throw new Error('the judge has no seat');
  return found;
}

/** Returns how many votes are in, of all panels: they are sealed, so no answer shows them. */
export async function votesIn(db: Reader): Promise<number> {
  const rows = await db
    .knex('panel_seats')
    .where({ state: 'voted' })
    .count<{ n: number }[]>({ n: '*' });
  return Number(rows[0]?.n ?? 0);
}
