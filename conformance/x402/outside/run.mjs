import { fork } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { root } from '../../dredd/hub.mjs';
import { copyBeside, installIn } from '../../harness/npm.mjs';
import { asCommand, environment, runWithin } from '../../harness/python.mjs';

/**
 * `npm run payments:clients`: the published clients that are too large to be installed with the hub,
 * `x402-fetch` of version 1 and `x402` from PyPI, pay a hub on a chain of its own, unmodified.
 * Exit codes: 0 all paid, 1 one did not, 2 it could not run.
 */
const here = fileURLToPath(new URL('.', import.meta.url));
const RUN_MS_MAX = 2 * 60_000;

await asCommand(async () => {
  const cache = join(root, 'node_modules/.cache/x402-clients');
  const script = installed(join(cache, 'npm'));
  const python = join(environment(join(here, 'requirements.txt'), join(cache, 'python')), 'python');
  const world = fork(join(here, 'world.ts'), { execArgv: ['--import', 'tsx'], cwd: root });
  try {
    const [{ url, body, money, keys }] = await once(world, 'message');
    const [first, second] = keys;
    const words = (key) => [url, key, JSON.stringify(body)];
    const codes = [
      await runWithin(RUN_MS_MAX, process.execPath, [script, ...words(first)]),
      await runWithin(RUN_MS_MAX, python, [join(here, 'pay.py'), ...words(second)]),
    ];
    world.send('left');
    const [{ left }] = await once(world, 'message');
    process.stdout.write(`the wallets had ${money} atomic units and have ${left.join(' and ')}\n`);
    const paid = left.every((each) => BigInt(each) < BigInt(money));
    return codes.every((code) => code === 0) && paid ? 0 : 1;
  } finally {
    if (world.exitCode === null) {
      world.send('end');
      await once(world, 'exit');
    }
  }
});

/** The client of npm in a folder of its own; answers the script beside it. */
function installed(folder) {
  copyBeside(here, folder, 'pay.mjs');
  if (!existsSync(join(folder, 'node_modules/x402-fetch'))) {
    process.stdout.write('Installing x402-fetch\n');
    installIn(folder, 'x402-fetch');
  }
  return join(folder, 'pay.mjs');
}
