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
 * `npm run models:aisdk`: the unmodified AI SDK against the compatible door: text, stream, abort,
 * tools, refusals, retries. Exit codes: 0 all held, 1 one did not, 2 it could not run.
 */
const here = fileURLToPath(new URL('.', import.meta.url));
const FUNDS = '5000000';
/** For `money`, in a minute (choices pipeline.limits). */
const CALLS_A_MINUTE = 300;
const DRAINED_MAX = 5;
const CHECKS = [answers, streams, callsTools, aborts, readsRefusals, retriesFailures, waits];

await asCommand(async () => {
  const { ai, compatible } = await packages();
  return withScriptedHub({ HUB_RATE_LIMITS: 'true' }, async ({ url }) => {
    let held = true;
    process.stdout.write('The AI SDK, at /v1\n');
    for (const check of CHECKS) {
      const result = await check(ai, await customer(url, compatible)).then(
        () => 'ok   ',
        (error) => `FAIL  ${error.stack}\n     `,
      );
      held = held && result.startsWith('ok');
      process.stdout.write(`  ${result} ${titleOf(check)}\n`);
    }
    return held;
  });
});

async function packages() {
  const folder = join(root, 'node_modules/.cache/models-ai-sdk');
  copyBeside(here, folder);
  if (!existsSync(join(folder, 'node_modules/ai'))) installIn(folder, 'the AI SDK');
  const { resolve } = createRequire(join(folder, 'package.json'));
  const get = (name) => import(pathToFileURL(resolve(name)).href);
  return { ai: await get('ai'), compatible: await get('@ai-sdk/openai-compatible') };
}

/** An account with money, a model that it pays for, and the status of each answer that came. */
async function customer(url, { createOpenAICompatible }) {
  const place = { url, clock: { now: () => Date.now() } };
  const agent = await newAgent(place);
  const credit = { amount: FUNDS, idempotencyKey: randomUUID() };
  mustOk(await visitor(place).post(`/api/v1/wallet/${agent.account}/credit`, credit));
  const apiKey = await mintKey(agent);
  const statuses = [];
  const heard = async (...request) => {
    const answer = await fetch(...request);
    statuses.push(answer.status);
    return answer;
  };
  const options = { name: 'hub', apiKey, baseURL: `${url}/v1`, includeUsage: true, fetch: heard };
  const provider = createOpenAICompatible(options);
  return { agent, url, apiKey, statuses, provider, model: provider(MODEL.id) };
}

function titleOf({ name }) {
  return name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}

function asking(what) {
  return `${what} ${randomUUID()}`;
}

/** That the account paid what its receipts say, and how they ended, the newest first. */
async function outcomes({ agent }) {
  const receipts = await receiptsOf(agent);
  const paid = receipts.reduce((sum, { charged }) => sum + BigInt(charged), 0n);
  assert.deepEqual(await moneyOf(agent), { held: 0n, spendable: BigInt(FUNDS) - paid });
  return receipts.map(({ outcome }) => outcome);
}

async function answers({ generateText }, who) {
  const { text, usage } = await generateText({ model: who.model, prompt: 'Say three words.' });
  assert.deepEqual([text, usage.outputTokens], ['Say three words.', 3]);
  assert.deepEqual(await outcomes(who), ['completed']);
}

async function streams({ streamText }, who) {
  const { textStream, totalUsage } = streamText({ model: who.model, prompt: 'Say three words.' });
  let text = '';
  for await (const piece of textStream) text += piece;
  assert.equal(text, 'Say three words.');
  assert.equal((await totalUsage).totalTokens, 23);
  assert.deepEqual(await outcomes(who), ['completed']);
}

