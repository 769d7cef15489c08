import type { StoredDocument } from '../../db/registry/probes.ts';
import { defined } from '../../domain/defined.ts';
import { ROBOT_NAME } from '../../domain/outbound/request.ts';
import { readRobots, robotsOfStatus, type Robots } from '../../domain/registry/readRobots.ts';
import type { CrawlStep, CrawlStepName, RobotsSeen } from '../../domain/registry/target.ts';
import { REQUESTS_A_SERVER } from '../../domain/registry/turns.ts';
import { cut } from '../../domain/text.ts';
import type { Exchange, Failed, Hub, Outcome, OutboundRequest } from '../kernel/hub.ts';
import type { AgentCallOptions } from '../kernel/hub.ts';
import { probeEnd, stepOf } from './probeStep.ts';

/**
 * One look at an origin: every request of it goes through here, so that the rules for robots, the
 * pace and the number of requests hold whatever is asked, and each leaves its line in the report.
 */
export interface CrawlSession {
  readonly hub: Hub;
  readonly origin: string;
  readonly probes: readonly CrawlStep[];
  /** Documents to remember for conditional requests. */
  readonly fresh: readonly StoredDocument[];
  note(probe: Omit<CrawlStep, 'at'>): void;
  /** Whether the rules of its host allow the address; a refusal is noted. */
  mayAsk(step: CrawlStepName, url: string): Promise<boolean>;
  /** A GET, conditional when the document is known; undefined when it did not answer. */
  get(step: CrawlStepName, url: string, accept: string): Promise<Page | undefined>;
  /** How the hub asks: paced, counted and noted. */
  readonly wishes: AgentCallOptions;
  /** Rules of the origin itself; undefined until they were asked for. */
  robots(): RobotsSeen | undefined;
  /** Set when the hub itself broke the look off, which says nothing about the origin. */
  lost(): boolean;
  /** No further request would be sent. */
  over(): boolean;
  /** Enough requests are left to ask one more server. */
  hasRoom(): boolean;
}

interface Page {
  readonly status: number;
  readonly text: string;
  readonly paymentRequired: string | undefined;
}

export interface CrawlOptions {
  readonly documents: readonly StoredDocument[];
  /** A caller waits for the answer: robots' wishes for a pause are limited to a second. */
  readonly isUrgent: boolean;
  /** Requests of this look at most. */
  readonly requestsMax: number;
  readonly signal: AbortSignal;
}

/** The hub itself ended a request before it was answered, which says nothing about the other side. */
export const HUB_STOPPED: readonly string[] = ['refused-request', 'cancelled', 'busy'];

/** Some answers leave a line of their own and one with the verdict. */
const STEPS_A_REQUEST = 3;
const PAUSE_MS = 1_000;
const URGENT_PAUSE_MS = 100;
const CRAWL_DELAY_MS_MAX = 30_000;
/** A card has at most 1 MiB, a page of tools 4 MiB (choices registry.crawl). */
const CARD_BYTES_MAX = 1_048_576;
const TOOLS_BYTES_MAX = 4 * 1_048_576;
const STORED_MAX = 262_144;
const REQUEST_MS_MAX = 10_000;

