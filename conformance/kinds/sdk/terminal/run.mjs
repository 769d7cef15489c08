import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root, startHub } from '../../dredd/hub.mjs';
import { asCommand, CannotRun } from '../../../../tools/python.mjs';

/**
 * `hub` in a real terminal (`script` of util-linux): colours, an overwritten progress line,
 * NO_COLOR, first money, in a minute. Exit codes: 0 all held, 1 one did not, 2 it could not run.
 */
const WORK_MS_MAX = 150_000;
const GREEN = '\u001b[32m';
const WRITTEN_OVER = '\r\u001b[K';

await asCommand(async () => {
  if (spawnSync('script', ['--version']).status !== 0) {
    throw new CannotRun('It needs `script` of util-linux, which makes a terminal.');
  }
  const folder = mkdtempSync(join(tmpdir(), 'hub-terminal-'));
  const hub = await startHub();
  try {
    const cli = join(root, 'clients/typescript/cli/main.ts');
    const tsx = join(root, 'node_modules/tsx/dist/esm/index.mjs');
    const run = (words, env = {}) => {
      const command = `${process.execPath} --import ${tsx} ${cli} ${words}`;
      const { status, stdout } = spawnSync('script', ['-qec', command, '/dev/null'], {
        cwd: folder,
        encoding: 'utf8',
        timeout: WORK_MS_MAX,
        env: { PATH: process.env.PATH, TERM: 'xterm', AGENT_HUB: hub.url, ...env },
      });
      return { status, text: stdout };
    };
    const began = Date.now();
    const worked = run('work');
    const seconds = Math.round((Date.now() - began) / 1000);
    const again = run('me', { NO_COLOR: '1' });
    const held = [
      ['it earns its first money', worked.status === 0 && /paid 0\.0485 USDC/.test(worked.text)],
      ['in green', worked.text.includes(GREEN)],
      ['after a countdown on one line', worked.text.split(WRITTEN_OVER).length > 10],
      ['and the receipt is checked', /the hub signed for it in/.test(worked.text)],
      ['NO_COLOR takes colours away', again.status === 0 && !again.text.includes('\u001b[')],
    ];
    for (const [what, isSo] of held) process.stdout.write(`${isSo ? 'held' : 'NOT '} ${what}\n`);
    process.stdout.write(`first money after ${seconds} s\n`);
    if (held.every(([, isSo]) => isSo)) return 0;
    process.stdout.write(`${worked.text}\n${again.text}\n`);
    return 1;
  } finally {
    await hub.stop();
    rmSync(folder, { recursive: true, force: true });
  }
});
