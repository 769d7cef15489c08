import { setTimeout as sleep } from 'node:timers/promises';
import { newAccount } from './account.mjs';
import { TOOL } from './place.mjs';

/**
 * The state that must exist for operations on listings, passports and judges. The holder of a
 * listing beside Alice is Dora, since a domain that two have proved links them, and linked accounts
 * do no work for each other.
 */
/** A seat is tried in the background, within seconds. */
const PROBE_MS_MAX = 30_000;
/** A submitted origin is looked at in the background. */
const LOOK_MS_MAX = 60_000;
/** A report has it looked at again when a minute is over, not before. */
const SECOND_LOOK_MS_MAX = 150_000;
const POLL_MS = 250;
const JUDGE = 'https://judge.example.com/verdict';
/** A public name, so that it may be submitted; nothing answers there. */
const AGENT = 'https://agent.example.com';

/** Asks until `found` answers something; throws with the name of what did not come. */
export async function until(what, msMax, found, pollMs = POLL_MS) {
  for (let waited = 0; waited < msMax; waited += pollMs) {
    const value = await found();
    if (value !== undefined) return value;
    await sleep(pollMs);
  }
  throw new Error(`no ${what} in ${msMax / 1000} s`);
}

/** A seat needs no answer from its endpoint; names of the contract's examples are never called. */
export function seats({ post, get }) {
  return async function seated(judge, { endpoint = JUDGE, stake } = {}) {
    const { validators } = await get(judge, '/api/v1/validators');
    const seat = validators.find((each) => each.account === judge.account);
    if (seat !== undefined && endpoint === JUDGE && stake === undefined)
      return { path: { id: seat.id } };
    const body = { account: judge.account, endpoint, stake };
    const { id } = await post(judge, '/api/v1/validators', body);
    return { path: { id } };
  };
}

