import type { Counter } from '../../domain/models/offer.ts';
import type { Hub } from '../kernel/hub.ts';

/** The size of a text in the words of the contract. */
export interface TextSize {
  readonly bytes: number;
  readonly words: number;
  readonly tokens: number;
}

export async function sizeOf(hub: Hub, counter: Counter, text: string): Promise<TextSize> {
  let words = 0;
  for (const pattern = /\S+/g; pattern.exec(text) !== null;) words += 1;
  return { bytes: Buffer.byteLength(text), words, tokens: await hub.models.count(counter, [text]) };
}