async function callsTools({ generateText, tool, jsonSchema, stepCountIs }, who) {
  const properties = { city: { type: 'string' } };
  const weather = tool({
    description: 'The weather',
    inputSchema: jsonSchema({ type: 'object', properties, required: ['city'] }),
    execute: async ({ city }) => `Sunny in ${city}.`,
  });
  const asked = { model: who.model, prompt: asking('tool'), tools: { weather } };
  const { text, steps } = await generateText({ ...asked, stopWhen: stepCountIs(2) });
  assert.deepEqual([steps.length, text], [2, 'Sunny in Łódź.']);
  assert.deepEqual(await outcomes(who), ['completed', 'completed']);
}

async function aborts({ streamText }, who) {
  const leave = new AbortController();
  const asked = { model: who.model, prompt: asking('slow'), abortSignal: leave.signal };
  const { fullStream } = streamText({ ...asked, onError: () => undefined });
  for await (const { type } of fullStream) if (type === 'text-delta') leave.abort();
  await until(async () => (await receiptsOf(who.agent))[0]?.outcome === 'closed-early');
  assert.deepEqual(await outcomes(who), ['closed-early']);
}

async function readsRefusals({ generateText, streamText, APICallError }, who) {
  const unknown = generateText({ model: who.provider('no/such'), prompt: 'go' });
  await assert.rejects(unknown, (error) => {
    assert.ok(APICallError.isInstance(error), String(error));
    assert.deepEqual([error.statusCode, error.isRetryable], [400, false]);
    return /no model "no\/such"/.test(error.message);
  });
  await assert.rejects(
    generateText({ model: who.model, prompt: asking('wrong') }),
    /no such thing/,
  );
  assert.deepEqual(who.statuses, [400, 400], 'what is wrong is not sent again');
  const reported = [];
  const asked = { model: who.model, prompt: asking('cut') };
  const { fullStream } = streamText({ ...asked, onError: ({ error }) => reported.push(error) });
  const kinds = [];
  for await (const { type } of fullStream) kinds.push(type);
  assert.ok(kinds.includes('error'), kinds.join());
  assert.match(JSON.stringify(reported), /broke off/);
  assert.deepEqual(await outcomes(who), ['failed', 'failed']);
}

async function retriesFailures({ generateText, streamText, APICallError }, who) {
  const { text } = await generateText({ model: who.model, prompt: asking('down') });
  assert.deepEqual([text, who.statuses], ['word0 word1 word2 ', [503, 200]]);
  assert.deepEqual(await outcomes(who), ['completed', 'failed']);
  let text = '';
  const { textStream } = streamText({ model: who.model, prompt: asking('down') });
  for await (const piece of textStream) text += piece;
  assert.deepEqual([text, who.statuses.slice(2)], ['word0 word1 word2 ', [503, 200]]);
  const once = generateText({ model: who.model, prompt: asking('down'), maxRetries: 0 });
  await assert.rejects(once, (error) => APICallError.isInstance(error) && error.statusCode === 503);
}

/** Over the limit the hub says how long to wait, and the SDK waits as long. */
async function waits({ generateText }, who) {
  for (let times = 1; who.statuses[0] !== 429; times += 1) {
    assert.ok(times <= DRAINED_MAX, `the first answers were ${who.statuses.join(', ')}`);
    await drain(who);
    who.statuses.length = 0;
    const { text } = await generateText({ model: who.model, prompt: 'Say three words.' });
    assert.equal(text, 'Say three words.');
  }
  assert.equal(who.statuses.at(-1), 200);
  assert.equal((await outcomes(who))[0], 'completed');
}

/** Uses the calls of the minute up, with requests that cost nothing. */
async function drain({ url, apiKey }) {
  const headers = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' };
  const ask = () => fetch(`${url}/v1/chat/completions`, { method: 'POST', headers, body: '{}' });
  for (let waves = 0; waves < 4; waves += 1) {
    const wave = await Promise.all(Array.from({ length: CALLS_A_MINUTE }, ask));
    await Promise.all(wave.map((answer) => answer.text()));
    if (wave.some(({ status }) => status === 429)) return;
  }
}
