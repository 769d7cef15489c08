import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { root } from '../../kinds/dredd/hub.mjs';
import { newAgent, visitor } from '../../harness/agents.ts';
import { mustOk } from '../../harness/must.ts';
import { copyBeside, installIn } from '../../harness/npm.mjs';
import { asCommand } from '../../../tools/python.mjs';
import { mintKey, moneyOf, receiptsOf, until } from '../_desk.ts';
import { MODEL } from '../_upstream.ts';
import { withScriptedHub } from '../scriptedHub.mjs';

/**
 * `npm run models:sdks`: the unmodified clients of OpenAI, Anthropic and Google, each against the
 * route of its own protocol: answers, streams, tools, aborts, refusals and retries, and what a call
 * through the desk takes longer than one to the provider. Exit codes: 0 all held, 1 one did not, 2
 * it could not run.
 */
const here = fileURLToPath(new URL('.', import.meta.url));
const FUNDS = '15000000';
const SCHEMA = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] };
const model = MODEL.id;
const TIMED = 40;

await asCommand(async () => {
  const clients = await packages();
  return withScriptedHub({}, async ({ url }) => {
    let held = true;
    for (const [name, open] of Object.entries({ openai, anthropic, google })) {
      process.stdout.write(`${name}\n`);
      const place = { url, clock: { now: () => Date.now() } };
      const agent = await newAgent(place);
      const credit = { amount: FUNDS, idempotencyKey: randomUUID() };
      mustOk(await visitor(place).post(`/api/v1/wallet/${agent.account}/credit`, credit));
      const form = open(clients[name], url, await mintKey(agent));
      for (const check of [answers, streams, callsTools, aborts, refuses, retries, isQuick]) {
        const result = await check(form, agent).then(
          (figure) => `ok    ${check.name}${figure ?? ''}`,
          (error) => `FAIL  ${check.name}: ${error.stack}`,
        );
        held = held && result.startsWith('ok');
        process.stdout.write(`  ${result}\n`);
      }
    }
    return held;
  });
});

async function packages() {
  const folder = join(root, 'node_modules/.cache/models-sdks');
  copyBeside(here, folder);
  if (!existsSync(join(folder, 'node_modules/@google/genai'))) installIn(folder, 'the clients');
  const { resolve } = createRequire(join(folder, 'package.json'));
  const get = (name) => import(pathToFileURL(resolve(name)).href);
  return {
    openai: await get('openai'),
    anthropic: await get('@anthropic-ai/sdk'),
    google: await get('@google/genai'),
  };
}

/** `retries: false` has each answer as it comes. */
function openai({ default: OpenAI }, url, apiKey) {
  const of = (retries) =>
    new OpenAI({ apiKey, baseURL: `${url}/v1`, maxRetries: retries ? 2 : 0 }).responses;
  const tools = [{ type: 'function', name: 'weather', parameters: SCHEMA, strict: true }];
  return {
    ask: async (input, { retries = true, id = model } = {}) =>
      (await of(retries).create({ model: id, input })).output_text,
    async *stream(input) {
      for await (const event of await of(true).create({ model, input, stream: true })) {
        if (event.type === 'response.output_text.delta') yield event.delta;
        if (event.type === 'response.failed') throw new Error(event.response.error.message);
      }
    },
    async tool(question, answer) {
      const input = [{ role: 'user', content: question }];
      const first = await of(true).create({ model, input, tools });
      const call = first.output.find(({ type }) => type === 'function_call');
      const output = answer(JSON.parse(call.arguments));
      const result = { type: 'function_call_output', call_id: call.call_id, output };
      const next = [...input, ...first.output, result];
      return (await of(true).create({ model, input: next, tools })).output_text;
    },
  };
}

function anthropic({ default: Anthropic }, url, apiKey) {
  const of = (retries) =>
    new Anthropic({ apiKey, baseURL: url, maxRetries: retries ? 2 : 0 }).messages;
  const asked = (content, id = model) => ({
    model: id,
    max_tokens: 100,
    messages: [{ role: 'user', content }],
  });
  const tools = [{ name: 'weather', input_schema: SCHEMA }];
  const textOf = ({ content }) => content.map(({ text = '' }) => text).join('');
  return {
    ask: async (text, { retries = true, id } = {}) =>
      textOf(await of(retries).create(asked(text, id))),
    async *stream(text) {
      const stream = of(true).stream(asked(text));
      for await (const event of stream) {
        if (event.type === 'content_block_delta') yield event.delta.text;
      }
      assert.equal((await stream.finalMessage()).stop_reason, 'end_turn');
    },
    async tool(question, answer) {
      const first = asked(question);
      const { content, stop_reason } = await of(true)
        .stream({ ...first, tools })
        .finalMessage();
      assert.equal(stop_reason, 'tool_use');
      const { id, input } = content.find(({ type }) => type === 'tool_use');
      const result = { type: 'tool_result', tool_use_id: id, content: answer(input) };
      const messages = [
        ...first.messages,
        { role: 'assistant', content },
        { role: 'user', content: [result] },
      ];
      return textOf(await of(true).create({ ...first, messages, tools }));
    },
  };
}

