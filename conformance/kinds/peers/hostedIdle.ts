// Memory and processor time of a thousand connected agents without calls, per agent.
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { cpuMs, line } from '../bench/harness.mjs';
import { newCaller, type BenchHub, type Caller } from '../bench/taskClient.ts';

const AGENTS = Number(process.env['BENCH_AGENTS'] ?? 1_000);
const SECONDS = Number(process.env['BENCH_IDLE_SECONDS'] ?? 60);
const SETTLE_MS = 10_000;
const STEP_MS = 1_000;
const AT_ONCE = 32;

export async function idleConnections({ port, child }: BenchHub): Promise<void> {
  const agents = Array.from({ length: AGENTS }, () => newCaller(port));
  // Every key is known before the first figure, which so has only the connections beside it.
  await inTurn(agents, (agent) => poll(agent, { wait: 0 }));
  const before = await lowest(child.pid, SETTLE_MS);
  let isOver = false;
  let polls = 0;
  const connections = agents.map(async (agent) => {
    while (!isOver) {
      await poll(agent, { wait: 15 });
      polls += 1;
    }
  });
  await sleep(SETTLE_MS);
  const [cpu, answered] = [cpuMs(child.pid), polls];
  const after = await lowest(child.pid, SECONDS * 1_000);
  const share = (cpuMs(child.pid) - cpu) / (SECONDS * 10);
  const perSecond = ((polls - answered) / SECONDS).toFixed(0);
  const each = ((after - before) / AGENTS).toFixed(1);
  line(`${AGENTS} idle connected agents for ${SECONDS} s`);
  line(`  ${each} KB each: ${before / 1024} to ${after / 1024} MB, the lowest of each stretch`);
  line(`  ${perSecond} polls a second, ${share.toFixed(1)} % of one core`);
  isOver = true;
  await inTurn(agents, (agent) => poll(agent, { close: true }));
  await Promise.all(connections);
}

async function poll(agent: Caller, body: object): Promise<void> {
  const keyId = agent.account.slice('key:'.length);
  await agent.post(`/api/v1/hosted/${keyId}/connection`, body);
}

async function inTurn(agents: readonly Caller[], act: (agent: Caller) => Promise<void>) {
  const left = [...agents];
  const worker = async (): Promise<void> => {
    for (let agent = left.pop(); agent !== undefined; agent = left.pop()) await act(agent);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
}

/** The lowest resident memory of a stretch in KB: what lies above it waits for the collector. */
async function lowest(pid: number | undefined, ms: number): Promise<number> {
  let least = Infinity;
  for (let passed = 0; passed < ms; passed += STEP_MS) {
    await sleep(STEP_MS);
    const [, kilobytes] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
    least = Math.min(least, Number(kilobytes));
  }
  return least;
}
