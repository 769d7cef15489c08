// Loads servers in turn and prints medians; only ratios of one interleaved run mean anything.
import { fork } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';

export function machine() {
  const [first] = cpus();
  return `${cpus().length} x ${first?.model.trim()}, ${Math.round(totalmem() / 2 ** 30)} GiB, Node ${process.version}`;
}

export function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)];
}

/** Forks a server script; resolves once it says it is ready. */
export function serve(script, port, more = []) {
  return new Promise((resolve, reject) => {
    const child = fork(new URL(script, import.meta.url), [String(port), ...more], {
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
    child.once('message', () => resolve(child));
    child.once('exit', (code) => reject(new Error(`${script} ended with ${code}`)));
  });
}

/** Runs every load once per round, in turn, after one round that only warms up. */
export async function interleave(loads, rounds) {
  const figures = Object.fromEntries(Object.keys(loads).map((name) => [name, []]));
  for (let round = 0; round <= rounds; round += 1) {
    for (const [name, load] of Object.entries(loads)) {
      const figure = await load();
      if (round > 0) figures[name].push(figure);
    }
  }
  return Object.fromEntries(Object.entries(figures).map(([name, all]) => [name, median(all)]));
}

/** Linux counts processor time in hundredths of a second. */
const TICK_MS = 10;

/** Milliseconds of processor time of a process with its threads so far; NaN but on Linux. */
export function cpuMs(pid) {
  const path = `/proc/${pid}/stat`;
  if (!existsSync(path)) return NaN;
  const fields = readFileSync(path, 'utf8').split(') ')[1].split(' ');
  return (Number(fields[11]) + Number(fields[12])) * TICK_MS;
}

/** Runs a load and notes its processor time per operation, which is steadier than its rate. */
export async function costed(child, costs, name, load) {
  const before = cpuMs(child.pid);
  const { perSecond, count } = await load();
  (costs[name] ??= []).push(((cpuMs(child.pid) - before) * 1000) / count);
  return perSecond;
}

export function line(text) {
  process.stdout.write(`${text}\n`);
}

export function ratio(title, value, aim, better = 'more') {
  const met = better === 'more' ? value >= aim : value <= aim;
  line(
    `  ${title}: ${value.toFixed(2)} (aim ${better === 'more' ? '>=' : '<='} ${aim}) ${met ? 'met' : 'MISSED'}`,
  );
}
