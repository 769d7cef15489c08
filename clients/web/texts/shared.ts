export type Words = Readonly<Record<string, string>>;

/** `1 task`, `2 tasks`. */
export const s = (value: number, one: string, many = `${one}s`): string =>
  `${value} ${value === 1 ? one : many}`;

export const parted = (parts: readonly string[]): string =>
  parts.filter((part) => part !== '').join(', ');
