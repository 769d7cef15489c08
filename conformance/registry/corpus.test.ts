import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { readCard } from '../../domain/registry/readCard.ts';
import { readA2aQuote, readHttpQuote, readMcpQuote } from '../../domain/registry/readQuote.ts';
import type { QuoteVerdict } from '../../domain/registry/readQuote.ts';
import { readRobots } from '../../domain/registry/readRobots.ts';
import { readTools } from '../../domain/registry/readTools.ts';

/** Cards, tool lists, quotes and rules for robots as they are found in the field, with verdicts. */
interface Case<Given, Verdict> {
  readonly what: string;
  readonly given: Given;
  readonly verdict: Verdict;
}

const HERE = 'https://agent.example/.well-known/agent-card.json';

function corpus<T>(name: string): readonly T[] {
  const file = new URL(`corpus/${name}.json`, import.meta.url);
  return JSON.parse(readFileSync(file, 'utf8')) as readonly T[];
}

describe('corpus: agent cards', () => {
  for (const { what, given, verdict } of corpus<Case<unknown, object>>('cards')) {
    it(what, () => {
      const read = readCard(given, HERE);
      if (!read.ok) return assert.deepEqual({ refused: read.rule }, verdict);
      const { card } = read;
      assert.deepEqual(
        {
          shape: card.shape,
          doors: card.doors.map((d) => `${d.binding} ${d.url} ${d.protocolVersion}`),
          skills: card.skills.length,
          rules: [...new Set(card.violations.map(({ rule }) => rule))].sort(),
          ...(card.authSchemes.length > 0 && { schemes: card.authSchemes }),
          ...(card.authRequired && { required: true }),
          ...(card.declaresX402 && { x402: true }),
        },
        verdict,
      );
      assert.doesNotMatch(card.name, /[\p{Cc}\u202e\u200b]/u);
    });
  }
});

describe('corpus: tool lists', () => {
  for (const { what, given, verdict } of corpus<Case<unknown[], object>>('tools')) {
    it(what, () => {
      const { tools, violations } = readTools(given);
      assert.deepEqual(
        {
          tools: Object.fromEntries(tools.map((tool) => [tool.name, tool.notCalled ?? null])),
          rules: [...new Set(violations.map(({ rule }) => rule))].sort(),
        },
        verdict,
      );
    });
  }
});

type GivenQuote =
  | { door: 'http'; status: number; body: unknown; header?: string }
  | { door: 'mcp'; result?: unknown; error?: unknown }
  | { door: 'a2a'; task: unknown };

function readQuote(given: GivenQuote): QuoteVerdict | undefined {
  if (given.door === 'mcp') return readMcpQuote(given);
  if (given.door === 'a2a') return readA2aQuote(given.task);
  const { status, body, header } = given;
  return readHttpQuote({ status, body, paymentRequired: header });
}

describe('corpus: x402 quotes', () => {
  for (const { what, given, verdict } of corpus<Case<GivenQuote, unknown>>('quotes')) {
    it(what, () => {
      const read = readQuote(given);
      if (read?.kind !== 'quote') return assert.equal(read?.kind ?? null, verdict);
      const { x402Version, price } = read.quote;
      const { network } = price;
      assert.deepEqual({ version: x402Version, amount: String(price.amount), network }, verdict);
    });
  }
});

interface RobotsCase {
  readonly what: string;
  readonly given: string;
  readonly may: Readonly<Record<string, boolean>>;
  readonly rule: string;
}

describe('corpus: robots.txt', () => {
  for (const { what, given, may, rule } of corpus<RobotsCase>('robots')) {
    it(what, () => {
      const robots = readRobots(given, 'AgentExchangeHub');
      const verdicts = Object.keys(may).map((path) => [path, robots.mayFetch(path)]);
      assert.deepEqual([Object.fromEntries(verdicts), robots.rule], [may, rule]);
    });
  }
});
