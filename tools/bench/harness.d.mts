// What benches in TypeScript use of the harness.
export function line(text: string): void;
export function median(values: readonly number[]): number;
export function cpuMs(pid: number | undefined): number;
export function ratio(title: string, value: number, aim: number, better?: 'more' | 'less'): void;
