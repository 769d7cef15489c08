import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../clients/examples/freePort.ts';
import { nodeCrypto } from '../../clients/typescript/verify/nodeCrypto.ts';
import { verifyHands, type PokerHand } from '../../clients/typescript/verify/poker.ts';
import { openStore } from '../../db/store.ts';
import { newAgent, visitor, type Agent } from '../harness/agents.ts';
import { sharedPostgres } from '../harness/databases.ts';
import { at, mustOk } from '../harness/must.ts';
import { until } from '../harness/waiting.ts';
import { startProcess } from '../kinds/kill/process.ts';
import { assertBooksBalance } from '../ledger/auditor.ts';
import { act, sit, TABLES, view, type Body } from './_table.ts';

const KILLS = 4;
const START_MS = 90_000;

/** Returns what a killed hub must not lose: cards, clocks, chips, token and commitments. */
function kept(seen: Body): unknown {
  const { cards, token, deadline, legal, stack, state } = seen;
  const hand = at(seen, 'table', 'hand');
  const next = at(seen, 'table', 'nextHand');
  return { cards, token, deadline, legal, stack, state, hand, next, seq: seen['seq'] };
}

function suite(title: string, databaseUrl: (folder: string) => Promise<string>): void {
  it(`goes on with the same cards, clocks and chips over ${KILLS} kills (${title})`, async function run() {
    this.timeout(START_MS * 2);
    const folder = await mkdtemp(join(tmpdir(), 'hub-poker-'));
    const env = {
      HUB_DATABASE_URL: await databaseUrl(folder),
      HUB_DATA_DIR: folder,
      HUB_RATE_LIMITS: 'false',
      FAUCET_ENABLED: 'true',
    };
    const port = await freePort();
    const place = { url: `http://127.0.0.1:${port}`, clock: { now: () => Date.now() } };
    const players = [await newAgent(place), await newAgent(place), await newAgent(place)];
    const anyone = visitor(place);
    let hub = await startProcess(env, port);
    for (const { account } of players) {
      mustOk(
        await anyone.post(`/api/v1/wallet/${account}/credit`, {
          amount: '1000000',
          idempotencyKey: 'funds',
        }),
      );
    }
    const [first] = players;
    assert.ok(first !== undefined);
    const body = { format: 'cash', seats: 3, bigBlind: '1000', actSeconds: 120 };
    const id = String(mustOk(await first.post(TABLES, body))['id']);
    for (const player of players) mustOk(await sit(player, id));
    const state = async (): Promise<Body> => mustOk(await anyone.get(`${TABLES}/${id}`));
    await until(async () => (await state())['hand'] !== undefined);
    for (let life = 0; life < KILLS; life += 1) {
      await move(players, id);
      await until(async () => (await state())['hand'] !== undefined);
      const before = await Promise.all(players.map(async (each) => kept(await view(each, id))));
      await hub.kill();
      hub = await startProcess(env, port);
      const after = await Promise.all(players.map(async (each) => kept(await view(each, id))));
      assert.deepEqual(after, before);
    }
    while (at(await state(), 'hand', 'n') === 1) await move(players, id);
    const { hands } = mustOk(await anyone.get(`${TABLES}/${id}/hands`));
    const played = [...(hands as Body[])].reverse() as unknown as PokerHand[];
    assert.deepEqual((await verifyHands(id, played, nodeCrypto)).ok, true);
    await hub.kill();
    const store = await openStore(env.HUB_DATABASE_URL);
    await assertBooksBalance(store);
    await store.close();
    await rm(folder, { recursive: true, force: true });
  });
}

/** The seat that is on turn checks, or calls. */
async function move(players: readonly Agent[], id: string): Promise<void> {
  for (const player of players) {
    const seen = await view(player, id);
    if (seen['yourTurn'] !== true) continue;
    const moves = (seen['legal'] as Body[]).map((each) => each['move']);
    const next = moves.includes('check') ? 'check' : 'call';
    mustOk(await act(player, id, seen['token'], { move: next }));
    return;
  }
}

describe('a table whose hub is killed in the middle of a hand', () => {
  suite('SQLite', async (folder) => `sqlite:${join(folder, 'hub.sqlite')}`);
  suite('PostgreSQL', async () => (await sharedPostgres()).freshDatabase());
});
