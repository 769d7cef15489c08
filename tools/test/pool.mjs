/**
 * A run's workers: each gets the longest file left, so all end at about the same time. One that
 * dies, or is silent for longer than its test may take, fails its file and is replaced.
 */
import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { ROOT } from './typescript.mjs';

const WORKER = fileURLToPath(new URL('worker.mjs', import.meta.url));
const LOADER = new URL('loader.mjs', import.meta.url).href;
/** A worker says every other second that it is alive; a stuck event loop, or a dead one, does not. */
const SILENT_MS_MAX = 60_000;
/** The time for a worker to end by itself when its files left nothing open. */
const END_MS_MAX = 10_000;
/** A worker that has grown to this is replaced by a fresh one. */
const RSS_MAX = 1_600 * 1024 * 1024;

const hasGroups = process.platform !== 'win32';

const SIGNALS = {
  SIGKILL: 'was killed',
  SIGSEGV: 'crashed',
  SIGABRT: 'ran out of memory or aborted',
};

export async function runAll(chosen, { workers, env, options, report, durations }) {
  const queue = [...chosen];
  // Runs beside each other on one machine look for ports at different places, as workers do.
  const begin = Math.random();
  const lanes = Array.from({ length: Math.min(workers, chosen.length) }, (_, nth) => lane(nth));
  await Promise.all(lanes);

  async function lane(nth) {
    while (queue.length > 0) {
      const worker = startWorker((begin + nth / workers) % 1, { env, options });
      let isAlive = true;
      while (isAlive && queue.length > 0) {
        const { file, titles } = queue.shift();
        const ended = await worker.run(file, titles);
        report.file({ ...ended, worker: nth + 1 });
        ended.failures.forEach(report.failed);
        if (ended.lost !== undefined) report.fail(file, ended.step, ended.lost);
        else durations[file] = ended.ms;
        isAlive = ended.lost === undefined && ended.rss < RSS_MAX;
      }
      const late = await worker.end();
      // A handle that a failed file left open is no fault of its own.
      const isNotified = worker.ran.some((file) => report.badFiles().includes(file));
      if (late !== undefined && !isNotified) {
        report.fail(worker.ran.join(', '), 'the end of the worker', late);
      }
    }
  }
}

function startWorker(share, { env, options }) {
  const ran = [];
  const child = fork(WORKER, [String(share), JSON.stringify(options)], {
    cwd: ROOT,
    env,
    execArgv: ['--import', LOADER],
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    // A group of its own, so that what it started ends with it.
    detached: hasGroups,
  });
  const stop = () => {
    try {
      process.kill(hasGroups ? -child.pid : child.pid, 'SIGKILL');
    } catch {
      // All of them are gone.
    }
  };
  process.once('exit', stop);
  let now;
  let timer;
  let stray = '';
  // Whatever the files print themselves.
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text) => (stray += text));
  }
  const gone = new Promise((resolve) => {
    child.once('exit', (code, signal) => {
      clearTimeout(timer);
      const how =
        signal === null ? `ended with code ${code}` : (SIGNALS[signal] ?? `got ${signal}`);
      const before = ran.length > 1 ? `, after ${ran.at(-2)}` : '';
      now?.lose(`the worker ${how} in this test${before}`);
      resolve();
    });
    child.once('error', (error) => {
      now?.lose(`the worker failed: ${error.message}`);
      resolve();
    });
  });

  const watch = () => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      now?.lose(`the worker was stuck for ${SILENT_MS_MAX / 1000} s in this step and was stopped`);
      stop();
    }, SILENT_MS_MAX);
  };
  const heard = {
    step({ title }) {
      now.step = title;
    },
    line: ({ text }) => now.lines.push(text),
    pass: () => (now.counts.passed += 1),
    pending: () => (now.counts.skipped += 1),
    fail({ format, words }) {
      now.counts.failed += 1;
      now.failures.push({ file: now.file, format, words });
    },
    done: ({ ms, cpuMs, rss }) => now.finish({ ms, cpuMs, rss }),
  };
  child.on('message', (message) => {
    if (now === undefined) return;
    watch();
    heard[message.is]?.(message);
  });

  return {
    ran,
    run(file, titles) {
      ran.push(file);
      const began = performance.now();
      return new Promise((resolve) => {
        const finish = (how) => {
          if (now === undefined) return;
          clearTimeout(timer);
          const { lines, counts, failures, step } = now;
          now = undefined;
          const text = stray;
          stray = '';
          resolve({ file, lines, counts, failures, step, stray: text.trimEnd(), ...how });
        };
        now = {
          file,
          step: 'loading',
          lines: [],
          counts: { passed: 0, failed: 0, skipped: 0 },
          failures: [],
          finish,
          lose: (lost) => finish({ lost, ms: performance.now() - began, rss: 0 }),
        };
        watch();
        if (child.exitCode !== null || child.signalCode !== null) now.lose('the worker had ended');
        else child.send({ is: 'file', file, titles }, (error) => error && now?.lose(String(error)));
      });
    },
    /** Says what was left open when the worker does not end by itself. */
    async end() {
      if (child.connected) child.send({ is: 'end' }, () => undefined);
      let late;
      const last = setTimeout(() => {
        late = `something is left open: the worker did not end within ${END_MS_MAX / 1000} s`;
        stop();
      }, END_MS_MAX);
      await gone;
      clearTimeout(last);
      stop();
      process.off('exit', stop);
      if (stray.trim() !== '') process.stdout.write(`${stray}\n`);
      return late;
    },
  };
}
