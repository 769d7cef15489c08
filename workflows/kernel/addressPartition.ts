/** Addresses are counted as they are routed: a v6 site is a /56, a v4-mapped one its v4 self. */
export function addressPartition(address: string): string {
  const plain = address.startsWith('::ffff:') ? address.slice(7) : address;
  if (!plain.includes(':')) return plain;
  const [head = '', tail = ''] = plain.split('::');
  const left = head.split(':').filter((group) => group !== '');
  const right = tail.split(':').filter((group) => group !== '');
  const zeros = plain.includes('::') ? Math.max(0, 8 - left.length - right.length) : 0;
  const groups = [...left, ...Array<string>(zeros).fill('0'), ...right];
  const site = groups.slice(0, 4).map((group) => group.padStart(4, '0'));
  return `${site.join(':').slice(0, 17)}::/56`;
}
