import assert from 'node:assert/strict';
import { BlockList } from 'node:net';
import fc from 'fast-check';
import { addressKind, mayConnect, siteOf } from './address.ts';

/**
 * The special-purpose registries of IANA as of RFC 6890 and its updates, with multicast (RFC 5771,
 * RFC 4291 2.7) and the addresses where clouds hand out credentials. Written here again by hand,
 * and matched by Node's own code, so that the table of the guard is not its own witness.
 */
const SPECIAL_V4: readonly (readonly [string, number])[] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['168.63.129.16', 32],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.31.196.0', 24],
  ['192.52.193.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['192.175.48.0', 24],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
];
const SPECIAL_V6: readonly (readonly [string, number])[] = [
  ['::', 3], // ::/128, ::1, mapped, compatible, 64:ff9b::/96, 64:ff9b:1::/48, 100::/64: none is 2000::/3
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['2620:4f:8000::', 48],
  ['3fff::', 20],
  ['4000::', 3],
  ['6000::', 3],
  ['8000::', 3],
  ['a000::', 3],
  ['c000::', 3],
  ['e000::', 3], // fc00::/7, fe80::/10, fec0::/10 and ff00::/8 are in here
];

/** One list for each family: Node holds a mapped address against the IPv4 blocks of its list. */
const special = { ipv4: new BlockList(), ipv6: new BlockList() };
for (const [base, prefix] of SPECIAL_V4) special.ipv4.addSubnet(base, prefix, 'ipv4');
for (const [base, prefix] of SPECIAL_V6) special.ipv6.addSubnet(base, prefix, 'ipv6');

const v4 = fc.ipV4();
const v6 = fc.ipV6();

/** Addresses on both sides of both edges of every block, where an off-by-one shows. */
function edges(blocks: readonly (readonly [string, number])[], width: number): readonly bigint[] {
  return blocks.flatMap(([base, prefix]) => {
    const first = width === 32 ? v4Value(base) : v6Value(base);
    const size = 1n << BigInt(width - prefix);
    const around = [first - 1n, first, first + 1n, first + size - 1n, first + size];
    return around.filter((value) => value >= 0n && value < 1n << BigInt(width));
  });
}

function v4Value(text: string): bigint {
  return text.split('.').reduce((sum, part) => sum * 256n + BigInt(part), 0n);
}

function v6Value(text: string): bigint {
  const left = text
    .replace(/::$/, '')
    .split(':')
    .filter((group) => group !== '');
  return BigInt(
    `0x${left
      .map((g) => g.padStart(4, '0'))
      .join('')
      .padEnd(32, '0')}`,
  );
}

function v4Text(value: bigint): string {
  return [24n, 16n, 8n, 0n].map((by) => String((value >> by) & 255n)).join('.');
}

function v6Text(value: bigint): string {
  return (value.toString(16).padStart(32, '0').match(/.{4}/g) ?? []).join(':');
}

function agrees(text: string, family: 'ipv4' | 'ipv6'): void {
  const isPublic = addressKind(text) === 'public';
  assert.equal(
    isPublic,
    !special[family].check(text, family),
    `${text} is ${addressKind(text) ?? 'none'}`,
  );
}

