import { fork } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { root } from '../../kinds/dredd/hub.mjs';
import { copyBeside, installIn } from '../../harness/npm.mjs';
import { asCommand, environment, runWithin } from '../../../tools/python.mjs';

/**
 * `npm run payments:clients`: unmodified x402 packages, too large to install with the hub, on their
 * own chain. `x402-fetch` (version 1) and `x402` from PyPI pay the hub, the latter also signed, and
 * the hub pays behind `x402-express` (version 1). Exit codes: 0 paid, 1 not, 2 it could not run.
 */
const here = fileURLToPath(new URL('.', import.meta.url));
const RUN_MS_MAX = 2 * 60_000;
const SCRIPTS = ['pay.mjs', 'seller.mjs'];

await asCommand(async () => {
  const cache = join(root, 'node_modules/.cache/x402-clients');
  const folder = installed(join(cache, 'npm'));
  const python = join(environment(join(here, 'requirements.txt'), join(cache, 'python')), 'python');
  const world = fork(join(here, 'world.ts'), { execArgv: ['--import', 'tsx'], cwd: root });
  try {
    const [{ url, body, money, keys, signed, seller }] = await once(world, 'message');
    const [first, second, third] = keys;
    const words = (key, what) => [url, key, JSON.stringify(what)];
    const payer = join(here, 'pay.py');
    const codes = [
      await runWithin(RUN_MS_MAX, process.execPath, [
        join(folder, 'pay.mjs'),
        ...words(first, body),
      ]),
      await runWithin(RUN_MS_MAX, python, [payer, ...words(second, body)]),
    ];
    await asked(world, 'now');
    codes.push(
      await runWithin(RUN_MS_MAX, python, [payer, ...words(third, signed.body), signed.seed]),
    );
    const { left } = await asked(world, 'left');
    process.stdout.write(`the wallets had ${money} atomic units and have ${left.join(', ')}\n`);
    const paid = left.every((each) => BigInt(each) < BigInt(money));
    const sold = await sells(join(folder, 'seller.mjs'), seller, world);
    return codes.every((code) => code === 0) && paid && sold ? 0 : 1;
  } finally {
    if (world.exitCode === null) {
      world.send('end');
      await once(world, 'exit');
    }
  }
});

/** Whether the hub buys one answer of the seller, which is paid on the chain for it. */
async function sells(script, { ports, rpc, token, payTo, key, amount }, world) {
  const shop = fork(script, [...ports, rpc, token, payTo, key, amount].map(String));
  try {
    await once(shop, 'message');
    const { receipt, earned } = await asked(world, 'buy');
    const { outcome, why, payment } = receipt;
    process.stdout.write(`x402-express: ${outcome}, ${why} It has ${earned} atomic units.\n`);
    return outcome === 'served' && payment?.state === 'settled' && earned === amount;
  } finally {
    shop.disconnect();
  }
}

async function asked(world, word) {
  world.send(word);
  const [answer] = await once(world, 'message');
  return answer;
}

function installed(folder) {
  const wanted = readFileSync(join(here, 'package.json'), 'utf8');
  const complete = join(folder, 'complete.json');
  for (const script of SCRIPTS) copyBeside(here, folder, script);
  if (!existsSync(complete) || readFileSync(complete, 'utf8') !== wanted) {
    process.stdout.write('Installing x402-fetch and x402-express\n');
    installIn(folder, 'x402-fetch and x402-express');
    writeFileSync(complete, wanted);
  }
  return folder;
}
