import { randomBytes } from 'node:crypto';
import type { Clock, Ids } from './hub.ts';

/**
 * UUID version 7 (RFC 9562 5.7): 48 bits of milliseconds, then randomness. Within one process the
 * ids also rise inside a millisecond, by the 12-bit counter of method 1, so newest-first pages by
 * id are stable.
 */
export function openIds(clock: Clock): Ids {
  let lastMs = 0;
  let counter = 0;
  return {
    uuid() {
      const ms = Math.max(clock.now(), lastMs);
      counter = ms === lastMs ? counter + 1 : randomBytes(1)[0] ?? 0;
      lastMs = ms;
      if (counter > 0xfff) {
        lastMs += 1;
        counter = 0;
      }
      const bytes = randomBytes(16);
      bytes.writeUIntBE(lastMs, 0, 6);
      bytes.writeUInt16BE(0x7000 | counter, 6);
      bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
      const hex = bytes.toString('hex');
      return [8, 12, 16, 20, 32]
        .map((end, index, ends) => hex.slice(ends[index - 1] ?? 0, end))
        .join('-');
    },
  };
}
