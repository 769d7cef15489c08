/**
 * The IP addresses that untrusted callers may send the hub to. An address is public only if no
 * registry entry denies it (RFC 6890 and IANA), so a range assigned tomorrow is refused today.
 */
export type AddressKind =
  | 'public'
  | 'unspecified'
  | 'private'
  | 'shared'
  | 'loopback'
  | 'link-local'
  | 'unique-local'
  | 'metadata'
  | 'multicast'
  | 'broadcast'
  | 'documentation'
  | 'benchmark'
  | 'translated'
  | 'tunnelled'
  | 'reserved';

/** Kinds an operator may open by naming host and port: addresses of their own machines. */
const OPENABLE: readonly AddressKind[] = [
  'public',
  'private',
  'shared',
  'loopback',
  'unique-local',
];

const V6_GROUPS = 8;

/** First match wins, so the narrow entries stand before the wide ones that hold them. */
const V4_BLOCKS: readonly (readonly [string, AddressKind])[] = [
  ['169.254.169.254/32', 'metadata'],
  ['169.254.170.2/32', 'metadata'],
  ['100.100.100.200/32', 'metadata'],
  ['168.63.129.16/32', 'metadata'],
  ['192.0.0.192/32', 'metadata'],
  ['255.255.255.255/32', 'broadcast'],
  ['0.0.0.0/8', 'unspecified'],
  ['10.0.0.0/8', 'private'],
  ['100.64.0.0/10', 'shared'],
  ['127.0.0.0/8', 'loopback'],
  ['169.254.0.0/16', 'link-local'],
  ['172.16.0.0/12', 'private'],
  ['192.0.0.0/24', 'reserved'],
  ['192.0.2.0/24', 'documentation'],
  ['192.31.196.0/24', 'reserved'],
  ['192.52.193.0/24', 'reserved'],
  ['192.88.99.0/24', 'tunnelled'],
  ['192.168.0.0/16', 'private'],
  ['192.175.48.0/24', 'reserved'],
  ['198.18.0.0/15', 'benchmark'],
  ['198.51.100.0/24', 'documentation'],
  ['203.0.113.0/24', 'documentation'],
  ['224.0.0.0/4', 'multicast'],
  ['240.0.0.0/4', 'reserved'],
  ['0.0.0.0/0', 'public'],
];

/** Forms with an IPv4 address inside are refused whole: that one is reached by its own name. */
const V6_BLOCKS: readonly (readonly [string, AddressKind])[] = [
  ['fd00:ec2::254/128', 'metadata'],
  ['fd20:ce::254/128', 'metadata'],
  ['::/128', 'unspecified'],
  ['::1/128', 'loopback'],
  ['::ffff:0:0/96', 'translated'],
  ['::ffff:0:0:0/96', 'translated'],
  ['::/96', 'translated'],
  ['64:ff9b::/96', 'translated'],
  ['64:ff9b:1::/48', 'translated'],
  ['2001::/32', 'tunnelled'],
  ['2001:2::/48', 'benchmark'],
  ['2001:db8::/32', 'documentation'],
  ['2001::/23', 'reserved'],
  ['2002::/16', 'tunnelled'],
  ['2620:4f:8000::/48', 'reserved'],
  ['3fff::/20', 'documentation'],
  ['2000::/3', 'public'],
  ['fc00::/7', 'unique-local'],
  ['fe80::/10', 'link-local'],
  ['fec0::/10', 'reserved'],
  ['ff00::/8', 'multicast'],
  ['::/0', 'reserved'],
];

interface Address {
  readonly width: 32 | 128;
  readonly value: bigint;
}

interface Block extends Address {
  readonly prefix: number;
  readonly kind: AddressKind;
}

const BLOCKS: readonly Block[] = [...V4_BLOCKS, ...V6_BLOCKS].map(([text, kind]) => {
  const [base = '', prefix = ''] = text.split('/');
  const address = parseAddress(base);
  if (address === undefined) throw new Error(`${text} is not a block of addresses`);
  return { ...address, prefix: Number(prefix), kind };
});

/**
 * The kind of an address in its plain notation: four decimal numbers, or RFC 4291 without a zone.
 * Undefined for anything else, which must be refused: another reader may take it for an address.
 */
export function addressKind(text: string): AddressKind | undefined {
  const address = parseAddress(text);
  if (address === undefined) return undefined;
  const { width, value } = address;
  return BLOCKS.find((block) => {
    const rest = BigInt(block.width - block.prefix);
    return block.width === width && value >> rest === block.value >> rest;
  })?.kind;
}

/** Whether the hub may connect there; `opened` when the operator named the host and port. */
export function mayConnect(kind: AddressKind | undefined, opened: boolean): boolean {
  if (kind === undefined) return false;
  return opened ? OPENABLE.includes(kind) : kind === 'public';
}

/** Returns a site's network as comparable text: a /24, an IPv6 /56, or the text if no address. */
export function siteOf(text: string): string {
  const address = parseAddress(text.replace(/^::ffff:(?=\d+\.)/i, ''));
  if (address === undefined) return text;
  const [rest, name] = address.width === 32 ? [8n, 'v4'] : [72n, 'v6'];
  return `${name} ${(address.value >> rest).toString(16)}`;
}

function parseAddress(text: string): Address | undefined {
  const value = text.includes(':') ? parseV6(text) : parseV4(text);
  if (value === undefined) return undefined;
  return { width: text.includes(':') ? 128 : 32, value };
}

function parseV4(text: string): bigint | undefined {
  const parts = text.split('.');
  if (parts.length !== 4) return undefined;
  let value = 0n;
  for (const part of parts) {
    // A leading zero is octal to some readers and decimal to others.
    if (!/^(0|[1-9][0-9]{0,2})$/.test(part) || Number(part) > 255) return undefined;
    value = (value << 8n) | BigInt(part);
  }
  return value;
}

function parseV6(text: string): bigint | undefined {
  const halves = text.split('::');
  if (halves.length > 2) return undefined;
  const [head, tail] = [groups(halves[0], halves.length === 1), groups(halves[1], true)];
  if (head === undefined || tail === undefined) return undefined;
  const zeros = V6_GROUPS - head.length - tail.length;
  if (halves.length === 1 ? zeros !== 0 : zeros < 1) return undefined;
  let value = 0n;
  for (const group of [...head, ...Array<bigint>(zeros).fill(0n), ...tail]) {
    value = (value << 16n) | group;
  }
  return value;
}

/** The 16-bit groups on one side of `::`; an IPv4 address may stand for the last two of all. */
function groups(text: string | undefined, isLast: boolean): readonly bigint[] | undefined {
  if (text === undefined || text === '') return [];
  const found: bigint[] = [];
  const parts = text.split(':');
  for (const [at, part] of parts.entries()) {
    if (part.includes('.')) {
      const value = isLast && at === parts.length - 1 ? parseV4(part) : undefined;
      if (value === undefined) return undefined;
      found.push(value >> 16n, value & 0xffffn);
    } else if (/^[0-9a-fA-F]{1,4}$/.test(part)) found.push(BigInt(`0x${part}`));
    else return undefined;
  }
  return found.length > V6_GROUPS ? undefined : found;
}
