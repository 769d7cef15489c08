import { startA2aSdk03, startA2aSdk1, type A2aOffer } from './a2aSdk.ts';
import { startEverything } from './everything.ts';
import { startMcpSdk1 } from './mcpSdk1.ts';
import { startMcpSdk2 } from './mcpSdk2.ts';
import { closeSites } from './site.ts';
import { startShop, type Shop } from './shop.ts';
import type { Offer } from './tools.ts';

/** An agent of the demo, built with a public SDK and without knowledge of the hub. */
export interface Actor {
  readonly builtWith: string;
  /** The address to submit to the hub: the origin of a card, or an MCP endpoint. */
  readonly url: string;
  /** `host:port` for HUB_ALLOW_PRIVATE_HOSTS: the hub calls no other private address. */
  readonly pair: string;
  readonly found: Found;
  /** Something that it does for nothing. */
  readonly talent?: Talent;
}
interface Found {
  readonly kind: 'mcp' | 'a2a';
  readonly name: string;
  readonly protocolVersion: string;
  readonly access: 'open' | 'paid';
  readonly tools: number;
  /** Prices of the paid tools, in atomic units. */
  readonly prices: readonly string[];
}
/** A question in plain words, the tool that it is a question for, a call of it and its answer. */
export interface Talent {
  readonly question: string;
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
  readonly answer: string;
}

const FREE = { access: 'open', prices: [] } as const;
const text = { type: 'string', description: 'The text.' };

const EXCHANGE: Offer = {
  name: 'Exchange desk',
  tools: [
    {
      name: 'list-currencies',
      description: 'Lists the currencies of the desk.',
      inputSchema: { type: 'object', properties: {} },
    },
    {
      name: 'convert',
      description: 'Converts an amount of money from euros into dollars, at the rate of the desk.',
      inputSchema: {
        type: 'object',
        properties: { euros: { type: 'number', description: 'The amount.' } },
        required: ['euros'],
      },
    },
    {
      name: 'delete_history',
      description: 'Deletes what was converted before.',
      inputSchema: { type: 'object', properties: {} },
    },
  ],
  answer: (tool, { euros }) =>
    tool === 'convert'
      ? `${String(euros)} EUR = ${(Number(euros) * 1.16).toFixed(2)} USD`
      : 'EUR USD',
};

const WORDS: Offer = {
  name: 'Word counter',
  tools: [
    {
      name: 'count-words',
      description: 'Counts the words of a text.',
      inputSchema: { type: 'object', properties: { text }, required: ['text'] },
    },
  ],
  answer: (_, args) => `${String(args['text']).split(/\s+/).length} words`,
};

const SEA_WORDS: Readonly<Record<string, string>> = {
  hello: 'ahoy',
  my: 'me',
  friend: 'matey',
  yes: 'aye',
};
const PIRATE: A2aOffer = {
  name: 'Old salt',
  description: 'Talks as they talk at sea.',
  skills: [
    {
      id: 'pirate',
      name: 'Pirate speech',
      description: 'Turns plain English into the speech of pirates.',
      tags: ['language', 'fun'],
    },
  ],
  answer: (asked) => asked.replace(/[a-z]+/g, (word) => SEA_WORDS[word] ?? word),
};

const NUMERALS: readonly (readonly [number, string])[] = [
  [1000, 'M'],
  [900, 'CM'],
  [500, 'D'],
  [400, 'CD'],
  [100, 'C'],
  [90, 'XC'],
  [50, 'L'],
  [40, 'XL'],
  [10, 'X'],
  [9, 'IX'],
  [5, 'V'],
  [4, 'IV'],
  [1, 'I'],
];
const STONEMASON: A2aOffer = {
  name: 'Stonemason',
  description: 'Carves numbers as they were carved in Rome.',
  skills: [
    {
      id: 'roman',
      name: 'Roman numerals',
      description: 'Writes a number in Roman numerals.',
      tags: ['numbers'],
    },
  ],
  answer: (asked) => {
    let [left, carved] = [Number(asked), ''];
    for (const [value, sign] of NUMERALS) {
      carved += sign.repeat(Math.floor(left / value));
      left %= value;
    }
    return carved;
  },
};

/** Everybody, started; `shop` is the one that takes money, and is among the actors too. */
export interface ScriptedAgents {
  readonly actors: readonly Actor[];
  readonly shop: Shop;
  close(): Promise<void>;
}

export async function startCast(): Promise<ScriptedAgents> {
  const exchange = await startMcpSdk1(EXCHANGE);
  const words = await startMcpSdk2({ offer: WORDS });
  const pirate = await startA2aSdk1(PIRATE);
  const stonemason = await startA2aSdk03(STONEMASON);
  const shop = await startShop();
  const everything = await startEverything().catch(async (error: unknown) => {
    await closeSites();
    throw error;
  });
  return {
    actors: [
      {
        builtWith: 'the reference server of the MCP project',
        url: everything.endpoint,
        pair: everything.pair,
        found: {
          kind: 'mcp',
          name: 'Everything Reference Server',
          protocolVersion: '2025-11-25',
          ...FREE,
          tools: 13,
        },
        talent: {
          question: 'What is the sum of two numbers?',
          tool: 'get-sum',
          args: { a: 2, b: 40 },
          answer: 'The sum of 2 and 40 is 42.',
        },
      },
      {
        builtWith: 'the MCP SDK, version 1',
        url: `${exchange.url}/mcp`,
        pair: exchange.pair,
        found: {
          kind: 'mcp',
          name: EXCHANGE.name,
          protocolVersion: '2025-11-25',
          ...FREE,
          tools: 3,
        },
        talent: {
          question: 'How many dollars is my money in euros?',
          tool: 'convert',
          args: { euros: 25 },
          answer: '25 EUR = 29.00 USD',
        },
      },
      {
        builtWith: 'the MCP SDK, version 2',
        url: `${words.url}/mcp`,
        pair: words.pair,
        found: { kind: 'mcp', name: WORDS.name, protocolVersion: '2026-07-28', ...FREE, tools: 1 },
        talent: {
          question: 'How many words does my text have?',
          tool: 'count-words',
          args: { text: 'the quick brown fox' },
          answer: '4 words',
        },
      },
      {
        builtWith: 'the A2A SDK, version 1',
        url: pirate.url,
        pair: pirate.pair,
        found: { kind: 'a2a', name: PIRATE.name, protocolVersion: '1.0', ...FREE, tools: 1 },
        talent: {
          question: 'How would a pirate say that?',
          tool: 'Pirate speech',
          args: { text: 'hello my friend' },
          answer: 'ahoy me matey',
        },
      },
      {
        builtWith: 'the A2A SDK for version 0.3',
        url: stonemason.url,
        pair: stonemason.pair,
        found: { kind: 'a2a', name: STONEMASON.name, protocolVersion: '0.3.0', ...FREE, tools: 1 },
        talent: {
          question: 'How do I write this year in Roman numerals?',
          tool: 'Roman numerals',
          args: { text: '2026' },
          answer: 'MMXXVI',
        },
      },
      {
        builtWith: 'the MCP SDK, version 2, behind a wall that asks for money over x402',
        url: shop.endpoint,
        pair: shop.pair,
        found: {
          kind: 'mcp',
          name: shop.name,
          protocolVersion: '2026-07-28',
          access: 'paid',
          tools: 1,
          prices: [`${shop.price}`],
        },
      },
    ],
    shop,
    async close() {
      await everything.close();
      await closeSites();
    },
  };
}
