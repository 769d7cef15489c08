// The model bench's provider: 20 tokens at once, streamed or not, with the usual usage report.
import { createServer } from 'node:http';

const TOKENS = 20;
const WORD = 'word ';
const USAGE = { prompt_tokens: 12, completion_tokens: TOKENS, total_tokens: 12 + TOKENS };
const about = { id: 'bench', created: 1_700_000_000, model: 'small-1' };

const chunk = (choices: readonly object[], more: object = {}): string =>
  `data: ${JSON.stringify({ ...about, object: 'chat.completion.chunk', choices, ...more })}\n\n`;
const piece = chunk([{ index: 0, delta: { content: WORD }, finish_reason: null }]);
const streamed = `${piece.repeat(TOKENS)}${chunk([{ index: 0, delta: {}, finish_reason: 'stop' }])}${chunk([], { usage: USAGE })}data: [DONE]\n\n`;
const message = { role: 'assistant', content: WORD.repeat(TOKENS) };
const whole = JSON.stringify({
  ...about,
  object: 'chat.completion',
  choices: [{ index: 0, message, finish_reason: 'stop' }],
  usage: USAGE,
});

const vector = Buffer.from(Float32Array.from({ length: 768 }, (_, n) => n - 3).buffer);
const vectors = JSON.stringify({
  data: [{ index: 0, embedding: vector.toString('base64') }],
  usage: { prompt_tokens: 12, total_tokens: 12 },
});

const server = createServer((request, response) => {
  let text = '';
  request.on('data', (bytes: Buffer) => (text += bytes.toString()));
  request.on('end', () => {
    const { stream, input } = JSON.parse(text || '{}') as { stream?: boolean; input?: unknown };
    const isStream = stream === true;
    const type = isStream ? 'text/event-stream' : 'application/json';
    response.writeHead(200, { 'content-type': type });
    response.end(input !== undefined ? vectors : isStream ? streamed : whole);
  });
});
server.keepAliveTimeout = 60_000;
server.listen(Number(process.argv[2]), '127.0.0.1', () => process.send?.('ready'));
process.once('disconnect', () => process.exit(0));
