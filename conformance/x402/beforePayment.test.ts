import assert from 'node:assert/strict';
import type { HDAccount } from 'viem/accounts';
import { startMcpSdk2 } from '../../clients/examples/agents/mcpSdk2.ts';
import { closeSites } from '../../clients/examples/agents/site.ts';
import { operationTable } from '../../generated/operations.ts';
import { joinAccount, plain, type Agent, type Answer } from '../harness/agents.ts';
import { DATABASES } from '../harness/databases.ts';
import { at, mustOk, mustRefuse } from '../harness/must.ts';
import { CONVERT, FEE, publish } from '../hosted/_world.ts';
import { CHAT, HELLO } from '../models/_desk.ts';
import {
  answerOf,
  MODEL,
  localProvider,
  startUpstream,
  upstreamFile,
} from '../models/_upstream.ts';
import type { Upstream, UpstreamFile } from '../models/_upstream.ts';
import { decide } from '../operator/_operator.ts';
import { setPolicy } from '../wallet/_policies.ts';
import { creditsOf, frozen, isOfAnyCall, LONG_PROMPT, resting, spentDay } from './_certain.ts';
import {
  callBody,
  freshWallet,
  newPayer,
  openPaidFixture,
  payV1,
  payV2,
  quoteFor,
  quoteIn,
  registerPayout,
  SUITE_MS_MAX,
  type PaidFixture,
  type Payer,
  type Quote,
} from './_fixture.ts';

type Json = Record<string, unknown>;
type Header = Readonly<Record<string, string>>;
const MONEY = 50_000n;
/** More than each of the calls costs, and less than the wallets have. */
const PAID = { signed: { value: 9_000n } };

/** A call that was sent with a valid payment, and the wallet that signed it. */
interface Sent {
  readonly answer: Answer;
  readonly wallet: HDAccount;
  /** Whose account it would have been credited to. */
  readonly account: string;
}
type Cases = Readonly<Record<string, () => Promise<Sent>>>;

