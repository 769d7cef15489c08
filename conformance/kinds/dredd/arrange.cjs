const { setTimeout: sleep } = require('node:timers/promises');
const { gameSetups } = require('./arrangeGames.cjs');
const { holdingSetups } = require('./arrangeHoldings.cjs');
const { logSetups } = require('./arrangeLog.cjs');
const { openPlace, TOOL } = require('./place.cjs');
const { newAccount, signatureHeaders } = require('./sign.cjs');

/**
 * The state that must exist for an operation to succeed. Alice makes every request of the run, Bob
 * is the other side; the holder of a listing beside her is Dora, since a domain that two have
 * proved links them, and linked accounts do no work for each other. A setup answers with the path
 * parameters and body fields that the contract's own examples cannot know; an operation without one
 * is asked with its example alone.
 */
const FUNDS_ATOMIC = '1000000000';
/** A pulse comes when its minute is over. */
const PULSE_MS_MAX = 70_000;
/** A seal comes with the minute, and the job that reads it twice in one. */
const CASE_MS_MAX = 150_000;
/** Cases may be asked for sixty times a minute. */
const CASE_POLL_MS = 3_000;
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
const DIGEST = '816d08f1ea030a1f5fafe61ee9b37a38faa4bdeca3d8566ff7155fbc0e72acce';

