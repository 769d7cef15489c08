import { sha256Hex } from '../../../domain/digest.ts';
import { KEY_HEADER } from '../../../domain/httpsig/base.ts';

/** A message that comes again is the same call: its id is the key (choices doors.a2a). */
export function messageKey(messageId: string): Readonly<Record<string, string>> {
  const isKey = /^[\x20-\x7e]{1,128}$/.test(messageId);
  return { [KEY_HEADER]: isKey ? messageId : sha256Hex(messageId) };
}
