import { readFile } from 'node:fs/promises';
import type { LoadedHub } from './hubs.ts';
import { quantile } from './quantile.ts';
import type { Watch } from './watch.ts';

/** The Prometheus metrics of one hub at one time, of the window since it was asked before. */
export interface Sample {
  readonly hub: number;
  readonly pid: number | undefined;
  readonly at: number;
  readonly rssBytes: number;
  readonly heapBytes: number;
  /** Bytes that its heap has of the machine, used or not. */
  readonly heapTotalBytes: number;
  /** Buffers and typed arrays, outside of the heap. */
  readonly externalBytes: number;
  readonly cpuSeconds: number;
  /** The 99th percentile of the delay of its event loop in this window. */
  readonly loopP99Ms: number;
  readonly loopMaxMs: number;
  /** The same of what is its own doing, without its waiting for a processor (`loopTurns.ts`). */
  readonly ownP99Ms: number;
  readonly ownMaxMs: number;
  /** The share of the window in which its main thread was ready and had no processor. */
  readonly waitedShare: number;
  readonly inFault: boolean;
}

export interface Sampler {
  readonly samples: readonly Sample[];
  stop(): Promise<void>;
}

interface Before {
  readonly at: number;
  readonly pid: number | undefined;
  readonly waitedMs: number;
}

const EVERY_MS = 5_000;

/** Asks each hub in turn: a scrape begins a new window of the delay of its loop. */
export function startSampler(hubs: readonly LoadedHub[], watch: Watch): Sampler {
  const samples: Sample[] = [];
  const before = new Map<number, Before>();
  const one = async (hub: LoadedHub): Promise<void> => {
    const { number, pid } = hub;
    const [text, delays] = [await hub.metrics(), await hub.loopDelays()];
    const at = performance.now();
    const waitedMs = await waitedMsOf(pid);
    const last = before.get(number);
    before.set(number, { at, pid, waitedMs });
    if (text === undefined || last === undefined || last.pid !== pid || pid !== hub.pid) return;
    if (delays.length === 0) return;
    samples.push({
      hub: number,
      pid,
      at,
      rssBytes: valueOf(text, 'process_resident_memory_bytes'),
      heapBytes: valueOf(text, 'nodejs_heap_size_used_bytes'),
      heapTotalBytes: valueOf(text, 'nodejs_heap_size_total_bytes'),
      externalBytes: valueOf(text, 'nodejs_external_memory_bytes'),
      cpuSeconds: valueOf(text, 'process_cpu_seconds_total'),
      loopP99Ms: valueOf(text, 'nodejs_eventloop_lag_p99_seconds') * 1000,
      loopMaxMs: valueOf(text, 'nodejs_eventloop_lag_max_seconds') * 1000,
      ownP99Ms: quantile(delays, 0.99),
      ownMaxMs: quantile(delays, 1),
      waitedShare: (waitedMs - last.waitedMs) / (at - last.at),
      inFault: watch.hadFault(number, last.at, at),
    });
  };
  let asking: Promise<unknown> = Promise.resolve();
  const timer = setInterval(() => {
    asking = Promise.all(hubs.map(one));
  }, EVERY_MS);
  return {
    samples,
    async stop() {
      clearInterval(timer);
      await asking;
    },
  };
}

export function valueOf(text: string, name: string): number {
  const found = new RegExp(`^${name} (\\S+)$`, 'm').exec(text);
  return Number(found?.[1] ?? NaN);
}

/** How long Linux let the main thread of a process wait for a processor; zero elsewhere. */
async function waitedMsOf(pid: number | undefined): Promise<number> {
  const path = `/proc/${pid}/task/${pid}/schedstat`;
  const text = await readFile(path, 'utf8').catch(() => '');
  return Number(text.split(' ')[1] ?? 0) / 1e6;
}