export function openCrawlSession(hub: Hub, origin: string, options: CrawlOptions): CrawlSession {
  const { documents, isUrgent, requestsMax, signal } = options;
  const probes: CrawlStep[] = [];
  const fresh: StoredDocument[] = [];
  const rules = new Map<string, Robots>();
  const counts = { requests: 0 };
  let seen: RobotsSeen | undefined;
  let isLost = false;

  const note = (probe: Omit<CrawlStep, 'at'>): void => {
    if (probes.length >= STEPS_A_REQUEST * requestsMax) return;
    const { detail, fix, ...rest } = probe;
    const message = { detail: cut(detail, 400), ...(fix !== undefined && { fix: cut(fix, 400) }) };
    probes.push({ ...rest, ...message, at: hub.clock.now() });
  };

  /** Waits for its turn; a failure when there is none left. */
  const before = async (url: string): Promise<Failed | undefined> => {
    if (counts.requests >= requestsMax) {
      const message = `A look has at most ${requestsMax} requests.`;
      return { kind: 'failed', reason: 'refused-request', message };
    }
    counts.requests += 1;
    const verdict = hub.outbound.judge(url);
    // A host that the operator opened is their own: it needs no manners.
    if (counts.requests === 1 || (verdict.ok && verdict.target.opened)) return undefined;
    const wished = (rules.get(originOf(url))?.crawlDelaySeconds ?? 0) * 1000;
    const pauseMs = isUrgent
      ? URGENT_PAUSE_MS
      : Math.max(PAUSE_MS, Math.min(wished, CRAWL_DELAY_MS_MAX));
    await hub.notifier.wait('', hub.notifier.published(''), pauseMs, signal);
    return undefined;
  };

  const noteLoss = (reason: string | undefined): void => {
    if (signal.aborted) return;
    if (reason === 'cancelled' || reason === 'busy') isLost = true;
  };

  const ask = async (step: CrawlStepName, url: string, accept: string): Promise<Asked> => {
    const kept = await before(url);
    if (kept !== undefined) return { failure: kept };
    const known = documents.find((document) => document.url === url);
    const answer = await page(hub, {
      url,
      headers: { accept, 'a2a-version': '1.0', ...conditions(known) },
      limits: { totalMs: REQUEST_MS_MAX, bytesMax: CARD_BYTES_MAX },
      signal,
    });
    if (answer.kind === 'failed') {
      noteLoss(answer.reason);
      note({ step, url, ...probeEnd(answer, undefined) });
      return { failure: answer };
    }
    const { status, headers, timings, finalUrl } = answer;
    if (originOf(finalUrl) !== originOf(url) && step !== 'robots') {
      if (!(await mayAsk(step, finalUrl))) return { failure: undefined };
    }
    const paymentRequired = headers.get('payment-required')?.join(', ');
    const durationMs = Math.round(timings.totalMs);
    if (status === 304 && known !== undefined) {
      note({
        step,
        url,
        outcome: 'ok',
        status,
        detail: 'Not changed since last time.',
        durationMs,
      });
      return { page: { status: 200, text: known.body, paymentRequired } };
    }
    const text = Buffer.from(answer.body).toString('utf8').replaceAll('\u0000', '');
    const etag = headers.get('etag')?.join(', ');
    const lastModified = headers.get('last-modified')?.join(', ');
    const isTagged = isHeaderText(etag) || isHeaderText(lastModified);
    if (status === 200 && isTagged && text.length <= STORED_MAX && step === 'card') {
      fresh.push({
        url,
        body: text,
        ...(isHeaderText(etag) && { etag }),
        ...(isHeaderText(lastModified) && { lastModified }),
      });
    }
    return { page: { status, text, paymentRequired }, durationMs };
  };

  const robotsFor = async (at: string): Promise<Robots> => {
    const known = rules.get(at);
    if (known !== undefined) return known;
    const url = `${at}/robots.txt`;
    const { page, durationMs = 0 } = await ask('robots', url, 'text/plain, */*;q=0.1');
    const found =
      page !== undefined && page.status >= 200 && page.status < 300
        ? readRobots(page.text, ROBOT_NAME)
        : robotsOfStatus(page?.status);
    rules.set(at, found);
    const { rule, crawlDelaySeconds } = found;
    const delay = crawlDelaySeconds === undefined ? {} : { crawlDelaySeconds };
    if (page !== undefined) {
      note({ step: 'robots', url, status: page.status, durationMs, ...robotsSays(rule) });
      if (at === origin) seen = { fetchedAt: hub.clock.now(), rule, ...delay };
    }
    return found;
  };

  const mayAsk = async (step: CrawlStepName, url: string): Promise<boolean> => {
    const verdict = hub.outbound.judge(url);
    if (!verdict.ok) {
      note({
        step,
        url: shownUrl(url),
        outcome: 'forbidden',
        detail: verdict.message,
        durationMs: 0,
      });
      return false;
    }
    const { origin: at, pathAndQuery } = verdict.target;
    const robots = await robotsFor(at);
    if (robots.mayFetch(pathAndQuery)) return true;
    // Nothing answered: what is noted already says so.
    if (robots.rule === 'unreadable' && !probes.some((each) => each.status !== undefined)) {
      return false;
    }
    const detail = `The robots.txt of ${at} keeps the hub from ${pathAndQuery}.`;
    const fix = `Allow ${ROBOT_NAME} this path, and serve robots.txt with 200 or 404.`;
    note({ step, url, outcome: 'forbidden', detail, fix, durationMs: 0 });
    return false;
  };

  return {
    hub,
    origin,
    probes,
    fresh,
    note,
    mayAsk,
    async get(step, url, accept) {
      if (!(await mayAsk(step, url))) return undefined;
      const { page, durationMs } = await ask(step, url, accept);
      if (page !== undefined && durationMs !== undefined) {
        note({ step, url, status: page.status, durationMs, ...pageSays(page.status) });
      }
      return page;
    },
    wishes: {
      limits: { totalMs: REQUEST_MS_MAX, bytesMax: TOOLS_BYTES_MAX },
      signal,
      before,
      onExchange(exchange: Exchange) {
        const { end, shut, url, method } = exchange;
        if (end.kind === 'failed') noteLoss(end.reason);
        const step = stepOf(method);
        if (step !== undefined) note({ step, url, ...probeEnd(end, shut) });
      },
    },
    robots: () => seen,
    lost: () => isLost,
    over: () => isLost || signal.aborted,
    hasRoom: () => !isLost && !signal.aborted && counts.requests + REQUESTS_A_SERVER <= requestsMax,
  };
}

