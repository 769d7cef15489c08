import { Agent, get } from 'node:http';

const CONNECTIONS = 8;
const ROUNDS = 3;
const REQUESTS = 1_000;

/** Requests a second of two servers, the median of interleaved rounds, and their ratio. */
export interface Timed {
  readonly what: string;
  readonly hub: number;
  readonly official: number;
  readonly ratio: number;
}

/** Each side is given its own addresses of the same records, in the same order. */
export async function compared(
  what: string,
  urls: { readonly hub: readonly string[]; readonly official: readonly string[] },
): Promise<Timed> {
  await rate(urls.hub, REQUESTS / 10);
  await rate(urls.official, REQUESTS / 10);
  const rounds: { readonly hub: number; readonly official: number }[] = [];
  for (let n = 0; n < ROUNDS; n += 1) {
    rounds.push({
      hub: await rate(urls.hub, REQUESTS),
      official: await rate(urls.official, REQUESTS),
    });
  }
  const hub = median(rounds.map((round) => round.hub));
  const official = median(rounds.map((round) => round.official));
  return { what, hub, official, ratio: median(rounds.map((round) => round.hub / round.official)) };
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}

async function rate(urls: readonly string[], requests: number): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
  const began = performance.now();
  let asked = 0;
  const lane = async (): Promise<void> => {
    while (asked < requests) {
      asked += 1;
      await read(urls[asked % urls.length] ?? '', agent);
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, lane));
  agent.destroy();
  return requests / ((performance.now() - began) / 1000);
}

function read(url: string, agent: Agent): Promise<void> {
  return new Promise((resolve, reject) => {
    get(url, { agent }, (response) => {
      if (response.statusCode !== 200) reject(new Error(`${url} answered ${response.statusCode}`));
      response.on('end', resolve).on('error', reject).resume();
    }).on('error', reject);
  });
}
