// What benches in TypeScript use of the harness.
/** Runs every load in turn, `rounds` times after one that warms up; answers their medians. */
export function interleave<Name extends string>(
  loads: Readonly<Record<Name, () => Promise<number>>>,
  rounds: number,
): Promise<Record<Name, number>>;
export function line(text: string): void;
export function median(values: readonly number[]): number;
export function cpuMs(pid: number | undefined): number;
export function ratio(title: string, value: number, aim: number, better?: 'more' | 'less'): void;
/** Forks a server of `conformance/kinds/bench/servers`, ready. */
export function serve(
  script: string,
  port: number,
  more?: readonly string[],
): Promise<import('node:child_process').ChildProcess>;
