import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { freePort, root } from '../../kinds/dredd/hub.mjs';

/** `npm run devnet` for a scenario: a chain, its token, funded wallets and a hub that follows it. */
const START_MS_MAX = 60_000;

export async function startDevnet() {
  const child = spawn(
    process.execPath,
    ['--import', 'tsx', 'conformance/harness/chain/devnet.ts'],
    {
      cwd: root,
      env: { ...process.env, HUB_PORT: String(await freePort()), HUB_LOG: 'error' },
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  const stop = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const gone = once(child, 'exit');
    child.kill('SIGTERM');
    await gone;
  };
  let reported = '';
  child.stdout.on('data', (text) => (reported += text));
  const deadline = performance.now() + START_MS_MAX;
  while (!reported.includes('Ctrl+C ends it.')) {
    if (child.exitCode !== null || performance.now() > deadline) {
      await stop();
      throw new Error(`the devnet did not start:\n${reported}`);
    }
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  const word = (pattern) => pattern.exec(reported)[1];
  const token = word(/^ +token +(\S+)/m);
  const call = callerOf(word(/^ +chain +(\S+)/m));
  const wallets = [...reported.matchAll(/^ +\d +(0x[0-9a-fA-F]{40})$/gm)].map(
    ([, wallet]) => wallet,
  );
  return {
    url: word(/^ +hub +(\S+)/m),
    wallets,
    stop,
    pay: (from, to, units) =>
      call('eth_sendTransaction', [
        { from, to: token, data: `0xa9059cbb${padded(to)}${hex(units)}` },
      ]),
    balanceOf: async (wallet) =>
      BigInt(
        await call('eth_call', [{ to: token, data: `0x70a08231${padded(wallet)}` }, 'latest']),
      ),
  };
}

const padded = (address) => address.slice(2).toLowerCase().padStart(64, '0');
const hex = (units) => units.toString(16).padStart(64, '0');

function callerOf(chain) {
  return async (method, params) => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
    const headers = { 'content-type': 'application/json' };
    const { result, error } = await (await fetch(chain, { method: 'POST', headers, body })).json();
    if (error !== undefined) throw new Error(`${method}: ${error.message}`);
    return result;
  };
}
