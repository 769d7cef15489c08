import { listedSkill, probedListing } from '../../db/registry/fixture.ts';
import type { Probed } from '../../db/registry/listings.ts';
import { listings } from './_set.ts';

/** Made-up listings, the same for the same number; words are as frequent as in real texts. */
const WORDS = words();
const RARE_WORDS = 40_000;
const RARE_IN = 12;

function words(): readonly string[] {
  const counts = new Map<string, number>();
  for (const { listing, skills } of listings) {
    const text = [
      listing.name,
      listing.description ?? '',
      ...skills.map((each) => each.description),
    ];
    for (const word of text
      .join(' ')
      .toLowerCase()
      .match(/[a-z]{3,}/g) ?? []) {
      counts.set(word, (counts.get(word) ?? 0) + 1);
    }
  }
  return [...counts].sort((a, b) => b[1] - a[1]).map(([word]) => word);
}

/** Evenly spread numbers from 0 to 1 that a seed decides (mulberry32). */
function chance(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

function word(next: () => number): string {
  if (next() * RARE_IN < 1) return `w${Math.floor(next() * RARE_WORDS).toString(36)}x`;
  // The n-th word comes about one n-th as often as the first.
  const place = Math.floor(WORDS.length ** next()) - 1;
  return WORDS[Math.max(0, place)] ?? 'tool';
}

function phrase(next: () => number, length: number): string {
  return Array.from({ length }, () => word(next)).join(' ');
}

export function synthetic(n: number, tools: number): Probed {
  const next = chance(n + 1);
  const origin = `https://agent-${n.toString(36)}.example`;
  const skills = Array.from({ length: tools }, () => {
    const schema = { type: 'object', properties: { [word(next)]: { type: 'string' } } };
    const name = phrase(next, 2 + Math.floor(next() * 2)).replace(/ /g, '_');
    return listedSkill(name, { description: phrase(next, 11), inputSchema: schema });
  });
  const kind = n % 4 === 0 ? 'a2a' : 'mcp';
  const name = phrase(next, 3);
  const given = { kind, origin, name, description: phrase(next, 14) } as const;
  return { listing: probedListing({ ...given, uptimeBps: Math.floor(next() * 10_001) }), skills };
}

/** Returns a query as users type it: words, at times a tool's name or a slip of the finger. */
export function aQuery(n: number): string {
  const next = chance(1_000_003 + n);
  const text = phrase(next, 1 + Math.floor(next() * 4));
  if (n % 10 === 0) return phrase(next, 2).replace(' ', '_');
  if (n % 10 === 1 && text.length > 5) return `${text.slice(0, 2)}${text.slice(3)}`;
  return text;
}

/**
 * Returns a query for something that exists: words of its name, its description or a tool, in any
 * order, or a common and a rare word together.
 */
export function drawnQuery(n: number, listingsMax: number): string {
  const next = chance(2_000_003 + n);
  const { listing, skills } = synthetic(Math.floor(next() * listingsMax), 5);
  const tool = skills[Math.floor(next() * skills.length)];
  const texts = [
    listing.name,
    listing.description ?? '',
    tool?.name ?? '',
    `${listing.name} ${tool?.name ?? ''}`,
    `${tool?.description ?? ''} ${WORDS[0] ?? ''}`,
  ];
  const words = (texts[n % texts.length] ?? '').split(/[ _]+/);
  const asked: string[] = [];
  for (let left = 2 + Math.floor(next() * 5); left > 0 && words.length > 0; left -= 1) {
    asked.push(...words.splice(Math.floor(next() * words.length), 1));
  }
  return asked.join(' ');
}