export function registrySetups({ alice, bob, carol, dora, post, get, unused, seated, ...around }) {
  const { place, opened, tasks, proved, read } = around;
  const listings = async () => (await read('/api/v1/agents?includeUnavailable=true')).agents;

  const submitted = () => post(undefined, '/api/v1/agents', { url: AGENT });

  /**
   * The listing of that agent, once the crawler has seen it. It is submitted once, since each
   * submission of an origin delays its next look.
   */
  let submission;
  async function listed() {
    submission ??= post(undefined, '/api/v1/agents', { url: await opened() });
    await submission;
    const find = async () => (await listings()).find(({ name }) => name === 'Echo');
    const { id } = await until('listing came', LOOK_MS_MAX, find);
    return { path: { id } };
  }

  /** The MCP server of that place, under its name in the MCP registry. */
  async function served() {
    await post(undefined, '/api/v1/mcp-servers', { url: `${await opened()}/mcp` });
    const find = async () => (await read('/v0.1/servers?live=true')).servers[0]?.server;
    const { name } = await until('server came', LOOK_MS_MAX, find);
    return { path: { serverName: name, version: 'latest' } };
  }

  /** The first pass over the feed that the run gives the hub. */
  async function fed() {
    await until('feed was read', LOOK_MS_MAX, async () => {
      const { feeds } = await read('/api/v1/crawl/feeds');
      return feeds.every(({ lastPassAt }) => lastPassAt !== undefined) ? feeds : undefined;
    });
    return {};
  }

  /** A page of that place which has a price. */
  async function quoted() {
    const page = encodeURIComponent(`${await opened()}/paid`);
    await get(alice, `/api/v1/verify?url=${page}&fresh=1`);
    return {};
  }

  async function named() {
    await post(alice, '/api/v1/passport', { keyId: alice.keyId });
    return {};
  }

  /** The listing of that agent, on a domain that Alice has proved. */
  async function claimable() {
    const { path } = await listed();
    const body = { origin: await opened(), keyId: alice.keyId };
    await post(alice, '/api/v1/passport/verify', body);
    return { body: { agentId: path.id } };
  }

  /**
   * Returns the listing of that agent when it is held by an account that proves the place's domain
   * for it.
   */
  async function heldBy(holder) {
    const { path } = await listed();
    const { keyId } = holder;
    place.says(keyId);
    await post(holder, '/api/v1/passport', { keyId });
    await post(holder, '/api/v1/passport/verify', { origin: await opened(), keyId });
    await post(holder, '/api/v1/passport/claim', { keyId, agentId: path.id });
    place.says(alice.keyId);
    return path;
  }

  /** Such a listing of Dora's, and a payment of Alice's to her. */
  async function paidFor() {
    const path = await heldBy(dora);
    const body = { to: dora.account, amount: '10000', idempotencyKey: unused() };
    const { transferId } = await post(alice, `/api/v1/wallet/${alice.account}/pay`, body);
    return { path, body: { transferId } };
  }

  const reportOf = (reporter, path) =>
    post(reporter, `/api/v1/agents/${path.id}/reports`, {
      reporter: reporter.account,
      reason: 'inaccurate',
      text: 'It does not say it again.',
    });

  /** An account has one report of a listing. */
  async function reported(holder, reporter) {
    const path = await heldBy(holder);
    const { reports } = await get(alice, `/api/v1/agents/${path.id}/reports`);
    const own = reports.find(({ reporter: by }) => by === reporter.account);
    const { id: reportId } = own ?? (await reportOf(reporter, path));
    return { path: { ...path, reportId } };
  }

  /** The card says something else than at the first look, and a report has it looked at again. */
  async function changed() {
    const found = await listed();
    place.changes();
    await reportOf(newAccount(), found.path);
    await until('second look came', SECOND_LOOK_MS_MAX, async () => {
      const { changes } = await get(bob, `/api/v1/agents/${found.path.id}/history`);
      return changes[0];
    });
    return found;
  }

  /** Alice judges at an endpoint of this run, and is the only one who can be drawn. */
  async function drawn() {
    await seated(alice, { endpoint: `${await opened()}/verdict` });
    await proved();
    await until('seat was tried', PROBE_MS_MAX, async () =>
      (await read('/api/v1/validators')).validators.find((seat) => !seat.paused),
    );
    return tasks.disputed(carol, bob);
  }

  return {
    'tasks.arbitrate': drawn,
    'registry.get': listed,
    'registry.compare': async () => {
      await served();
      return { query: { tool: TOOL.name } };
    },
    'registry.badge': listed,
    'registry.diagnosis': async () => {
      await served();
      return { query: { url: `${await opened()}/mcp` } };
    },
    'registry.servers': served,
    'registry.serverVersions': served,
    'registry.serverVersion': served,
    'discovery.resources': quoted,
    'registry.crawlFeeds': fed,
    'registry.claimSteps': listed,
    'registry.reliability': listed,
    'registry.reputation': listed,
    'registry.attestations': listed,
    'registry.review': paidFor,
    'registry.history': changed,
    'registry.refunds': async () => ({ path: await heldBy(alice) }),
    'registry.report': async () => ({ path: await heldBy(dora) }),
    'registry.reports': () => reported(dora, carol),
    'registry.changeReport': () => reported(alice, carol),
    'registry.submit': async () => ({ body: { url: AGENT, dryRun: true } }),
    'registry.submitMcp': async () => ({ body: { url: `${AGENT}/mcp` } }),
    'registry.submission': async () => ({ path: { origin: (await submitted()).origin } }),
    'discovery.host': async () => ({ path: { host: new URL((await submitted()).origin).host } }),
    'discovery.search': async () => ({ query: { q: 'weather forecast' } }),
    'discovery.verify': async () => ({ query: { url: AGENT } }),
    'passport.get': named,
    'passport.claimable': named,
    'passport.verify': async () => ({ body: { origin: await opened() } }),
    'passport.claim': claimable,
    'passport.claimEndpoint': async () => ({ body: { agentId: (await listed()).path.id } }),
    'validators.register': async () => ({ body: { endpoint: `${JUDGE}/another` } }),
    'validators.resign': () => seated(alice),
  };
}
