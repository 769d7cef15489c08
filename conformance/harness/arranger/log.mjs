import { createHash, sign } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { privateKeyOf, rawKeyOf } from './account.mjs';

/** The state that must exist for operations of the log: a leaf, and a witness that has signed. */
const LOGGED_MS_MAX = 60_000;
const POLL_MS = 500;
const NAME = 'witness.example/w1';
const KEY = privateKeyOf(Buffer.alloc(32, 3));
const TYPED = Buffer.concat([Buffer.of(4), rawKeyOf(KEY)]);
const HASH = createHash('sha256').update(`${NAME}\n`).update(TYPED).digest().subarray(0, 4);
/** The key that the hub of a run takes as its witness. */
export const WITNESS = `${NAME}+${HASH.toString('hex')}+${TYPED.toString('base64')}`;

export function logSetups({ url, alice, post, unused, now }) {
  const state = async () => (await fetch(`${url}/api/v1/log`)).json();

  async function logged() {
    const until = Date.now() + LOGGED_MS_MAX;
    if ((await state()).size === 0) {
      const body = { caller: alice.account, operation: 'no-such-tool', arguments: {} };
      await post(alice, '/api/v1/call', { ...body, idempotencyKey: unused() });
    }
    while ((await state()).size === 0 && Date.now() < until) await sleep(POLL_MS);
    return state();
  }

  async function entry() {
    await logged();
    const answer = await fetch(`${url}/api/v1/log/tile/entries/000.p/1`);
    return JSON.parse(
      Buffer.from(await answer.arrayBuffer())
        .subarray(2)
        .toString(),
    );
  }

  async function cosigned() {
    const { size, checkpoint } = await logged();
    const text = checkpoint.slice(0, checkpoint.indexOf('\n\n') + 1);
    const seconds = Math.floor(now() / 1000);
    const time = Buffer.alloc(8);
    time.writeBigUInt64BE(BigInt(seconds));
    const signature = sign(null, `cosignature/v1\ntime ${seconds}\n${text}`, KEY);
    const line = `— ${NAME} ${Buffer.concat([HASH, time, signature]).toString('base64')}`;
    return { body: { size, line } };
  }

  const any = async () => void (await logged());
  return {
    'log.state': any,
    'log.checkpoint': any,
    'log.tile': any,
    'log.consistency': any,
    'log.proof': async () => ({ path: { digest: (await entry()).digest } }),
    'log.cosign': cosigned,
  };
}
