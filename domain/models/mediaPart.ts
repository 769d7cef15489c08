import type { JsonObject } from '../jsonObject.ts';
import type { Reads } from './offer.ts';

/** Images and files in a prompt, as parts of messages (choices models.media). */
type Kind = keyof Reads;
export const KIND_OF: Readonly<Record<string, Kind>> = { image_url: 'image', file: 'file' };

export function isMedia(part: JsonObject): boolean {
  return typeof part['type'] === 'string' && part['type'] in KIND_OF;
}
