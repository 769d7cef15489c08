import { createServer } from 'node:http';
import { getLlama, LlamaChat } from 'node-llama-cpp';

/** `node server.mjs MODEL.gguf PORT`: chat completions by a small model; says `ready` if forked. */
const [, , modelPath, port] = process.argv;
const MODEL_ID = 'smollm2-135m-instruct';
const CONTEXT_TOKENS = 2048;
const BODY_BYTES_MAX = 1024 * 1024;
const ANSWER_TOKENS = 256;

// With two threads on two busy cores they wait for each other at every layer.
const llama = await getLlama({ build: 'never', gpu: false, maxThreads: 1, logLevel: 'error' });
const model = await llama.loadModel({ modelPath });
const context = await model.createContext({ contextSize: CONTEXT_TOKENS, threads: 1 });
const sequence = context.getSequence();
const chat = new LlamaChat({ contextSequence: sequence });
let last = Promise.resolve();

const server = createServer((request, response) => {
  answer(request, response).catch((error) => {
    if (response.headersSent) response.destroy();
    else refuse(response, 500, 'server_error', error.message);
  });
});
server.listen(Number(port), '127.0.0.1', () => process.send?.('ready'));
process.once('SIGTERM', () => process.exit(0));
process.once('disconnect', () => process.exit(0));

async function answer(request, response) {
  if (request.method === 'GET' && request.url === '/v1/models') {
    json(response, 200, { object: 'list', data: [{ id: MODEL_ID, object: 'model' }] });
    return;
  }
  if (request.method !== 'POST' || request.url !== '/v1/chat/completions') {
    refuse(response, 404, 'not_found', `${request.method} ${request.url} is nothing here`);
    return;
  }
  const ask = await bodyOf(request);
  const history = historyOf(ask?.messages);
  if (history === undefined) {
    refuse(response, 400, 'invalid_messages', 'messages must be texts that end with the user');
    return;
  }
  const { contextText } = chat.chatWrapper.generateContextState({ chatHistory: history });
  if (contextText.tokenize(model.tokenizer).length >= CONTEXT_TOKENS) {
    refuse(response, 400, 'context_length_exceeded', `the model takes ${CONTEXT_TOKENS} tokens`);
    return;
  }
  const turn = last.then(() => generate(ask, history, response));
  last = turn.catch(() => undefined);
  await turn;
}

async function generate(ask, history, response) {
  if (response.destroyed) return;
  const leaving = new AbortController();
  response.once('close', () => leaving.abort());
  const id = `chatcmpl-${Date.now()}`;
  const about = { id, created: Math.floor(Date.now() / 1000), model: MODEL_ID };
  const send = (choices, more) => {
    const chunk = { ...about, object: 'chat.completion.chunk', choices, ...more };
    response.write(`data: ${JSON.stringify(chunk)}\n\n`);
  };
  const isStream = ask.stream === true;
  if (isStream) {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    send([{ index: 0, delta: { role: 'assistant', content: '' }, finish_reason: null }]);
  }
  await sequence.clearHistory();
  const before = sequence.tokenMeter.getState();
  const { response: text, metadata } = await chat.generateResponse(history, {
    maxTokens: ask.max_completion_tokens ?? ask.max_tokens ?? ANSWER_TOKENS,
    temperature: ask.temperature ?? 0,
    ...(ask.seed !== undefined && { seed: ask.seed }),
    ...(ask.stop !== undefined && { customStopTriggers: [ask.stop].flat() }),
    signal: leaving.signal,
    stopOnAbortSignal: true,
    onTextChunk: (content) => {
      if (isStream && content !== '') send([{ index: 0, delta: { content }, finish_reason: null }]);
    },
  });
  const used = sequence.tokenMeter.diff(before);
  const usage = {
    prompt_tokens: used.usedInputTokens,
    completion_tokens: used.usedOutputTokens,
    total_tokens: used.usedInputTokens + used.usedOutputTokens,
  };
  const finish_reason = metadata.stopReason === 'maxTokens' ? 'length' : 'stop';
  if (isStream) {
    send([{ index: 0, delta: {}, finish_reason }]);
    if (ask.stream_options?.include_usage === true) send([], { usage });
    response.end('data: [DONE]\n\n');
    return;
  }
  const message = { role: 'assistant', content: text };
  const choices = [{ index: 0, message, finish_reason }];
  json(response, 200, { ...about, object: 'chat.completion', choices, usage });
}

/** The conversation as the model's own wrapper takes it; undefined when it is none. */
function historyOf(messages) {
  if (!Array.isArray(messages) || messages.at(-1)?.role !== 'user') return undefined;
  if (messages.some(({ content }) => typeof content !== 'string')) return undefined;
  const items = messages.map(({ role, content }) => {
    if (role === 'assistant') return { type: 'model', response: [content] };
    return { type: role === 'user' ? 'user' : 'system', text: content };
  });
  return [...items, { type: 'model', response: [] }];
}

async function bodyOf(request) {
  const pieces = [];
  let bytes = 0;
  for await (const piece of request) {
    bytes += piece.length;
    if (bytes > BODY_BYTES_MAX) return undefined;
    pieces.push(piece);
  }
  try {
    return JSON.parse(Buffer.concat(pieces).toString());
  } catch {
    return undefined;
  }
}

function refuse(response, status, code, message) {
  json(response, status, { error: { message, type: 'invalid_request_error', code } });
}

function json(response, status, body) {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
}