describe('outside addresses', () => {
  it('are public exactly where no registry entry says otherwise', () => {
    fc.assert(
      fc.property(v4, (text) => agrees(text, 'ipv4')),
      { numRuns: 3000 },
    );
    fc.assert(
      fc.property(v6, (text) => agrees(text, 'ipv6')),
      { numRuns: 3000 },
    );
    for (const value of edges(SPECIAL_V4, 32)) agrees(v4Text(value), 'ipv4');
    for (const value of edges(SPECIAL_V6, 128)) agrees(v6Text(value), 'ipv6');
  });

  it('are refused within every block, whichever they are', () => {
    const within = (width: number, blocks: readonly (readonly [string, number])[]) =>
      fc.tuple(fc.constantFrom(...blocks), fc.bigInt(0n, (1n << 128n) - 1n)).map(([block, n]) => {
        const [base, prefix] = block;
        const rest = n & ((1n << BigInt(width - prefix)) - 1n);
        return width === 32 ? v4Text(v4Value(base) + rest) : v6Text(v6Value(base) + rest);
      });
    for (const some of [within(32, SPECIAL_V4), within(128, SPECIAL_V6)]) {
      fc.assert(
        fc.property(some, (text) =>
          assert.equal(mayConnect(addressKind(text), false), false, text),
        ),
        { numRuns: 2000 },
      );
    }
  });

  it('have one kind in all their spellings', () => {
    const same = [
      ['::1', '0:0:0:0:0:0:0:1', '0000::0001', '::0.0.0.1', '0::0:1'],
      ['::ffff:127.0.0.1', '::ffff:7f00:1', '::FFFF:7F00:0001', '0:0:0:0:0:ffff:127.0.0.1'],
      ['fd00:ec2::254', 'FD00:0EC2:0:0::0254'],
      ['64:ff9b::7f00:1', '64:ff9b::127.0.0.1'],
    ];
    for (const spellings of same) {
      assert.equal(new Set(spellings.map(addressKind)).size, 1, spellings.join(' '));
      assert.notEqual(addressKind(spellings[0] ?? ''), undefined);
    }
  });

  it('are none in any other notation', () => {
    const odd =
      '127.1 2130706433 0x7f000001 0177.0.0.1 127.0.0.01 127.0.0.1. 256.1.1.1 1.2.3.4.5 ::1%lo fe80::1%eth0 1::2::3 1:2:3:4:5:6:7 1:2:3:4:5:6:7:8:9 ::1.2.3 1.2.3.4::1 ::g [::1] 12345::1 1:2:3:4:5:6:7::8 +1.2.3.4';
    for (const text of ['', ' ', ' 1.1.1.1', '1.1.1.1\n', '１.1.1.1', ...odd.split(' ')]) {
      assert.equal(addressKind(text), undefined, JSON.stringify(text));
    }
  });

  it('may be opened by an operator only where they can be the operator’s own', () => {
    const may = ['127.0.0.1', '10.1.2.3', '192.168.1.1', '100.64.0.1', '::1', 'fd12::1', '8.8.8.8'];
    const never =
      '169.254.169.254 169.254.1.1 100.100.100.200 168.63.129.16 fd00:ec2::254 fe80::1 0.0.0.0 :: 224.0.0.1 ff02::1 255.255.255.255 ::ffff:127.0.0.1 64:ff9b::7f00:1 2002:7f00:1::';
    for (const text of may) assert.ok(mayConnect(addressKind(text), true), text);
    for (const text of never.split(' ')) assert.ok(!mayConnect(addressKind(text), true), text);
    assert.equal(mayConnect(undefined, true), false);
  });
});

describe('the site of an address', () => {
  it('is a /24, or a /56 of IPv6, whatever its spelling', () => {
    const rows = [
      ['203.0.113.7', 'v4 cb0071'],
      ['203.0.113.255', 'v4 cb0071'],
      ['203.0.114.0', 'v4 cb0072'],
      ['::ffff:203.0.113.7', 'v4 cb0071'],
      ['::FFFF:203.0.113.7', 'v4 cb0071'],
      ['2001:db8:1:200::1', 'v6 20010db8000102'],
      ['2001:db8:1:2ff:ffff::', 'v6 20010db8000102'],
      ['2001:DB8:1:300::1', 'v6 20010db8000103'],
    ] as const;
    for (const [text, site] of rows) assert.equal(siteOf(text), site, text);
  });

  it('is the text itself where that is no address', () => {
    for (const text of ['', 'unix', '1.2.3', '2001:db8::1::', 'x::ffff:1.2.3.4']) {
      assert.equal(siteOf(text), text);
    }
  });
});
