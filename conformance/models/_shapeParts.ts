import type { Body } from './_desk.ts';

/**
 * Streams in the forms that providers of this protocol document, in our own words. `want` is what
 * the provider's own client makes of a form that the client of the protocol cannot read.
 */
export interface Shape {
  readonly provider: string;
  readonly lines: readonly string[];
  readonly want?: Partial<Seen>;
}

/** The answer as a client has it in the end. */
export interface Seen {
  readonly content: string;
  readonly refusal: string;
  readonly reasoning: string;
  readonly calls: readonly (readonly [string, string])[];
  readonly finish: string;
  readonly annotations: readonly unknown[];
  /** Members that the provider adds to a delta, by name, as they come. */
  readonly members: readonly (readonly [string, unknown])[];
  readonly logprobs: unknown;
  readonly error?: string;
}

export const data = (value: unknown): string => `data: ${JSON.stringify(value)}\n\n`;
export const DONE = 'data: [DONE]\n\n';
export const head = { id: 'c-1', object: 'chat.completion.chunk', created: 1, model: 'm' };
export const chunk = (delta: Body | undefined, choice: Body = {}, more: Body = {}): string =>
  data({
    ...head,
    choices: [{ index: 0, ...(delta && { delta }), finish_reason: null, ...choice }],
    ...more,
  });
export const role = chunk({ role: 'assistant', content: '' });
export const usage = { prompt_tokens: 12, completion_tokens: 8, total_tokens: 20 };
export const counted = (more: Body = {}): string =>
  data({ ...head, choices: [], usage: { ...usage, ...more } });
export const end = (reason: string, choice: Body = {}, more: Body = {}): string =>
  chunk({}, { finish_reason: reason, ...choice }, more);
export const called = (
  index: number,
  id: string | undefined,
  name: string | undefined,
  given: unknown,
) => ({
  index,
  ...(id !== undefined && { id, type: 'function' }),
  function: { ...(name !== undefined && { name }), arguments: given },
});
export const tools = (...tool_calls: readonly Body[]): string => chunk({ tool_calls });
export const OSLO = '{"city":"Oslo"}';
export const BERN = '{"city":"Bern"}';
export const BOTH = [
  ['get_w', OSLO],
  ['get_a', BERN],
] as const;
export const token = (text: string) => ({
  token: text,
  logprob: -0.1,
  bytes: null,
  top_logprobs: [],
});
export const citation = {
  type: 'url_citation',
  url_citation: { start_index: 0, end_index: 2, url: 'https://a.example/', title: 'A' },
};
/** An answer of one chunk with more members in its delta. */
export const whole = (delta: Body): readonly string[] => [
  chunk({ role: 'assistant', content: 'Hello', ...delta }),
  end('stop'),
  counted(),
  DONE,
];

/** A token with its bytes, and the probabilities of a token beside those of others. */
export const top = { token: 'Hi', logprob: -0.1, bytes: [72, 105] };

export const entryOf = (
  text: string,
  logprob: number,
  others: Readonly<Record<string, number>> = {},
) => ({
  token: text,
  logprob,
  bytes: null,
  top_logprobs: Object.entries(others).map(([each, figure]) => ({
    token: each,
    logprob: figure,
    bytes: null,
  })),
});