function openTown(url, judgePair) {
  const [alice, bob, carol, dora] = Array.from({ length: 4 }, newAccount);
  let calls = 0;
  let key;

  async function post(account, path, body) {
    const text = JSON.stringify(body);
    const headers = { 'content-type': 'application/json' };
    const { host } = new URL(url);
    if (account !== undefined) {
      Object.assign(
        headers,
        signatureHeaders(account, { method: 'POST', host, target: path, body: text }),
      );
    }
    const answer = await fetch(url + path, { method: 'POST', headers, body: text });
    const read = await answer.json();
    if (!answer.ok)
      throw new Error(`arranging POST ${path} answered ${answer.status} ${JSON.stringify(read)}`);
    return read;
  }

  async function get(account, path) {
    const { host } = new URL(url);
    const headers = signatureHeaders(account, { method: 'GET', host, target: path, body: '' });
    return (await fetch(url + path, { headers })).json();
  }

  async function fund(account) {
    const body = { amount: FUNDS_ATOMIC, idempotencyKey: unused() };
    await post(undefined, `/api/v1/wallet/${account.account}/credit`, body);
  }

  /** An idempotency key that this run has not used. */
  function unused() {
    calls += 1;
    return `dredd-${calls}`;
  }

  async function task(requester, changes = {}) {
    const acceptance = { kind: 'contains', mode: 'all', values: ['done'] };
    const { id } = await post(requester, '/api/v1/tasks', {
      requester: requester.account,
      title: 'A small job',
      rewardAmount: '10000',
      verification: 'requester',
      acceptance,
      ...changes,
    });
    return id;
  }

  /** A task whose brief names a file. */
  async function withFile(requester) {
    const file = { owner: requester.account, key: `brief ${unused()}` };
    const stored = await post(requester, '/api/v1/files', {
      ...file,
      contentBase64: 'YSBicmllZg==',
    });
    const id = await task(requester, { files: [{ ...file, sha256: stored.sha256 }] });
    return { path: { id, digest: stored.sha256 } };
  }

  async function claimed(worker, requester) {
    const id = await task(requester);
    const body = { agentId: worker.account };
    const { claimToken } = await post(worker, `/api/v1/tasks/${id}/claim`, body);
    return { path: { id }, body: { claimToken } };
  }

  /** Hands back every claim of an account; claiming again returns the token once more. */
  async function emptyHanded(worker) {
    const { claims } = await get(worker, '/api/v1/me');
    for (const { taskId, leaseEndsAt } of claims) {
      // A delivered result waits for its requester.
      if (leaseEndsAt === undefined) continue;
      const body = { agentId: worker.account };
      const { claimToken } = await post(worker, `/api/v1/tasks/${taskId}/claim`, body);
      await post(worker, `/api/v1/tasks/${taskId}/fail`, { claimToken });
    }
  }

  async function lendable(worker, requester) {
    await emptyHanded(worker);
    const { path } = await claimed(worker, requester);
    return { body: { taskId: path.id } };
  }

  async function solved(requester, worker) {
    const id = await task(requester, { mode: 'open' });
    const body = { agentId: worker.account, result: 'done' };
    await post(worker, `/api/v1/tasks/${id}/solution`, body);
    return { path: { id } };
  }

  /** A task that takes plans, worth what the contract's example asks. */
  function openToPitches(requester) {
    return task(requester, { tags: ['pitch'], rewardAmount: '1000000' });
  }

  /** A chain of the requester, its first step open. */
  async function chained(requester) {
    const steps = [{ title: 'A step', rewardAmount: '10000', verification: 'requester' }];
    const body = { requester: requester.account, title: 'In order', steps };
    const { id } = await post(requester, '/api/v1/chains', body);
    return { path: { id } };
  }

  function submitted() {
    return post(undefined, '/api/v1/agents', { url: AGENT });
  }

  async function pitched(worker, requester) {
    const id = await openToPitches(requester);
    const body = { agentId: worker.account, plan: 'Line by line.' };
    const pitch = await post(worker, `/api/v1/tasks/${id}/pitch`, body);
    return { path: { id }, body: { pitchId: pitch.id } };
  }

  async function commented(author, requester) {
    const id = await task(requester);
    const body = { author: author.account, body: 'Mine.' };
    const comment = await post(author, `/api/v1/tasks/${id}/comments`, body);
    return { path: { id, commentId: comment.id } };
  }

  /** A seat needs no answer from its endpoint; names of the contract's examples are never called. */
  async function seated(judge, { endpoint = JUDGE, stake } = {}) {
    const { validators } = await get(judge, '/api/v1/validators');
    const seat = validators.find((each) => each.account === judge.account);
    if (seat !== undefined && endpoint === JUDGE && stake === undefined)
      return { path: { id: seat.id } };
    const body = { account: judge.account, endpoint, stake };
    const { id } = await post(judge, '/api/v1/validators', body);
    return { path: { id } };
  }

  /** Stamped when the run began, so that most of the minute is over when it is asked for. */
  async function proved() {
    for (let waited = 0; waited < PULSE_MS_MAX; waited += POLL_MS) {
      const { status } = await fetch(`${url}/api/v1/time/stamps/${DIGEST}`);
      if (status === 200) return { path: { digest: DIGEST } };
      await sleep(POLL_MS);
    }
    throw new Error(`no pulse came in ${PULSE_MS_MAX / 1000} s`);
  }

  /** A job of Alice's that is paid at once; published as a case when its transfer is sealed. */
  async function earned() {
    const changes = { verification: 'automatic', disputeWindowSeconds: 0 };
    const id = await task(bob, changes);
    const body = { agentId: alice.account };
    const { claimToken } = await post(alice, `/api/v1/tasks/${id}/claim`, body);
    await post(alice, `/api/v1/tasks/${id}/submit`, { claimToken, result: 'done' });
  }

  async function told() {
    for (let waited = 0; waited < CASE_MS_MAX; waited += CASE_POLL_MS) {
      const { cases } = await (await fetch(`${url}/api/v1/cases`)).json();
      if (cases.length > 0) return { path: { id: cases[0].id } };
      await sleep(CASE_POLL_MS);
    }
    throw new Error(`no case was published in ${CASE_MS_MAX / 1000} s`);
  }

  /** A result that passed, its payout waiting for objections. */
  async function accepted(worker, requester) {
    const id = await task(requester, { verification: 'automatic' });
    const body = { agentId: worker.account };
    const { claimToken } = await post(worker, `/api/v1/tasks/${id}/claim`, body);
    await post(worker, `/api/v1/tasks/${id}/submit`, { claimToken, result: 'done' });
    return { path: { id } };
  }

  async function disputed(worker, requester) {
    const made = await accepted(worker, requester);
    const body = { raisedBy: requester.account, reason: 'Made up.' };
    await post(requester, `/api/v1/tasks/${made.path.id}/dispute`, body);
    return made;
  }

  /** The one place of this run that the hub can call; it is opened when it is first needed. */
  const place = openPlace(judgePair, alice.keyId);
  const opened = () => place.open();

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

  /**
   * The listing of that agent, once the crawler has seen it. It is submitted once, since each
   * submission of an origin delays its next look.
   */
  let submission;
  async function listed() {
    submission ??= post(undefined, '/api/v1/agents', { url: await opened() });
    await submission;
    for (let waited = 0; waited < LOOK_MS_MAX; waited += POLL_MS) {
      const query = 'includeUnavailable=true';
      const { agents } = await (await fetch(`${url}/api/v1/agents?${query}`)).json();
      const found = agents.find(({ name }) => name === 'Echo');
      if (found !== undefined) return { path: { id: found.id } };
      await sleep(POLL_MS);
    }
    throw new Error(`no listing came in ${LOOK_MS_MAX / 1000} s`);
  }

  /** The MCP server of that place, under its name in the MCP registry. */
  async function served() {
    await post(undefined, '/api/v1/mcp-servers', { url: `${await opened()}/mcp` });
    for (let waited = 0; waited < LOOK_MS_MAX; waited += POLL_MS) {
      const { servers } = await (await fetch(`${url}/v0.1/servers?live=true`)).json();
      const [{ server } = {}] = servers;
      if (server !== undefined) return { path: { serverName: server.name, version: 'latest' } };
      await sleep(POLL_MS);
    }
    throw new Error(`no server came in ${LOOK_MS_MAX / 1000} s`);
  }

  /** The first pass over the feed that the run gives the hub. */
  async function fed() {
    for (let waited = 0; waited < LOOK_MS_MAX; waited += POLL_MS) {
      const { feeds } = await (await fetch(`${url}/api/v1/crawl/feeds`)).json();
      if (feeds.every(({ lastPassAt }) => lastPassAt !== undefined)) return {};
      await sleep(POLL_MS);
    }
    throw new Error(`no feed was read in ${LOOK_MS_MAX / 1000} s`);
  }

  /** A page of that place which has a price. */
  async function quoted() {
    const page = encodeURIComponent(`${await opened()}/paid`);
    await get(alice, `/api/v1/verify?url=${page}&fresh=1`);
    return {};
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
    for (let waited = 0; waited < SECOND_LOOK_MS_MAX; waited += POLL_MS) {
      const { changes } = await get(bob, `/api/v1/agents/${found.path.id}/history`);
      if (changes.length > 0) return found;
      await sleep(POLL_MS);
    }
    throw new Error(`no second look came in ${SECOND_LOOK_MS_MAX / 1000} s`);
  }

  /** Alice judges at an endpoint of this run, and is the only one who can be drawn. */
  async function drawn() {
    await seated(alice, { endpoint: `${await opened()}/verdict` });
    await proved();
    for (let waited = 0; waited < PROBE_MS_MAX; waited += POLL_MS) {
      const { validators } = await (await fetch(`${url}/api/v1/validators`)).json();
      if (validators.some((seat) => !seat.paused)) return disputed(carol, bob);
      await sleep(POLL_MS);
    }
    throw new Error(`no seat was tried in ${PROBE_MS_MAX / 1000} s`);
  }

  const own = async () => ({ path: { id: await task(alice) } });
  const bobs = async () => ({ path: { id: await task(bob) } });
  const town = { alice, bob, carol, url, post, get, unused, fund, seated, opened };
  const setups = {
    ...gameSetups(town),
    ...holdingSetups(town),
    ...logSetups(town),
    'tasks.get': own,
    'tasks.economics': own,
    'tasks.comments': own,
    'tasks.solutions': own,
    'tasks.cancel': own,
    'tasks.amend': async () => ({ ...(await own()), body: { revision: 1 } }),
    'tasks.file': () => withFile(alice),
    'tasks.comment': bobs,
    'tasks.claim': bobs,
    'tasks.start': bobs,
    'tasks.solution': async () => ({ path: { id: await task(bob, { mode: 'open' }) } }),
    'tasks.submit': async () => {
      const claim = await claimed(alice, bob);
      return { ...claim, body: { ...claim.body, result: 'done' } };
    },
    'tasks.pitch': async () => ({ path: { id: await openToPitches(bob) } }),
    'tasks.pitches': own,
    'tasks.matches': own,
    'tasks.choose': () => pitched(bob, alice),
    'tasks.fail': () => claimed(alice, bob),
    'tasks.accept': () => solved(alice, bob),
    'tasks.reject': () => solved(alice, bob),
    'tasks.withdrawComment': () => commented(alice, bob),
    'tasks.dispute': () => accepted(bob, alice),
    'tasks.readDispute': () => disputed(bob, alice),
    'tasks.arbitrate': drawn,
    'tasks.disputes': () => seated(alice),
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
    'discovery.ecosystem': fed,
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
    'chains.get': () => chained(alice),
    'chains.abandon': () => chained(alice),
    'validators.register': async () => ({ body: { endpoint: `${JUDGE}/another` } }),
    'validators.get': () => seated(alice),
    'validators.resign': () => seated(alice),
    'services.credit': () => lendable(alice, bob),
    'discovery.case': told,
    'time.proof': proved,
    // The pulse of that proof is the head, or one before it.
    'time.pulse': async () => void (await proved()),
  };

  return {
    alice,
    bob,
    unused,
    open: async () => {
      await post(undefined, '/api/v1/time/stamp', { digest: DIGEST });
      await fund(alice);
      await fund(bob);
      await earned();
    },
    apiKey: () => {
      key ??= post(alice, `/api/v1/wallet/${alice.account}/api-keys`, {});
      return key.then((minted) => minted.key);
    },
    arrange: async (operationId, type) => (await setups[operationId]?.(type)) ?? {},
  };
}

module.exports = { openTown };
