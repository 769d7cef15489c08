import type { IncomingMessage } from 'node:http';
import { BlockList, isIP } from 'node:net';

/**
 * Who stands behind a proxy (threats.proxied-address). Without a list no header is believed: what a
 * caller claims of its own address is worth nothing. With one, the addresses of `X-Forwarded-For`
 * or `Forwarded` are read from right to left, and the first that is no trusted proxy is the caller.
 */
export interface TrustedProxies {
  readonly isEmpty: boolean;
  has(ip: string): boolean;
  /** The address that a request is counted by. */
  callerOf(request: Pick<IncomingMessage, 'headers' | 'socket'>): string;
}

/** Addresses that are read of one request. */
const HOPS_MAX = 20;

/** Reads `10.0.0.0/8, ::1, 192.0.2.7`; undefined when an entry is no address or range. */
export function parseTrustedProxies(text: string): TrustedProxies | undefined {
  const ranges = new BlockList();
  let isEmpty = true;
  for (const entry of text.split(',').map((each) => each.trim())) {
    if (entry === '') continue;
    const [address = '', bits, ...more] = entry.split('/');
    const version = isIP(address);
    const widest = version === 6 ? 128 : 32;
    const length = bits === undefined ? widest : Number(bits);
    if (version === 0 || more.length > 0 || !/^\d{1,3}$/.test(bits ?? '0') || length > widest) {
      return undefined;
    }
    isEmpty = false;
    ranges.addSubnet(address, length, version === 6 ? 'ipv6' : 'ipv4');
  }
  const has = (ip: string): boolean => {
    if (isEmpty) return false;
    const address = plain(ip);
    const version = isIP(address);
    return version !== 0 && ranges.check(address, version === 6 ? 'ipv6' : 'ipv4');
  };
  return {
    isEmpty,
    has,
    callerOf({ headers, socket }) {
      let caller = socket.remoteAddress ?? '';
      if (!has(caller)) return caller;
      const hops = hopsOf(headers);
      for (let read = 0; read < HOPS_MAX && has(caller); read += 1) {
        const hop = hops.pop();
        if (hop === undefined || isIP(hop) === 0) break;
        caller = hop;
      }
      return caller;
    },
  };
}

/** Both headers at once mean that one of them is the caller's own: then neither is believed. */
function hopsOf(headers: IncomingMessage['headers']): string[] {
  const [listed, forwarded] = [headers['x-forwarded-for'], headers['forwarded']];
  if (listed !== undefined && forwarded !== undefined) return [];
  if (listed !== undefined) return [listed].flat().join(',').split(',').map(address);
  return (forwarded ?? '').split(',').flatMap((element) => {
    const found = /(?:^|;)\s*for\s*=\s*("[^"]*"|[^;\s]*)/i.exec(element)?.[1];
    return found === undefined ? [] : [address(found.replaceAll('"', ''))];
  });
}

/** An address without its port, its brackets and a mapping into version 6. */
function address(text: string): string {
  const trimmed = text.trim();
  const bare = /^\[([^\]]*)\](?::\d+)?$/.exec(trimmed)?.[1] ?? trimmed;
  return plain(/^[\d.]+:\d+$/.test(bare) ? (bare.split(':')[0] ?? '') : bare);
}

function plain(ip: string): string {
  return ip.toLowerCase().startsWith('::ffff:') && ip.includes('.') ? ip.slice(7) : ip;
}
