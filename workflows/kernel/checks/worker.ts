import { MessagePort, workerData } from 'node:worker_threads';
import type { CompiledRule } from './compiler.ts';
import { compileRule, WorkSpent, warmUp } from './compiler.ts';
import type { CheckReply, CheckRequest, Overrun, WorkerStart } from './protocol.ts';

/**
 * The check worker: one request at a time, no state but a bounded cache. It measures its own time;
 * when it cannot even answer, the hub ends it from outside (choices acceptance.running).
 */
const CACHE_RULES_MAX = 64;
/** Compiled code outgrows its rule many times over: one rule at every limit weighs 72,000. */
const CACHE_WEIGHT_MAX = 100_000;

const start = workerStart(workerData);
/** Keyed by the text of the rule: exact, and no digest to compute. Oldest use first. */
const cache = new Map<string, CompiledRule>();
let cachedWeight = 0;

start.port.on('message', (request: CheckRequest) => {
  send(answer(request));
});
warmUp();
send({ is: 'ready' });

function send(reply: CheckReply): void {
  start.port.postMessage(reply);
}

function answer(request: CheckRequest): CheckReply {
  let during: Overrun['during'] = 'compile';
  try {
    const began = performance.now();
    const rule = cache.get(request.ruleText) ?? compileRule(JSON.parse(request.ruleText));
    const compileMs = performance.now() - began;
    if (!('ok' in rule)) return { is: 'refused', refusal: rule };
    remember(request.ruleText, rule);
    if (request.resultText === undefined) {
      const { patternInstructions } = rule;
      if (compileMs <= start.compileMs) return { is: 'compiled', patternInstructions };
      return { is: 'overrun', of: 'time', during };
    }
    const result: unknown = JSON.parse(request.resultText);
    during = 'run';
    send({ is: 'running' });
    return judged(rule, result, request);
  } catch (error) {
    if (error instanceof WorkSpent) return { is: 'overrun', of: 'work', during };
    // The stack or a buffer ran out: the rule asked for too much, the worker is sound.
    if (error instanceof RangeError) return { is: 'overrun', of: 'memory', during };
    return { is: 'fault', why: error instanceof Error ? (error.stack ?? error.message) : 'thrown' };
  }
}

function judged(rule: CompiledRule, result: unknown, { files, brief }: CheckRequest): CheckReply {
  const began = performance.now();
  const verdict = rule.judge(result, files);
  const runMs = performance.now() - began;
  if (runMs > start.runMs) return { is: 'overrun', of: 'time', during: 'run' };
  // The verdict stands; listing every reason is a courtesy outside its budget.
  const reported = verdict.accepted || brief ? verdict : rule.judgeInFull(result, files);
  return { is: 'verdict', verdict: reported };
}

function remember(text: string, rule: CompiledRule): void {
  if (cache.delete(text)) cachedWeight -= rule.weight;
  cache.set(text, rule);
  cachedWeight += rule.weight;
  for (const [oldest, { weight }] of cache) {
    if (cache.size <= CACHE_RULES_MAX && cachedWeight <= CACHE_WEIGHT_MAX) break;
    cache.delete(oldest);
    cachedWeight -= weight;
  }
}

function workerStart(data: unknown): WorkerStart {
  if (!isWorkerStart(data)) throw new TypeError('this file is the entry of a check worker');
  return data;
}

function isWorkerStart(data: unknown): data is WorkerStart {
  return (
    typeof data === 'object' &&
    data !== null &&
    'port' in data &&
    data.port instanceof MessagePort &&
    'compileMs' in data &&
    typeof data.compileMs === 'number' &&
    'runMs' in data &&
    typeof data.runMs === 'number'
  );
}
