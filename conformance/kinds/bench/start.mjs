// Time from start to the first answer on an existing database, and memory when idle.
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { line, median, ratio } from './harness.mjs';

const STARTS = 5;
const IDLE_MS = 5000;
const PORT = 4421;
const url = `http://127.0.0.1:${PORT}/api/v1`;

export async function startAndIdle() {
  const folder = mkdtempSync(join(tmpdir(), 'hub-bench-'));
  const milliseconds = [];
  let megabytes = 0;
  try {
    for (let n = 0; n <= STARTS; n += 1) {
      const started = performance.now();
      const child = spawn(process.execPath, ['dist/server/main.js'], {
        env: {
          ...process.env,
          HUB_PORT: String(PORT),
          HUB_DATA_DIR: folder,
          HUB_LOG: 'fatal',
          FAUCET_ENABLED: 'true',
        },
        stdio: 'ignore',
      });
      const gone = new Promise((resolve) => child.once('exit', resolve));
      await firstAnswer();
      // The first start makes the database, which later ones find.
      if (n > 0) milliseconds.push(performance.now() - started);
      if (n === STARTS) {
        await new Promise((resolve) => setTimeout(resolve, IDLE_MS));
        megabytes =
          Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))[1]) /
          1024;
      }
      child.kill('SIGINT');
      await gone;
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  line(`start and idle (median of ${STARTS} starts)`);
  ratio('seconds to the first answer', median(milliseconds) / 1000, 0.3, 'less');
  ratio(`MB resident after ${IDLE_MS / 1000} s idle`, megabytes, 90, 'less');
}

async function firstAnswer() {
  const deadline = Date.now() + 30_000;
  while (Date.now() < deadline) {
    const answered = await fetch(url).then(
      (response) => response.ok,
      () => false,
    );
    if (answered) return;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  throw new Error('the hub did not answer within 30 s');
}