for (const [database, open] of DATABASES) {
  describe(`a call that is refused for certain (${database})`, function suite() {
    this.timeout(SUITE_MS_MAX);
    let world: PaidFixture;
    let upstream: Upstream;
    let file: UpstreamFile;
    let holder: Agent;
    let hosted: { readonly path: string; readonly endpoint: string };
    const quotes = {} as { call: Quote; chat: Quote; tool: Quote };
    before(async () => {
      const site = await startMcpSdk2();
      upstream = await startUpstream(answerOf(3, 20));
      const models = [{ ...MODEL, parameters: ['temperature'] }];
      file = upstreamFile([localProvider(upstream, { backend: 'upstream', models })], [upstream]);
      const { HUB_MODEL_UPSTREAMS = '' } = file.env;
      world = await openPaidFixture({
        databaseUrl: await open(),
        alsoCalls: [site.pair, upstream.pair],
        env: { HUB_MODEL_UPSTREAMS, HUB_LOG: 'silent' },
      });
      const first = await newPayer(world, FEE * 2n);
      const body = callBody(world, first.agent);
      quotes.call = await quoteFor(first.agent, body);
      const fee = { signed: { value: FEE + 5_000n } };
      mustOk(await first.call(body, await payV2(world, first.wallet, quotes.call, fee)));
      holder = first.agent;
      const listed = await publish(holder, { endpoint: `${site.url}/mcp` });
      const path = `/api/v1/hosted/${holder.keyId}/call`;
      hosted = { path, endpoint: String(listed['listedEndpoint']) };
      quotes.chat = quoteIn(await send(CHAT, asked()), 'payment-required');
      quotes.tool = quoteIn(await send(path, tool()), 'payment-required');
    });
    after(async () => {
      await world.close();
      await upstream.close();
      file.remove();
      await closeSites();
    });

    const asked = (more: Json = {}): Json => ({
      model: 'acme/small',
      messages: HELLO,
      max_tokens: 200,
      ...more,
    });
    const tool = (more: Json = {}): Json => ({ tool: 'convert', arguments: CONVERT, ...more });

    function send(path: string, body: Json, header: Header = {}): Promise<Answer> {
      const request = plain(world.hub, 'POST', path, body);
      for (const [name, value] of Object.entries(header)) request.headers.set(name, value);
      return world.anyone.send(request);
    }

    async function byWallet(path: string, body: Json, quote: Quote, change = PAID): Promise<Sent> {
      const wallet = freshWallet();
      await world.chain.mint(wallet.address, MONEY);
      const account = `evm:${wallet.address.toLowerCase()}`;
      const answer = await send(path, body, await payV2(world, wallet, quote, change));
      return { answer, wallet, account };
    }

    async function bySigner(path: string, body: Json, payer?: Payer): Promise<Sent> {
      const by = payer ?? (await newPayer(world, MONEY));
      const { agent, wallet, call } = by;
      const { account } = agent;
      const header = await payV1(world, wallet, quotes.call, PAID);
      return { answer: await call({ caller: account, ...body }, header, path), wallet, account };
    }
    function called(more: Json = {}, payer?: Payer): Promise<Sent> {
      const { caller: _, ...body } = callBody(world, world.alice, more);
      return bySigner('/api/v1/call', body, payer);
    }

    /** A key under a policy that acts for another account, whose payout address is its wallet. */
    async function limited(policy: Json): Promise<Payer & { readonly owner: Agent }> {
      const owner = await world.agent();
      const payer = await newPayer(world, MONEY);
      mustOk(await joinAccount(owner, payer.agent));
      mustOk(await setPolicy(owner, payer.agent, policy));
      await registerPayout(world, owner.account, payer.wallet);
      return { ...payer, owner, agent: { ...payer.agent, account: owner.account } };
    }
    /** The refusals that depend on the key, its account or the whole ledger. */
    const byPolicies = (run: (payer: Payer) => Promise<Sent>): Cases => ({
      'policy-limit': async () => run(await limited({ perCall: '10' })),
      'policy-limit of a month': async () => run(await limited({ perMonth: '10' })),
      'policy-forbids': async () => run(await limited({ operations: ['wallet.pay'] })),
      'policy-forbids by network': async () => run(await limited({ networks: ['sandbox'] })),
      'approval-needed': async () => run(await limited({ approveAbove: '10' })),
      moderated: async () => {
        const payer = await newPayer(world, MONEY);
        await decide([world], 'ban', payer.agent.account, 'Fraud.');
        return run(payer);
      },
      'key-revoked': async () => {
        const until = new Date(world.hub.clock.now() + 1_000).toISOString();
        const payer = await limited({ expiresAt: until });
        world.hub.clock.advance(2);
        return run(payer);
      },
      'ledger-frozen': () => frozen(world, async () => run(await newPayer(world, MONEY))),
    });

    const CASES: Readonly<Record<string, () => Cases>> = {
      'router.call': () => ({
        'not-together': () => called({ endpoint: world.agent_.endpoint }),
        'network-unknown': () => called({ network: 'moon' }),
        'not-found': () => called({ agentId: '0123456789abcdef' }),
        'endpoint-refused': () => called({ agentId: undefined, endpoint: 'http://10.0.0.1/mcp' }),
        'bad-acceptance': () =>
          called({ accept: { kind: 'json_schema', schema: { pattern: '(' } } }),
        'idempotency-mismatch': async () => {
          const payer = await newPayer(world, MONEY);
          const body = callBody(world, payer.agent, { operation: 'none', agentId: undefined });
          mustOk(await payer.agent.post('/api/v1/call', body));
          return called({ idempotencyKey: body['idempotencyKey'] }, payer);
        },
        'payment-refused': async () => {
          const { agent, wallet, call } = await newPayer(world, MONEY);
          const unsigned = { ...PAID, sent: { value: '8999' } };
          const header = await payV2(world, wallet, quotes.call, unsigned);
          const answer = await call(callBody(world, agent), header);
          return { answer, wallet, account: agent.account };
        },
        'answer failed of an agent that rests': () =>
          resting(world, world.agent_.endpoint, () => called()),
        'answer priced above maxPrice': () => called({ maxPrice: '4999' }),
        'answer none-suitable': () => called({ agentId: undefined, operation: 'none' }),
        'policy-forbids by counterparty': async () =>
          called({}, await limited({ counterparties: [world.bob.account] })),
        ...byPolicies((payer) => called({}, payer)),
      }),
      'models.chat': () => ({
        'n-above-one': () => byWallet(CHAT, asked({ n: 2 }), quotes.chat),
        'network-unknown': () => byWallet(CHAT, asked({ network: 'moon' }), quotes.chat),
        'model-unknown': () => byWallet(CHAT, asked({ model: 'acme/none' }), quotes.chat),
        'unsupported-parameter': () => byWallet(CHAT, asked({ top_p: 1 }), quotes.chat),
        'too-many-tokens': () =>
          byWallet(CHAT, asked({ max_tokens: 1_000_000, messages: LONG_PROMPT }), quotes.chat),
        'play-money': () => byWallet(CHAT, asked({ network: 'play' }), quotes.chat),
        'play-money of a test network': () =>
          byWallet(CHAT, asked({ network: 'sandbox' }), quotes.chat),
        'payment-refused': () => {
          const unsigned = { ...PAID, sent: { value: '8999' } };
          return byWallet(CHAT, asked(), quotes.chat, unsigned);
        },
        'model-ceiling': () => spentDay(world, () => byWallet(CHAT, asked(), quotes.chat)),
        'idempotency-mismatch': async () => {
          const body = asked({ idempotencyKey: 'mine' });
          const first = await byWallet(CHAT, body, quotes.chat);
          mustOk(first.answer);
          const { wallet } = first;
          const spent = await world.chain.balanceOf(wallet.address);
          await world.chain.mint(wallet.address, MONEY - spent);
          const signed = { value: 30_000n };
          const header = await payV2(world, wallet, quotes.chat, { signed });
          const answer = await send(CHAT, { ...body, max_tokens: 1_000 }, header);
          return { answer, wallet, account: '' };
        },
        ...byPolicies((payer) => bySigner(CHAT, asked(), payer)),
      }),
      'hosted.call': () => ({
        'not-found': () => byWallet(hosted.path, tool({ tool: 'none' }), quotes.tool),
        'payment-refused': () => {
          const unsigned = { ...PAID, sent: { value: '8999' } };
          return byWallet(hosted.path, tool(), quotes.tool, unsigned);
        },
        'payment-refused of a banned wallet': async () => {
          const wallet = freshWallet();
          await world.chain.mint(wallet.address, MONEY);
          const account = `evm:${wallet.address.toLowerCase()}`;
          await decide([world], 'ban', account, 'Fraud.');
          const header = await payV2(world, wallet, quotes.tool, PAID);
          return { answer: await send(hosted.path, tool(), header), wallet, account };
        },
        'ledger-frozen': () => frozen(world, () => byWallet(hosted.path, tool(), quotes.tool)),
        'answer refused of an agent that rests': () =>
          resting(world, hosted.endpoint, () => byWallet(hosted.path, tool(), quotes.tool)),
      }),
    };

    for (const [operation, casesOf] of Object.entries(CASES)) {
      it(`leaves the wallet of its payer as it was, for every refusal of ${operation}`, async () => {
        const wrong: string[] = [];
        for (const [name, run] of Object.entries(casesOf())) {
          const { answer, wallet, account } = await run();
          const [code] = name.split(' ');
          const outcome = answer.body['code'] ?? 'answer';
          if (outcome !== code) wrong.push(`${name}: ${answer.status} ${answer.text}`);
          const left = await world.chain.balanceOf(wallet.address);
          if (left !== MONEY) wrong.push(`${name}: the wallet has ${left}`);
          const balance = account === '' ? [] : await creditsOf(world, account);
          if (balance.length > 0) wrong.push(`${name}: ${account} was credited`);
        }
        assert.deepEqual(wrong, []);
      });

      it(`is tested with every refusal that the contract of ${operation} lists`, () => {
        const codes = new Set(Object.keys(casesOf()).map((name) => name.split(' ')[0] ?? ''));
        const spec = Object.values(operationTable).find(({ id }) => id === operation);
        assert.deepEqual(
          spec?.errors.filter((code) => !codes.has(code) && !isOfAnyCall(code)),
          [],
        );
      });
    }

    it('settles the payment once the owner of the key has approved it', async () => {
      const { owner, agent, wallet, call } = await limited({ approveAbove: '10' });
      const body = callBody(world, agent);
      const header = await payV1(world, wallet, quotes.call);
      const { approvalId } = mustRefuse(await call(body, header), 400, 'approval-needed');
      assert.equal(await world.chain.balanceOf(wallet.address), MONEY);
      const path = `/api/v1/wallet/${owner.account}/approvals/${String(approvalId)}`;
      mustOk(await owner.post(path, { decision: 'approved' }));
      assert.equal(at(mustOk(await call(body, header)), 'receipt', 'outcome'), 'served');
      assert.equal(await world.chain.balanceOf(wallet.address), MONEY - 5_000n);
    });

    it('settles no second payment when a wallet repeats a once-only request', async () => {
      const body = asked({ idempotencyKey: 'twice' });
      const { wallet, answer, account } = await byWallet(CHAT, body, quotes.chat, {
        signed: { value: 2_022n },
      });
      mustOk(answer);
      const left = await world.chain.balanceOf(wallet.address);
      const again = await send(CHAT, body, await payV2(world, wallet, quotes.chat));
      assert.deepEqual([mustOk(again)['repeated'], again.body['id']], [true, answer.body['id']]);
      assert.equal(await world.chain.balanceOf(wallet.address), left);
      assert.equal((await creditsOf(world, account)).length, 1);
    });
  });
}
