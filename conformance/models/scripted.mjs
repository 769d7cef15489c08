import { answerOf, usageOf } from './_upstream.ts';

/** The scripted provider's behaviour, chosen by the first word of a message. */
const never = new Promise(() => undefined);
const matched = new Set();
const WORDS = {
  slow: () => [{ say: 'one ' }, { wait: never }],
  cut: () => [{ say: 'one ' }, { waitMs: 50 }, { cut: true }],
  tool: () => [
    {
      tools: [
        { index: 0, id: 'c1', type: 'function', function: { name: 'weather', arguments: '' } },
      ],
    },
    { tools: [{ index: 0, function: { arguments: '{"city":"Łódź"}' } }] },
    { finish: 'tool_calls' },
    usageOf(60, 12),
  ],
  wrong: () => ({ status: 400, body: { error: { message: 'no such thing' } } }),
  /** A message is refused the first time and answered the second. */
  down(text) {
    if (matched.has(text)) return answerOf(3);
    matched.add(text);
    return { status: 500, body: { error: { message: 'down' } } };
  },
};

/** Plays what a message begins with; any other message is echoed. */
export function play({ messages }) {
  const text = String(messages.at(-1).content);
  const reported = WORDS[text.split(' ')[0]];
  return reported === undefined
    ? [{ say: text }, { finish: 'stop' }, usageOf(20, 3)]
    : reported(text);
}
