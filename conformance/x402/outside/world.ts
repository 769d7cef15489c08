import { endRun } from '../../harness/withoutRunner.ts';
import { bytesToHex, type Hex } from 'viem';
import type { HDAccount } from 'viem/accounts';
import { freePort } from '../../../clients/examples/freePort.ts';
import { generateKey } from '../../../clients/typescript/sign.ts';
import { agentWith } from '../../harness/agents.ts';
import { accountAt } from '../../harness/chain/anvil.ts';
import { TREASURY } from '../../harness/chain/hub.ts';
import { mustOk } from '../../harness/must.ts';
import { HELLO } from '../../models/_desk.ts';
import { answerOf, localProvider, startUpstream, upstreamFile } from '../../models/_upstream.ts';
import { call, list, receiptOf } from '../../router/_fixture.ts';
import { walletPath } from '../../wallet/_signed.ts';
import { callBody, freshWallet, openPaidFixture, PRICE, registerPayout } from '../_fixture.ts';

/**
 * A chain, funded wallets, and a hub that sells a model's answers over x402 and calls to signers,
 * for the parent process. The hub buys once the seller is there, and reports the wallets at the
 * end.
 */
const MONEY = 50_000n;
const upstream = await startUpstream(answerOf(3, 20));
const file = upstreamFile([localProvider(upstream, { backend: 'upstream' })], [upstream]);
const { HUB_MODEL_UPSTREAMS = '' } = file.env;
const [sellerPort, facilitatorPort] = [await freePort(), await freePort()];
const world = await openPaidFixture({
  alsoCalls: [upstream.pair, `127.0.0.1:${sellerPort}`],
  env: { HUB_MODEL_UPSTREAMS, X402_PAY_UPSTREAM: '6000,60000' },
});
const { chain, hub } = world;
const wallets = [freshWallet(), freshWallet(), freshWallet()];
for (const { address } of wallets) await chain.mint(address, MONEY);
await chain.mint(TREASURY.address, MONEY);
// A signer outside of the hub's process has the time of the machine.
const keepTime = (): void => hub.clock.jump(Math.max(0, Date.now() - hub.clock.now()));

/** An account that is short, whose payout address is the last wallet: its calls are signed. */
const signing = await generateKey();
const [, , paying] = wallets;
if (paying !== undefined) await registerPayout(world, signing.account, paying);
const payTo = accountAt(6).address;

type Word = 'left' | 'end' | 'now' | 'buy';
process.on('message', (word: Word) => {
  if (word === 'now') {
    keepTime();
    process.send?.({});
  } else if (word === 'buy') void buy().then((bought) => process.send?.(bought));
  else if (word === 'left') {
    void Promise.all(wallets.map(({ address }) => chain.balanceOf(address))).then((left) =>
      process.send?.({ left: left.map(String) }),
    );
  } else {
    void world.close().then(async () => {
      await upstream.close();
      file.remove();
      await endRun();
      process.exit(0);
    });
  }
});
process.send?.({
  url: hub.url,
  body: { model: 'acme/small', messages: HELLO, max_tokens: 200 },
  money: String(MONEY),
  keys: wallets.map(secretOf),
  signed: {
    seed: Buffer.from(signing.secretKey).toString('hex'),
    body: callBody(world, agentWith(hub, signing)),
  },
  seller: {
    ports: [sellerPort, facilitatorPort],
    rpc: chain.url,
    token: chain.token,
    payTo,
    key: secretOf(accountAt(7)),
    amount: PRICE,
  },
});

/** The hub pays the seller for an account whose money came in over the chain. */
async function buy(): Promise<object> {
  const buyer = await world.agent();
  const made = mustOk(await buyer.post(`${walletPath(buyer)}/deposit-address`));
  await chain.mint(made['address'] as Hex, MONEY);
  await hub.runJob('deposits');
  await chain.mine(7);
  await hub.runJob('deposits');
  const endpoint = `http://127.0.0.1:${sellerPort}/mcp`;
  const agentId = await list(world, { endpoint }, ['answer'], { price: PRICE });
  keepTime();
  const answer = await call(buyer, { agentId, operation: 'answer', maxPrice: PRICE });
  return { receipt: receiptOf(answer), earned: String(await chain.balanceOf(payTo)) };
}

function secretOf(wallet: HDAccount): Hex {
  return bytesToHex(wallet.getHdKey().privateKey ?? new Uint8Array());
}
