import { AsyncLocalStorage } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { ROOT_CONTEXT, SpanKind, SpanStatusCode, trace, type Context } from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  BasicTracerProvider,
  BatchSpanProcessor,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
} from '@opentelemetry/sdk-trace-base';
import type { Store } from '../../db/store.ts';
import { service } from '../../generated/doors.ts';
import { operationTable } from '../../generated/operations.ts';
import type { Job } from '../../workflows/kernel/job.ts';
import type { Outbound } from '../../workflows/kernel/outbound/fetcher.ts';
import type { Outcome } from '../../workflows/kernel/outbound/outcome.ts';
import type { TraceRequest } from '../middleware/observe.ts';
import { parentOf } from './traceParent.ts';

/**
 * OpenTelemetry traces of one process (choices operator.traces) by OTLP over HTTP: a span for each
 * request and job run, with units of work and calls below. Ports are wrapped only while on.
 */
export interface Traces {
  readonly request: TraceRequest;
  store(store: Store): Store;
  outbound(outbound: Outbound): Outbound;
  job(job: Job): Job;
  /** Sends what is left. */
  close(): Promise<void>;
}

export interface TraceSettings {
  /** Where a collector takes OTLP, its path included (`http://127.0.0.1:4318/v1/traces`). */
  readonly url: string;
  /** The share of traces that is kept, 0 to 1, where the caller did not decide. */
  readonly ratio: number;
}

/** By the conventions of OpenTelemetry 1.38 (choices operator.traces). */
const SYSTEMS = { sqlite: 'sqlite', postgres: 'postgresql' } as const;
const ROUTES: Readonly<Record<string, { readonly path: string }>> = operationTable;
const SEND_MS_MAX = 5_000;
const FAILED_FROM = 500;
/** A collector that is away holds up no process that ends; spans that were not sent are lost. */
const CLOSE_MS_MAX = 2_000;

export function openTraces({ url, ratio }: TraceSettings): Traces {
  const exporter = new OTLPTraceExporter({ url, timeoutMillis: SEND_MS_MAX });
  const kept = new TraceIdRatioBasedSampler(ratio);
  const provider = new BasicTracerProvider({
    resource: resourceFromAttributes({
      'service.name': 'agent-exchange-hub',
      'service.version': service.version,
      'service.instance.id': randomUUID(),
    }),
    // An untrusted `traceparent` may ask for less and never for more than the ratio.
    sampler: new ParentBasedSampler({ root: kept, remoteParentSampled: kept }),
    spanProcessors: [new BatchSpanProcessor(exporter)],
  });
  const tracer = provider.getTracer('hub');
  const current = new AsyncLocalStorage<Context>();

  async function inSpan<T>(
    { name, kind, parent = current.getStore() ?? ROOT_CONTEXT, attributes = {} }: SpanOf,
    work: (say: Say) => Promise<T>,
  ): Promise<T> {
    const span = tracer.startSpan(name, { kind, attributes }, parent);
    const say: Say = (given, failed) => {
      span.setAttributes(given);
      const route = given['http.route'];
      if (route !== undefined) span.updateName(`${name} ${route}`);
      if (failed === undefined) return;
      span.setAttribute('error.type', failed);
      span.setStatus({ code: SpanStatusCode.ERROR });
    };
    try {
      return await current.run(trace.setSpan(parent, span), () => work(say));
    } catch (error) {
      // A refusal is an answer: the request that gave it says its code.
      span.addEvent('thrown', {
        'exception.type': error instanceof Error ? error.name : typeof error,
      });
      throw error;
    } finally {
      span.end();
    }
  }

  const called = <T>(method: string, target: string, work: () => Promise<Outcome<T>>) =>
    inSpan(
      {
        name: method,
        kind: SpanKind.CLIENT,
        attributes: { 'http.request.method': method, ...hostOf(target) },
      },
      async (say) => {
        const outcome = await work();
        if (outcome.kind === 'failed') say({}, outcome.reason);
        else say({ 'http.response.status_code': outcome.status });
        return outcome;
      },
    );

  return {
    request: ({ method, requestId, request: { headers } }, work) =>
      inSpan(
        {
          name: method,
          kind: SpanKind.SERVER,
          parent: parentOf(headers['traceparent']),
          attributes: { 'http.request.method': method, 'hub.request_id': requestId },
        },
        async (say) => {
          const seen = await work();
          const { operation, status, code } = seen;
          say(
            {
              'hub.operation': operation,
              'http.response.status_code': status,
              ...(Object.hasOwn(ROUTES, operation) && {
                'http.route': ROUTES[operation]?.path ?? '',
              }),
              ...(code !== '' && { 'hub.refusal': code }),
            },
            status >= FAILED_FROM ? String(status) : undefined,
          );
          return seen;
        },
      ),
    store(store) {
      const attributes = { 'db.system.name': SYSTEMS[store.dialect] };
      const unit = <T>(name: string, work: () => Promise<T>): Promise<T> =>
        inSpan({ name, kind: SpanKind.CLIENT, attributes }, work);
      return {
        ...store,
        read: (work) => unit('read', () => store.read(work)),
        readLagging: (work) => unit('read', () => store.readLagging(work)),
        readOne: (work) => unit('read', () => store.readOne(work)),
        look: (view) => unit('read', () => store.look(view)),
        write: (work) => unit('write', () => store.write(work)),
        decide: (transaction) => unit('decide', () => store.decide(transaction)),
      };
    },
    outbound: (outbound) => ({
      ...outbound,
      fetch: (request) =>
        called(request.method ?? 'GET', request.url, () => outbound.fetch(request)),
      stream: (request) =>
        called(request.method ?? 'GET', request.url, () => outbound.stream(request)),
    }),
    job: (job) => ({
      ...job,
      run: (hub) =>
        inSpan({ name: `job ${job.name}`, kind: SpanKind.INTERNAL, parent: ROOT_CONTEXT }, () =>
          job.run(hub),
        ),
    }),
    close: () =>
      Promise.race([
        provider.shutdown().catch(() => undefined),
        sleep(CLOSE_MS_MAX, undefined, { ref: false }),
      ]),
  };
}

interface SpanOf {
  readonly name: string;
  readonly kind: SpanKind;
  readonly parent?: Context;
  readonly attributes?: Attributes;
}
type Attributes = Readonly<Record<string, string | number>>;
/** `failed` is the kind of the failure (`error.type`). */
type Say = (attributes: Attributes, failed?: string) => void;

/** The host alone: untrusted paths and queries can hold secrets. */
function hostOf(url: string): Attributes {
  if (!URL.canParse(url)) return {};
  const { hostname, port, protocol } = new URL(url);
  const usual = protocol === 'https:' ? 443 : 80;
  return { 'server.address': hostname, 'server.port': port === '' ? usual : Number(port) };
}
