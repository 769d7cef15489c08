import { injectionSignals, type PublishedText } from '../../domain/registry/injection.ts';
import type { InjectionSignal } from '../../domain/registry/listing.ts';

/** The signals of a crawl, read in portions: untrusted hosts decide how much text there is. */
const PORTION_CHARACTERS = 20_000;
const READ_CHARACTERS_MAX = 1_000_000;
const SIGNALS_MAX = 100;

export async function signalsOf(
  texts: readonly PublishedText[],
): Promise<readonly InjectionSignal[]> {
  const found: InjectionSignal[] = [];
  let portion: PublishedText[] = [];
  let [size, read] = [0, 0];
  for (const text of texts) {
    portion.push(text);
    size += text.text.length;
    if (size < PORTION_CHARACTERS) continue;
    found.push(...injectionSignals(portion));
    read += size;
    if (read >= READ_CHARACTERS_MAX || found.length >= SIGNALS_MAX) {
      return found.slice(0, SIGNALS_MAX);
    }
    [portion, size] = [[], 0];
    await new Promise((resume) => setImmediate(resume));
  }
  return [...found, ...injectionSignals(portion)].slice(0, SIGNALS_MAX);
}
