export interface Range {
  readonly least: number;
  readonly most: number;
  readonly usual: number;
}

/** A setting that is a whole number. @throws Error whose text names the setting and its range. */
export function wholeNumber(
  env: Readonly<Record<string, string | undefined>>,
  name: string,
  { least, most, usual }: Range,
): number {
  const text = env[name] || String(usual);
  const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
  if (value >= least && value <= most) return value;
  throw new Error(`${name} is a whole number from ${least} to ${most}`);
}
