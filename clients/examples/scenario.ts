import { setTimeout as sleep } from 'node:timers/promises';

/** The output of the demo: numbered steps, plain lines, amounts in USDC. */
const PATIENCE_MS = 60_000;
const ASK_EVERY_MS = 200;
let steps = 0;

export function step(title: string): void {
  steps += 1;
  console.log(`\n${steps}. ${title}`);
}

export function line(text: string): void {
  console.log(`   ${text}`);
}

export function usdc(atomic: bigint | string): string {
  const text = String(atomic).padStart(7, '0');
  const cents = text.slice(-6).replace(/0{1,4}$/, '');
  return `${text.slice(0, -6)}.${cents} USDC`;
}

export function shortName(account: string): string {
  return account.startsWith('key:') ? `${account.slice(0, 12)}…` : account;
}

/** Retries until there is an answer. Throws an error with `what` when none arrives in a minute. */
export async function eventually<T>(what: string, ask: () => Promise<T | undefined>): Promise<T> {
  const end = performance.now() + PATIENCE_MS;
  for (;;) {
    const answer = await ask();
    if (answer !== undefined) return answer;
    if (performance.now() > end) throw new Error(`${what} did not come`);
    await sleep(ASK_EVERY_MS);
  }
}

export async function story(title: string, report: () => Promise<void>): Promise<void> {
  console.log(title);
  const startedAt = performance.now();
  await report();
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  console.log(`\nEverything was as expected, to the last unit, in ${seconds} s.`);
}

export function fail(error: unknown): void {
  console.error(
    `\nNot as expected: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`,
  );
  process.exitCode = 1;
}
