import { Readable } from 'node:stream';
import { parseJson } from '../../domain/json.ts';
import type { AnyReply, Dispatcher } from '../dispatch.ts';
import { refuse } from '../errors.ts';
import type { RequestFacts } from '../handler.ts';
import { fieldName, queryValues } from '../validation.ts';
import { JSON_TYPE } from './errors.ts';
import { queryOf, type HubContext } from './state.ts';

/** The HTTP door's last step: bytes to wire input, dispatch, reply to bytes. */
export function call(dispatch: Dispatcher) {
  return async (ctx: HubContext): Promise<void> => {
    const { spec, path, target, identity } = ctx.state;
    const body = jsonOf(ctx);
    const input = { path, query: queryValues(queryOf(target)), header: ctx.req.headers, body };
    encode(ctx, await dispatch(spec, input, identity, factsOf(ctx, body)));
  };
}

function jsonOf(ctx: HubContext): unknown {
  const { rawBody, spec } = ctx.state;
  if (rawBody.length === 0 || spec.body === undefined) return undefined;
  const parsed = parseJson(rawBody);
  if (parsed.ok) return parsed.value;
  const field = fieldName('body', parsed.pointer ?? '');
  return refuse('bad-json', { error: `${parsed.why}.`, field });
}

/** Built lazily where it costs: few operations ask whether the caller left or is a browser. */
function factsOf(ctx: HubContext, wireBody: unknown): RequestFacts {
  let gone: AbortSignal | undefined;
  return {
    id: ctx.state.requestId,
    wireBody,
    get gone() {
      return (gone ??= goneSignal(ctx));
    },
    get wantsHtml() {
      return ctx.accepts(JSON_TYPE, 'text/html') === 'text/html';
    },
    get raw() {
      return {
        method: ctx.req.method ?? 'GET',
        target: ctx.state.target,
        headers: ctx.req.rawHeaders,
        body: ctx.state.rawBody,
      };
    },
  };
}

function goneSignal(ctx: HubContext): AbortSignal {
  const controller = new AbortController();
  ctx.res.once('close', () => controller.abort());
  return controller.signal;
}

function encode(ctx: HubContext, reply: AnyReply): void {
  const type = reply.type ?? JSON_TYPE;
  ctx.status = reply.status;
  if (reply.headers !== undefined) ctx.set(reply.headers);
  ctx.set('content-type', type);
  if (type === JSON_TYPE) ctx.body = JSON.stringify(reply.body);
  else if (type === 'text/event-stream') ctx.body = Readable.from(events(reply.body));
  else if (type === 'application/x-ndjson') ctx.body = Readable.from(lines(reply.body));
  else ctx.body = bytesOf(reply.body);
}

function bytesOf(body: unknown): string | Buffer {
  if (typeof body === 'string') return body;
  if (body instanceof Uint8Array) return Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  throw new Error('a reply that is not JSON is text or bytes');
}

async function* lines(items: unknown): AsyncGenerator<string> {
  for await (const item of items as AsyncIterable<unknown>) yield `${JSON.stringify(item)}\n`;
}

interface StreamEvent {
  readonly event?: string;
  readonly data: unknown;
}

async function* events(items: unknown): AsyncGenerator<string> {
  for await (const { event, data } of items as AsyncIterable<StreamEvent>) {
    const name = event === undefined ? '' : `event: ${event}\n`;
    yield `${name}data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`;
  }
}
