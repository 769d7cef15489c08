// Notes written per second, each with an embedding of 768 numbers: by the hub's door, signed,
// charged and durable, and by mem0's library with a mocked embedder and model (`infer`).
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { median } from '../bench/harness.mjs';
import { openMem0 } from './memoryMem0.ts';
import { closeCallers, fund, newCaller, startHub } from '../bench/taskClient.ts';
import { vectorSource } from './memoryVectors.ts';
import { packVector } from '../../../domain/models/embedding.ts';

const ROUNDS = 3;
const AT_ONCE = 16;
/** Notes of a round; mem0 is slow enough for few. */
const HUB_NOTES = Number(process.env['BENCH_NOTES'] ?? 480);
const PEER_NOTES = 8;
/** Notes that each memory holds before anything is measured; an account may have 10,000. */
const HELD = [1_000, 10_000];
const LINES = 100;
const IMPORTS = 4;
const AIM = 100;

const line = (text: string): void => void process.stdout.write(`${text}\n`);
const random = vectorSource(11);
const embedding = (): readonly number[] => Array.from(random());
const content = (n: number): string => `note ${n}: the parcel of order ${n * 7} was left at noon`;

const folder = await mkdtemp(join(tmpdir(), 'hub-bench-'));
const hub = await startHub(`sqlite:${join(folder, 'hub.sqlite')}`, folder);
try {
  const writers = Array.from({ length: AT_ONCE }, () => newCaller(hub.port));
  const spaces = await Promise.all(
    writers.map(async (writer) => {
      await fund(hub.port, writer, 1);
      const body = { owner: writer.account, name: 'bench', kind: 'private' };
      return String((await writer.post('/api/v1/memory/spaces', body))['id']);
    }),
  );
  let written = 0;
  const write = async (nth: number): Promise<void> => {
    written += 1;
    const body = { author: writers[nth]?.account, spaceId: spaces[nth], content: content(written) };
    await writers[nth]?.post('/api/v1/memory', { ...body, embedding: embedding() });
  };
  const hubRound = async (notes: number): Promise<number> => {
    const began = performance.now();
    const each = Array.from({ length: AT_ONCE }, async (_, nth) => {
      for (let n = 0; n < notes / AT_ONCE; n += 1) await write(nth);
    });
    await Promise.all(each);
    return (notes * 1_000) / (performance.now() - began);
  };
  const mem0 = await openMem0(join(folder, 'mem0'), embedding);
  const peerRound = (infer: boolean) => async (): Promise<number> => {
    const began = performance.now();
    for (let n = 0; n < PEER_NOTES; n += 1) await mem0.add(content((written += 1)), infer);
    return (PEER_NOTES * 1_000) / (performance.now() - began);
  };
  // A hundred notes in a call are a hundred notes in one unit.
  const lines = (): string =>
    Array.from({ length: LINES }, () =>
      JSON.stringify({
        line: 'note',
        content: content((written += 1)),
        embedding: packVector(random()),
      }),
    ).join('\n');
  const importRound = async (): Promise<number> => {
    const began = performance.now();
    const each = writers.slice(0, IMPORTS).map((writer, nth) =>
      writer.post(`/api/v1/memory/spaces/${spaces[nth]}/import`, {
        owner: writer.account,
        lines: lines(),
      }),
    );
    await Promise.all(each);
    return (IMPORTS * LINES * 1_000) / (performance.now() - began);
  };
  const loads: Readonly<Record<string, () => Promise<number>>> = {
    hub: () => hubRound(HUB_NOTES),
    'hub, 100 notes a call': importRound,
    mem0: peerRound(true),
    'mem0, infer: false': peerRound(false),
  };
  let held = 0;
  for (const count of HELD) {
    await hubRound(count - held);
    await mem0.fill(Array.from({ length: count - held }, () => content((written += 1))));
    held = count;
    const figures = new Map(Object.keys(loads).map((name) => [name, [] as number[]]));
    for (let round = 0; round < ROUNDS; round += 1) {
      for (const [name, load] of Object.entries(loads)) figures.get(name)?.push(await load());
    }
    line(`notes written a second, ${count} held (median of ${ROUNDS} interleaved rounds)`);
    const per = (name: string): number => median(figures.get(name) ?? []);
    for (const name of figures.keys()) line(`  ${name}: ${per(name).toFixed(1)}`);
    const times = per('hub') / per('mem0');
    const verdict = times >= AIM ? 'met' : 'MISSED';
    line(`  hub / mem0: ${times.toFixed(1)} (aim >= ${AIM}) ${verdict}`);
    const byHundred = (per('hub, 100 notes a call') / per('mem0')).toFixed(1);
    line(`  hub, 100 notes a call / mem0: ${byHundred}`);
    line(`  hub / mem0, infer: false: ${(per('hub') / per('mem0, infer: false')).toFixed(1)}`);
  }
} finally {
  closeCallers();
  hub.child.disconnect();
  await rm(folder, { recursive: true, force: true });
}
