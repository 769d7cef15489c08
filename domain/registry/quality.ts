import type { CardViolation, ListingKind } from './listing.ts';

/** The rules for a good card or list of tools; quality is the share of them that is kept. */
const RULES: Readonly<Record<ListingKind, readonly string[]>> = {
  a2a: [
    'card-description',
    'card-version',
    'card-skills',
    'card-capabilities',
    'card-modes',
    'card-protocol-version',
    'card-provider',
    'interface-url',
    'interface-url-absolute',
    'skill-id',
    'skill-id-unique',
    'skill-description',
    'skill-tags',
  ],
  mcp: [
    'server-name',
    'server-version',
    'server-description',
    'tools-listed',
    'tool-name',
    'tool-name-unique',
    'tool-name-grammar',
    'tool-description',
    'tool-schema',
    'tool-arguments',
  ],
};
const VIOLATIONS_MAX = 100;

export function qualityBps(kind: ListingKind, violations: readonly CardViolation[]): number {
  const broken = new Set(violations.map(({ rule }) => rule));
  const kept = RULES[kind].filter((rule) => !broken.has(rule)).length;
  return Math.floor((kept * 10_000) / RULES[kind].length);
}

/** As many as are shown, a few of each rule before many of one. */
export function shownViolations(violations: readonly CardViolation[]): readonly CardViolation[] {
  const counts = new Map<string, number>();
  const ranked = violations.map((violation) => {
    const nth = (counts.get(violation.rule) ?? 0) + 1;
    counts.set(violation.rule, nth);
    return { violation, nth };
  });
  return [...ranked]
    .sort((a, b) => a.nth - b.nth)
    .slice(0, VIOLATIONS_MAX)
    .map(({ violation }) => violation);
}
