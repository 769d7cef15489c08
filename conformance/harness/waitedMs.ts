import { readFileSync } from 'node:fs';

/** Milliseconds that the main thread waited for a processor; zero where no kernel counts them. */
export function waitedMs(): number {
  try {
    const text = readFileSync(`/proc/self/task/${process.pid}/schedstat`, 'utf8');
    return Number(text.split(' ')[1]) / 1e6;
  } catch {
    return 0;
  }
}
