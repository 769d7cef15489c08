import assert from 'node:assert/strict';
import type { Agent } from '../../harness/agents.ts';
import { at, mustOk, mustRefuse } from '../../harness/must.ts';
import { TREASURY } from '../../harness/chain/hub.ts';
import { walletPath } from '../../wallet/_signed.ts';
import {
  callBody,
  newPayer,
  payV1,
  payV2,
  quoteFor,
  type PaidFixture,
  type Payer,
} from '../../x402/_fixture.ts';
import type { Random } from '../../kinds/simulate/random.ts';
import { Tally } from '../../kinds/simulate/tally.ts';
import * as model from './model.ts';

/** Plays random operations on the hub, its chain and the model, and compares what the hub shows. */
const PLAYERS = 3;
const WALLET = 200_000;
const TREASURE = 1_000_000_000n;
/** Less than what credits a deposit. */
const REORG_MAX = 4;
/** Seconds after which a sent transaction is sent again. */
const RESEND_SECONDS = 20;
const LAST_ROUNDS = 4;

interface Player extends Payer {
  readonly account: model.Account;
  readonly address: `0x${string}`;
}
type Json = Record<string, unknown>;

export async function play(world: PaidFixture, random: Random, operations: number): Promise<Tally> {
  const { chain, hub } = world;
  const tally = new Tally();
  const count = (what: string): void => tally.count(what);
  const head = async (): Promise<number> =>
    Number(await chain.client.getBlockNumber({ cacheTime: 0 }));
  await chain.mint(TREASURY.address, TREASURE);
  const players: Player[] = [];
  for (let n = 0; n < PLAYERS; n += 1) {
    const payer = await newPayer(world, BigInt(WALLET));
    const made = mustOk(await payer.agent.post(`${walletPath(payer.agent)}/deposit-address`));
    const address = made['address'] as `0x${string}`;
    players.push({ ...payer, address, account: model.newAccount(WALLET) });
  }
  const accounts = players.map(({ account }) => account);
  await chain.mine(10);

  /** Time goes on here as it does on the chain, whose blocks have a second each. */
  const keepTime = async (): Promise<void> => {
    const { timestamp } = await chain.client.getBlock();
    const behind = Number(timestamp) - Math.floor(hub.clock.now() / 1000);
    if (behind > 0) hub.clock.advance(behind);
  };
  const look = async (): Promise<void> => {
    await hub.runJob('deposits');
    model.lookedAt(accounts, await head());
  };
  const carry = async (): Promise<void> => {
    await hub.runJob('hotWallet');
    model.sent(accounts);
    await hub.runJob('withdrawals');
    for (const { agent, account } of players) {
      const page = mustOk(await agent.get(`${walletPath(agent)}/withdrawals?limit=100`));
      for (const row of page['withdrawals'] as Json[]) {
        const id = String(row['id']);
        if (row['state'] === 'confirmed' && account.withdrawals.has(id)) {
          model.arrived(account, id);
          count('arrived');
        }
      }
    }
  };
  const recallOne = async (agent: Agent, id: string, { withdrawals }: model.Account) => {
    const one = withdrawals.get(id);
    assert.ok(one !== undefined);
    const answer = await agent.post(`${walletPath(agent)}/withdrawals/${id}/cancel`);
    const mayGo = one.state !== 'away';
    assert.equal(answer.status === 200, mayGo, answer.text);
    if (mayGo) one.state = 'recalled';
    count(mayGo ? 'recalled' : 'recalled too late');
  };
  const anyone = (): Player => random.pick(players);

  const moves: Readonly<Record<string, () => Promise<void>>> = {
    async deposit() {
      const { address, account } = anyone();
      const amount = 1 + random.below(3_000_000);
      await chain.mint(address, BigInt(amount));
      account.deposits.push({ amount, height: await head(), state: 'coming' });
      count('deposit');
    },
    async blocks() {
      await chain.mine(1 + random.below(4));
    },
    look,
    carry,
    async reorganise() {
      const depth = 1 + random.below(REORG_MAX);
      const dropped = accounts.flatMap(({ deposits }) => deposits).length;
      await chain.reorg(depth);
      model.reorganised(accounts, (await head()) - depth);
      if (accounts.flatMap(({ deposits }) => deposits).length < dropped) count('never seen');
      // A transaction that the hub had sent comes back: it sends the same again.
      hub.clock.advance(RESEND_SECONDS);
      await chain.client.increaseTime({ seconds: RESEND_SECONDS });
      await chain.mine(1);
      await keepTime();
      await look();
      await carry();
      count('reorganised');
    },
    async withdraw() {
      const { agent, account, wallet } = anyone();
      const amount = random.chance(20) ? 20_000 : 1_000_000 + random.below(2_000_000);
      const body = { address: wallet.address, amount: String(amount) };
      const answer = await agent.post(`${walletPath(agent)}/withdraw`, body);
      const refused = model.withdraw(account, amount);
      if (refused !== undefined) {
        mustRefuse(answer, 400, refused);
        return count(`withdraw: ${refused}`);
      }
      const id = String(mustOk(answer)['id']);
      account.withdrawals.set(id, { amount, state: 'queued' });
      count('withdraw');
      if (random.chance(25)) await recallOne(agent, id, account);
    },
    async recall() {
      const { agent, account } = anyone();
      const all = [...account.withdrawals];
      const [id] = (random.chance(60) ? all.at(-1) : all[0]) ?? [];
      if (id === undefined) return;
      await recallOne(agent, id, account);
    },
    async call() {
      const { agent, wallet, account, call } = anyone();
      const body = callBody(world, agent);
      const asks = model.lacking(account);
      if (asks === 0) {
        assert.equal(
          at(mustOk(await agent.post('/api/v1/call', body)), 'receipt', 'outcome'),
          'served',
        );
        model.called(account, 0);
        return count('call');
      }
      const quote = await quoteFor(agent, body);
      assert.equal(quote.v2['amount'], String(asks));
      const pay = random.chance(50) ? payV1 : payV2;
      const header = await pay(world, wallet, quote);
      if (BigInt(asks) > (await chain.balanceOf(wallet.address))) {
        mustRefuse(await call(body, header), 402, 'payment-refused');
        return count('call: wallet is empty');
      }
      assert.equal(at(mustOk(await call(body, header)), 'receipt', 'outcome'), 'served');
      // The hot wallet ran to settle it, and took what was queued along.
      model.sent(accounts);
      model.called(account, asks);
      count('call over x402');
      if (!random.chance(60)) return;
      // The same again goes on with what it paid, and moves nothing.
      assert.equal(mustOk(await call(body, header))['repeated'], true);
      count('paid again');
    },
  };
  const chances = ['reorganise', 'recall', 'recall', 'blocks', 'blocks', 'look', 'look', 'carry'];
  const names = [...chances, 'deposit', 'deposit', 'withdraw', 'withdraw', 'call', 'call'];
  for (let n = 0; n < operations; n += 1) {
    await moves[random.pick(names)]?.();
    await keepTime();
    await mustAgree(anyone());
  }
  for (let n = 0; n < LAST_ROUNDS; n += 1) {
    hub.clock.advance(RESEND_SECONDS);
    await chain.client.increaseTime({ seconds: RESEND_SECONDS });
    await chain.mine(8);
    await keepTime();
    await look();
    await carry();
  }
  for (const player of players) {
    await mustAgree(player);
    const { account, wallet } = player;
    assert.ok([...account.withdrawals.values()].every(({ state }) => state === 'recalled'));
    assert.equal(Number(await chain.balanceOf(wallet.address)), account.dollars);
  }
  for (const state of ['credited', 'orphaned'] as const) {
    const all = accounts.flatMap(({ deposits }) => deposits);
    if (all.some((deposit) => deposit.state === state)) count(state);
  }
  return tally;
}

/** Money and deposits of one account. */
async function mustAgree({ agent, account }: Player): Promise<void> {
  const wallet = mustOk(await agent.get(walletPath(agent)));
  const held = model.held(account);
  assert.deepEqual(
    [wallet['balance'], at(wallet, 'held', 'total'), wallet['spendable']],
    [account.balance, held, account.balance - held].map(String),
  );
  const page = mustOk(await agent.get(`${walletPath(agent)}/movements?limit=200`));
  const deposits = (page['movements'] as Json[]).filter(({ rail, kind }) => {
    return kind === 'deposit' && rail === 'chain';
  });
  assert.deepEqual(
    tally(deposits.map(({ state }) => String(state))),
    tally(account.deposits.map(({ state }) => state).filter((state) => state !== 'coming')),
  );
}

function tally(states: readonly string[]): readonly string[] {
  return states.map((state) => (state === 'confirming' ? 'seen' : state)).sort();
}
