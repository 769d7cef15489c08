/** Puts an entry last into a map; beyond `most` entries the oldest one is dropped. */
export function putNewest<Key, Value>(
  kept: Map<Key, Value>,
  [key, value]: readonly [Key, Value],
  most: number,
): void {
  kept.delete(key);
  kept.set(key, value);
  if (kept.size <= most) return;
  const [oldest] = kept.keys();
  if (oldest !== undefined) kept.delete(oldest);
}
