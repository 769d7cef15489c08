import { crc32, deflateSync } from 'node:zlib';

/** A tool of a scripted agent: its description for MCP, and what it answers. */
export interface SandboxTool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: Readonly<Record<string, unknown>>;
  readonly priceAtomic?: string;
  /** Lines of progress before the answer, each after a pause. */
  readonly steps?: (input: Input) => readonly string[];
  readonly answer: (input: Input) => object;
}
export type Input = Readonly<Record<string, unknown>>;

/** Agents that a newcomer can call at once, one for each kind of answer. */
const TOOLS = {
  counter: {
    name: 'count_words',
    description: 'Counts the words, letters and sentences of a text. Free.',
    inputSchema: {
      type: 'object',
      required: ['text'],
      properties: {
        text: { type: 'string', maxLength: 4_000, default: 'Hello, exchange. How are you?' },
      },
    },
    answer: ({ text }) => {
      const given = textOf(text);
      const words = given.match(/\S+/g) ?? [];
      const sentences = given.match(/[^.!?]+[.!?]*/g) ?? [];
      return data({ words: words.length, letters: [...given].length, sentences: sentences.length });
    },
  },
  forecast: {
    name: 'forecast',
    description: 'Invents a weather forecast of up to seven days for a city, as a table.',
    priceAtomic: '2000',
    inputSchema: {
      type: 'object',
      required: ['city'],
      properties: {
        city: { type: 'string', maxLength: 60, default: 'Lisbon' },
        days: { type: 'integer', minimum: 1, maximum: 7, default: 3 },
      },
    },
    answer: ({ city, days }) => {
      const seed = crc32(textOf(city));
      const rows = Array.from({ length: within(days, 1, 7, 3) }, (_, day) => {
        const part = (seed >>> (day * 3)) & 15;
        return {
          day: day + 1,
          weather: WEATHER[part % WEATHER.length],
          high: 12 + part,
          low: part,
        };
      });
      return data({ rows });
    },
  },
  faulty: {
    name: 'always_fails',
    description: 'Fails on purpose, so that you can see that a failed call costs nothing.',
    priceAtomic: '1000',
    inputSchema: { type: 'object', properties: {} },
    answer: () => ({ ...text('This tool fails on purpose.'), isError: true }),
  },
  slow: {
    name: 'count_down',
    description: 'Counts down one number at a time, as a stream, and then answers. Free.',
    inputSchema: {
      type: 'object',
      properties: { from: { type: 'integer', minimum: 1, maximum: 5, default: 3 } },
    },
    steps: ({ from }) => {
      const first = within(from, 1, 5, 3);
      return Array.from({ length: first }, (_, place) => `${first - place}`);
    },
    answer: () => text('Lift-off.'),
  },
  painter: {
    name: 'draw_bars',
    description: 'Draws numbers as a picture and returns them as a file beside it. Free.',
    inputSchema: {
      type: 'object',
      required: ['values'],
      properties: {
        values: {
          type: 'array',
          maxItems: 12,
          items: { type: 'integer', minimum: 0, maximum: 100 },
          default: [30, 60, 45, 90],
        },
      },
    },
    answer: ({ values }) => {
      const bars = (Array.isArray(values) ? values : [])
        .slice(0, 12)
        .map((value) => within(value, 0, 100, 0));
      const file = {
        uri: 'https://sandbox.example/bars.csv',
        mimeType: 'text/csv',
        text: bars.join('\n'),
      };
      return {
        content: [
          { type: 'image', mimeType: 'image/png', data: picture(bars).toString('base64') },
          { type: 'resource', resource: file },
        ],
      };
    },
  },
} as const satisfies Readonly<Record<string, SandboxTool>>;

export type Callee = keyof typeof TOOLS;
export const CALLEES = Object.keys(TOOLS) as readonly Callee[];
export const toolOf = (callee: Callee): SandboxTool => TOOLS[callee];

/** The names under which the index lists them. */
export const CALLEE_NAMES: Readonly<Record<Callee, string>> = {
  counter: 'Word counter',
  forecast: 'Test forecast',
  faulty: 'Agent that fails',
  slow: 'Slow counter',
  painter: 'Bar painter',
};

const WEATHER = ['sun', 'rain', 'clouds', 'wind'] as const;
const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
const text = (content: string) => ({ content: [{ type: 'text', text: content }] });
const data = (value: object) => ({ ...text(JSON.stringify(value)), structuredContent: value });

function within(value: unknown, least: number, most: number, usual: number): number {
  const given = typeof value === 'number' && Number.isInteger(value) ? value : usual;
  return Math.min(most, Math.max(least, given));
}

const [BAR_WIDTH, HEIGHT] = [20, 100];

/** A grey PNG of one bar for each value (RFC 2083). */
function picture(bars: readonly number[]): Buffer {
  const width = Math.max(1, bars.length) * BAR_WIDTH;
  const rows = Array.from({ length: HEIGHT }, (_, y) => {
    const row = Buffer.alloc(width + 1, 255);
    // The first byte of a row names its filter, which is none.
    row[0] = 0;
    bars.forEach((value, place) => {
      if (HEIGHT - y <= value) row.fill(80, place * BAR_WIDTH + 3, (place + 1) * BAR_WIDTH - 1);
    });
    return row;
  });
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(HEIGHT, 4);
  header[8] = 8;
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(Buffer.concat(rows))),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function chunk(name: string, content: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(name, 'latin1'), content]);
  const ends = Buffer.alloc(8);
  ends.writeUInt32BE(content.length, 0);
  ends.writeUInt32BE(crc32(body), 4);
  return Buffer.concat([ends.subarray(0, 4), body, ends.subarray(4)]);
}
