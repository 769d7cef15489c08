// Memory after garbage collection of a hub over 10,000 streams of a model, 50 at a time.
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { Agent } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { theilSen } from '../load/figures.ts';
import { line, ratio } from '../bench/harness.mjs';
import { call, startDesk, startProvider, type Way } from './modelDesk.ts';
import { closeCallers } from '../bench/taskClient.ts';

const STREAMS = Number(process.env['BENCH_STREAMS'] ?? 10_000);
const AT_ONCE = 50;
const SAMPLES = 10;
const MB = 1_048_576;
/** Growth of the heap over all streams after the first fifth, which fills pools and caches. */
const GROWTH_MB_MAX = 5;

interface Memory {
  readonly heapUsed: number;
  readonly rss: number;
}

const folder = mkdtempSync(join(tmpdir(), 'hub-bench-'));
const provider = await startProvider();
const hub = await startDesk(folder, provider.port);
try {
  await run(hub);
} finally {
  for (const { child } of [hub, provider]) child.kill();
  closeCallers();
  rmSync(folder, { recursive: true, force: true });
}

async function run(way: Way): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE });
  const each = Math.ceil(STREAMS / SAMPLES);
  const before = await memoryOf(way);
  line(`${STREAMS} streams of a model, ${AT_ONCE} at a time`);
  line(`  before: heap ${mb(before.heapUsed)}, process ${mb(before.rss)}`);
  const samples: Memory[] = [];
  for (let part = 1; part <= SAMPLES; part += 1) {
    await streams(way, agent, each);
    const memory = await memoryOf(way);
    samples.push(memory);
    line(`  after ${part * each}: heap ${mb(memory.heapUsed)}, process ${mb(memory.rss)}`);
  }
  agent.destroy();
  const slope = (of: keyof Memory): number =>
    theilSen(samples.slice(SAMPLES / 5).map((memory, n) => [n * each, memory[of]])) * STREAMS;
  line(`  slope of the process over as many streams: ${mb(slope('rss'))}`);
  const title = `slope of the heap over as many streams, in MB`;
  ratio(title, slope('heapUsed') / MB, GROWTH_MB_MAX, 'less');
}

async function streams(way: Way, agent: Agent, count: number): Promise<void> {
  let left = count;
  const worker = async (): Promise<void> => {
    while (left > 0) {
      left -= 1;
      await call(way, agent, true);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
}

async function memoryOf({ child }: Way): Promise<Memory> {
  child.send('memory');
  const [memory] = (await once(child, 'message')) as [Memory];
  return memory;
}

function mb(bytes: number): string {
  return `${(bytes / MB).toFixed(1)} MB`;
}
