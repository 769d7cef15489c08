import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { root } from '../../kinds/dredd/hub.mjs';
import { asCommand, environment } from '../../../tools/python.mjs';

/**
 * `npm run poker:pokerkit`: PokerKit (PyPI, Python 3.11) replays POKER_HANDS hands of the engine,
 * from POKER_SEED. Exit codes: 0 all held, 1 one did not, 2 it could not run.
 */
const here = fileURLToPath(new URL('.', import.meta.url));
const HANDS = process.env.POKER_HANDS ?? '40000';
const SEED = process.env.POKER_SEED ?? '2026';

await asCommand(async () => {
  const cache = join(root, 'node_modules/.cache/poker-pokerkit');
  const python = join(environment(join(here, 'requirements.txt'), cache), 'python');
  const words = ['--import=tsx', join(here, 'hands.ts'), HANDS, SEED];
  const played = spawn(process.execPath, words, {
    cwd: root,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const replayed = spawn(python, [join(here, 'replay.py'), HANDS], {
    stdio: ['pipe', 'inherit', 'inherit'],
  });
  // A replay that ends early says why itself; the hands that are left have no reader then.
  replayed.stdin.on('error', () => played.kill());
  played.stdout.pipe(replayed.stdin);
  const codes = await Promise.all([played, replayed].map(exitOf));
  return codes.every((code) => code === 0) ? 0 : 1;
});

function exitOf(child) {
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code) => resolve(code ?? 1));
  });
}
