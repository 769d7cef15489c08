// What benches in TypeScript use of the harness.
export function line(text: string): void;
export function median(values: readonly number[]): number;
export function cpuMs(pid: number | undefined): number;
export function ratio(title: string, value: number, aim: number, better?: 'more' | 'less'): void;
/** Forks a server of `tools/bench/servers`, ready. */
export function serve(
  script: string,
  port: number,
  more?: readonly string[],
): Promise<import('node:child_process').ChildProcess>;
