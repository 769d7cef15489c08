/** Where a hub listens that was started without settings. */
export const HUB_DEFAULT = 'http://127.0.0.1:4020';

/** `--name value` pairs; undefined when there is another name, or one without a value. */
export function optionsOf(
  words: readonly string[],
  names: readonly string[],
): ReadonlyMap<string, string> | undefined {
  const given = new Map<string, string>();
  for (let at = 0; at < words.length; at += 2) {
    const [name, value] = [words[at], words[at + 1]];
    if (name === undefined || value === undefined || !names.includes(name)) return undefined;
    given.set(name, value);
  }
  return given;
}
