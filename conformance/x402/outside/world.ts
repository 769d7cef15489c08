import { endRun } from '../../harness/withoutRunner.ts';
import { bytesToHex } from 'viem';
import { HELLO } from '../../models/_desk.ts';
import { answerOf, localProvider, startUpstream, upstreamFile } from '../../models/_upstream.ts';
import { freshWallet, openPaidFixture } from '../_fixture.ts';

/**
 * A chain, a hub that sells answers of a model to anybody over x402, and two funded wallets, told to
 * the parent process, which asks at the end what each wallet has left.
 */
const MONEY = 50_000n;
const upstream = await startUpstream(answerOf(3, 20));
const file = upstreamFile([localProvider(upstream, { backend: 'upstream' })], [upstream]);
const { HUB_MODEL_UPSTREAMS = '' } = file.env;
const world = await openPaidFixture({ alsoCalls: [upstream.pair], env: { HUB_MODEL_UPSTREAMS } });
const wallets = [freshWallet(), freshWallet()];
for (const { address } of wallets) await world.chain.mint(address, MONEY);

process.on('message', (word) => {
  if (word === 'left') {
    void Promise.all(wallets.map(({ address }) => world.chain.balanceOf(address))).then((left) =>
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
  url: world.hub.url,
  body: { model: 'acme/small', messages: HELLO, max_tokens: 200 },
  money: String(MONEY),
  keys: wallets.map((wallet) => bytesToHex(wallet.getHdKey().privateKey ?? new Uint8Array())),
});
