import assert from 'node:assert/strict';
import type { Agent, Answer } from '../../harness/agents.ts';
import type { DeclaredOperation } from '../../harness/contract.ts';
import { openFixture, type Fixture } from '../../harness/fixture.ts';
import { followHint } from '../../harness/follow.ts';
import { callsOf } from '../../harness/hints.ts';
import { at, mustOk } from '../../harness/must.ts';
import { makeSpace } from '../../memory/space.ts';
import { newMarket } from '../../predictions/_markets.ts';
import { publish } from '../../tasks/_work.ts';
import { requestsOf, WALKED, type Asked, type Things } from './_walk.ts';

/**
 * Every operation is sent its example, each field missing, of another type, at nothing and far too
 * large, on other networks, and about things that are not there. Each refusal is read, and its hint
 * followed, on a hub of test money and on one of play money.
 */
const MS_MAX = 600_000;
const TABLE = { format: 'cash', seats: 6, bigBlind: '1000' };
const TABLES = '/api/v1/games/poker/tables';
/** Nothing of a program's own may be in what a caller reads. */
const LEAKED = /\bundefined\b|\bNaN\b|\[object|\bnull\b is required/;
/** Codes that each operation that lists them must be met with. */
const OF_NETWORKS = ['network-unknown', 'network-refused'];
const MET_BY_ALL = [...OF_NETWORKS, 'insufficient-funds', 'below-minimum'];
/**
 * Operations that are free unless they save something, or that need a file or a task of one's own
 * first; the hint is that of the others.
 */
const FREE = ['services.compressPrompt', 'files.get', 'tasks.amend'];

for (const [network, form] of [
  ['sandbox', ''],
  ['play', ' (in full)'],
] as const) {
  describe(`refusals of every operation on ${network}${form}`, function suite() {
    this.timeout(MS_MAX);
    let world: Fixture;
    let things: Things;
    const matched = new Set<string>();
    before(async () => {
      world = await openFixture({ env: { HUB_NETWORK: network } });
      things = await furnish(world, network);
      world.hub.clock.advance(60);
      await world.hub.runJob('pulse');
      await world.hub.runJob('sequenceLog');
    });
    after(() => world.close());

    const isMoney = ({ raw }: DeclaredOperation): boolean =>
      (raw['x-errors'] as readonly string[]).some((code) => MET_BY_ALL.includes(code));
    for (const operation of WALKED.filter((each) => network === 'sandbox' || isMoney(each))) {
      it(operation.operationId, async () => {
        const by = await world.agent();
        const [first] = requestsOf(operation, by);
        const { id: spaceId } = await makeSpace(by);
        if (['poker.act', 'poker.seat', 'poker.leave'].includes(operation.operationId)) {
          await sitDown(world, by, things);
        }
        const own = { ...things, spaceId, '/api/v1/memory/spaces': spaceId };
        const about = [first, ...requestsOf(operation, by, own)].filter(
          (each) => each !== undefined,
        );
        const seen = new Set<string>();
        for (const asked of about) {
          const answer = await send(operation, by, asked);
          const { code } = answer.body;
          if (answer.status < 400) continue;
          matched.add(`${operation.operationId} ${String(code)}`);
          const kind = `${String(code)} ${String(answer.body['field'])}`;
          if (seen.has(kind)) continue;
          seen.add(kind);
          await mustLead({ network, operation, by, asked }, answer);
        }
      });
    }

    it('are all those of networks and of money that the contract lists', () => {
      const listed = WALKED.filter(isOwnWork).flatMap(({ operationId, raw }) =>
        (raw['x-errors'] as readonly string[])
          .filter((code) => (network === 'sandbox' ? MET_BY_ALL : OF_NETWORKS).includes(code))
          .map((code) => `${operationId} ${code}`),
      );
      assert.deepEqual(
        listed.filter((each) => !matched.has(each)),
        [],
      );
    });
  });
}

/** Whether its price is asked before another server is: those are met in tests of their own. */
function isOwnWork({ operationId, raw }: DeclaredOperation): boolean {
  return at(raw, 'x-door', 'outside') !== true && !FREE.includes(operationId);
}

async function sitDown(world: Fixture, by: Agent, things: Things): Promise<void> {
  await world.fund(by, '1000000');
  mustOk(await by.post(`${TABLES}/${String(things[TABLES])}/sit`, { buyIn: '100000' }));
}

/** Another agent's task, table, market and space; a market takes a fee, which play money has none for. */
async function furnish(world: Fixture, network: string): Promise<Things> {
  const { alice } = world;
  const { id: table } = mustOk(await alice.post(TABLES, TABLE));
  const tables = { [TABLES]: String(table), to: alice.account };
  if (network === 'play') return tables;
  await world.fund(alice, '100000000');
  const { id: task } = await publish(alice);
  return {
    ...tables,
    '/api/v1/tasks': task,
    '/api/v1/games/predictions/markets': await newMarket(world),
  };
}

function send({ method }: DeclaredOperation, by: Agent, { path, body }: Asked): Promise<Answer> {
  return method === 'GET' ? by.get(path) : by.post(path, body);
}

interface Refused {
  readonly network: string;
  readonly operation: DeclaredOperation;
  readonly by: Agent;
  readonly asked: Asked;
}

/** The words are whole, what the hint names is there, and where it can be tried at once it helps. */
async function mustLead(refused: Refused, answer: Answer): Promise<void> {
  const { network, operation, by, asked } = refused;
  const { error, code } = answer.body;
  const hint = String(answer.body['hint']);
  const where = `${network} ${operation.operationId} ${asked.what}: ${answer.text}`;
  assert.ok(answer.status < 500, where);
  assert.doesNotMatch(`${String(error)} ${hint}`, LEAKED, where);
  await followHint(by, answer);
  if (code === 'insufficient-funds') await mustFund(refused, hint, where);
  if (code === 'network-refused' && asked.body !== undefined) {
    for (const named of answer.body['allowed'] as readonly string[]) {
      const again = await send(operation, by, {
        ...asked,
        body: { ...asked.body, network: named },
      });
      assert.notEqual(again.body['code'], 'network-refused', `${where} -> ${again.text}`);
    }
  }
}

/** A hint about money gives money that can be had, and names no way in that there is not. */
async function mustFund({ network, operation, by, asked }: Refused, hint: string, where: string) {
  const [call] = callsOf(hint);
  const about = String(asked.body?.['network'] ?? network);
  assert.ok(!hint.includes('deposit-address'), where);
  assert.equal(call?.path.endsWith('/credit'), about === 'sandbox', where);
  if (about !== 'sandbox') return;
  mustOk(await by.post(String(call?.path), JSON.parse(String(call?.body))));
  const again = await send(operation, by, asked);
  const isTooMuch = JSON.stringify(asked.body).includes('900000000000000');
  assert.ok(isTooMuch || again.body['code'] !== 'insufficient-funds', `${where} -> ${again.text}`);
}