function google({ GoogleGenAI }, baseUrl, apiKey) {
  const of = (retries) =>
    new GoogleGenAI({
      apiKey,
      httpOptions: { baseUrl, ...(retries && { retryOptions: { attempts: 3 } }) },
    }).models;
  const tools = [{ functionDeclarations: [{ name: 'weather', parametersJsonSchema: SCHEMA }] }];
  return {
    ask: async (contents, { retries = true, id = model } = {}) =>
      (await of(retries).generateContent({ model: id, contents })).text,
    async *stream(contents) {
      // Leaving the loop ends the other two clients' streams; this one wants a signal.
      const leave = new AbortController();
      const asked = { model, contents, config: { abortSignal: leave.signal } };
      try {
        for await (const { text } of await of(true).generateContentStream(asked)) {
          if (text !== undefined) yield text;
        }
      } finally {
        leave.abort();
      }
    },
    async tool(question, answer) {
      const user = { role: 'user', parts: [{ text: question }] };
      const config = { tools };
      const first = await of(true).generateContent({ model, contents: [user], config });
      const [{ id, name, args }] = first.functionCalls;
      const response = { id, name, response: { output: answer(args) } };
      const result = { role: 'user', parts: [{ functionResponse: response }] };
      const contents = [user, first.candidates[0].content, result];
      return (await of(true).generateContent({ model, contents, config })).text;
    },
  };
}

function asking(what) {
  return `${what} ${randomUUID()}`;
}

/** That the account paid what its receipts say, and how they ended, the newest first. */
async function outcomes(agent) {
  const receipts = await receiptsOf(agent);
  const paid = receipts.reduce((sum, { charged }) => sum + BigInt(charged), 0n);
  assert.deepEqual(await moneyOf(agent), { held: 0n, spendable: BigInt(FUNDS) - paid });
  return receipts.map(({ outcome }) => outcome);
}

async function answers(form, agent) {
  assert.equal(await form.ask('Say three words.'), 'Say three words.');
  assert.deepEqual(await outcomes(agent), ['completed']);
}

async function streams(form, agent) {
  let text = '';
  for await (const piece of form.stream('Say three words.')) text += piece;
  assert.equal(text, 'Say three words.');
  assert.equal((await outcomes(agent))[0], 'completed');
}

async function callsTools(form, agent) {
  const text = await form.tool(asking('tool'), ({ city }) => `Sunny in ${city}.`);
  assert.match(text, /Sunny in Łódź\./);
  assert.equal((await outcomes(agent))[0], 'completed');
}

async function aborts(form, agent) {
  for await (const piece of form.stream(asking('slow'))) if (piece !== '') break;
  await until(async () => (await receiptsOf(agent))[0]?.outcome === 'closed-early');
  assert.equal((await outcomes(agent))[0], 'closed-early');
}

async function refuses(form, agent) {
  await assert.rejects(form.ask('go', { id: 'no/such' }), ({ status, message }) => {
    assert.ok(status === 400 || status === 404, message);
    return /no model \\?\\*"no\/such/.test(message);
  });
  await assert.rejects(form.ask(asking('wrong'), { retries: false }), /no such thing/);
  await assert.rejects(async () => {
    for await (const piece of form.stream(asking('cut'))) assert.ok(piece !== undefined);
  });
  assert.equal((await outcomes(agent))[0], 'failed');
}

async function retries(form, agent) {
  assert.equal(await form.ask(asking('down')), 'word0 word1 word2 ');
  assert.deepEqual((await outcomes(agent)).slice(0, 2), ['completed', 'failed']);
}

/** The median of a call through the desk, whose provider answers at once. */
async function isQuick(form) {
  const times = [];
  for (let n = 0; n < TIMED; n += 1) {
    const from = performance.now();
    await form.ask('Say three words.');
    times.push(performance.now() - from);
  }
  times.sort((a, b) => a - b);
  return `: ${times[TIMED / 2].toFixed(1)} ms a call, median of ${TIMED}`;
}