/** Reads a body whole, unless it is a stream that would never end. */
async function page(hub: Hub, request: OutboundRequest): Promise<Outcome<Uint8Array>> {
  const answer = await hub.outbound.stream(request);
  if (answer.kind === 'failed') return answer;
  const pieces: Uint8Array[] = [];
  if (/^text\/event-stream\b/i.test(answer.headers.get('content-type')?.join() ?? '')) {
    answer.body.cancel();
    return { ...answer, body: new Uint8Array() };
  }
  for await (const part of answer.body.parts) {
    if (part.kind === 'failed') return part;
    pieces.push(part.bytes);
  }
  return { ...answer, body: Buffer.concat(pieces) };
}

interface Asked {
  readonly page?: Page;
  readonly failure?: Failed | undefined;
  /** Absent when the request is in the report already. */
  readonly durationMs?: number;
}

function conditions(known: StoredDocument | undefined): Readonly<Record<string, string>> {
  return {
    ...defined({ 'if-none-match': known?.etag, 'if-modified-since': known?.lastModified }),
  };
}

function isHeaderText(value: string | undefined): value is string {
  return value !== undefined && /^[\x21-\x7e]([\x20-\x7e]{0,198}[\x21-\x7e])?$/.test(value);
}

function originOf(url: string): string {
  return new URL(url).origin;
}

/** An address that may not even be one, as the contract shows addresses. */
function shownUrl(url: string): string {
  return /^https?:\/\/\S{1,2000}$/.test(url) ? url : 'https://unreadable.invalid/';
}

function robotsSays(rule: RobotsSeen['rule']): Pick<CrawlStep, 'outcome' | 'detail'> {
  switch (rule) {
    case 'absent':
      return { outcome: 'not-found', detail: 'It has no rules for robots, so all is allowed.' };
    case 'unreadable':
      return {
        outcome: 'forbidden',
        detail: 'Its rules cannot be read, which forbids everything.',
      };
    case 'forbidden':
      return { outcome: 'forbidden', detail: `Its rules forbid ${ROBOT_NAME} everything.` };
    case 'partly':
      return { outcome: 'ok', detail: `Its rules allow ${ROBOT_NAME} some paths.` };
    case 'allowed':
      return { outcome: 'ok', detail: `Its rules allow ${ROBOT_NAME} all paths.` };
  }
}

function pageSays(status: number): Pick<CrawlStep, 'outcome' | 'detail'> {
  const detail = `It answered ${status}.`;
  if (status < 300) return { outcome: 'ok', detail };
  if (status === 402) return { outcome: 'quoted', detail };
  if (status === 401 || status === 403) return { outcome: 'key-needed', detail };
  return { outcome: status === 404 || status === 410 ? 'not-found' : 'refused', detail };
}
