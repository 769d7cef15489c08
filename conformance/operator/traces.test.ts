import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { service } from '../../generated/doors.ts';
import { openFixture, type Fixture } from '../harness/fixture.ts';
import { mustOk, mustRefuse } from '../harness/must.ts';

interface Span {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly attributes: readonly { readonly key: string; readonly value: Value }[];
}
interface Value {
  readonly stringValue?: string;
  readonly intValue?: number;
}
interface Sent {
  readonly resourceSpans: readonly {
    readonly resource: Pick<Span, 'attributes'>;
    readonly scopeSpans: readonly { readonly spans: readonly Span[] }[];
  }[];
}

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const CALLER = '00f067aa0ba902b7';

describe('traces (choices operator.traces)', () => {
  it('follow a signed call from the request into its units of work, under its request id', async () => {
    const collector = await openCollector();
    const world = await openFixture({ env: { HUB_TRACES_URL: collector.url } });
    const path = `/api/v1/wallet/${world.alice.account}/pay`;
    const body = { to: world.bob.account, amount: '7', idempotencyKey: 'a' };
    await world.fund(world.alice, '1000');
    const request = await world.alice.signed('POST', path, body);
    request.headers.set('traceparent', `00-${TRACE}-${CALLER}-01`);
    const paid = await world.alice.send(request);
    mustOk(paid);
    const poor = await world.alice.post(path, { ...body, amount: '9999', idempotencyKey: 'b' });
    mustRefuse(poor, 400, 'insufficient-funds');
    await world.hub.runJob('housekeeping');
    const spans = await endOf(world, collector);

    const pay = requestSpan(spans, paid.headers.get('x-request-id'));
    const route = '/api/v1/wallet/{owner}/pay';
    assert.deepEqual([pay.name, valueOf(pay, 'http.route')], [`POST ${route}`, route]);
    const process = { attributes: collector.resource };
    assert.equal(valueOf(process, 'service.version'), service.version);
    assert.match(String(valueOf(process, 'service.instance.id')), /^[0-9a-f-]{36}$/);
    assert.deepEqual([pay.traceId, pay.parentSpanId], [TRACE, CALLER]);
    assert.equal(valueOf(pay, 'hub.operation'), 'wallet.pay');
    assert.equal(valueOf(pay, 'http.response.status_code'), 200);
    const inside = spans.filter(({ parentSpanId }) => parentSpanId === pay.spanId);
    const decide = inside.find(({ name }) => name === 'decide');
    assert.ok(decide !== undefined);
    assert.deepEqual([decide.traceId, valueOf(decide, 'db.system.name')], [TRACE, 'sqlite']);

    const refused = requestSpan(spans, poor.headers.get('x-request-id'));
    assert.equal(valueOf(refused, 'hub.refusal'), 'insufficient-funds');
    assert.equal(refused.parentSpanId, undefined);

    const job = spans.find(({ name }) => name === 'job housekeeping');
    assert.ok(spans.some(({ parentSpanId }) => parentSpanId === job?.spanId));
  });

  it('carry no account, key or address', async () => {
    const collector = await openCollector();
    const world = await openFixture({ env: { HUB_TRACES_URL: collector.url } });
    mustOk(await world.alice.get(`/api/v1/wallet/${world.alice.account}`));
    mustOk(await world.anyone.get('/api/v1/search?q=secret-words'));
    const text = JSON.stringify(await endOf(world, collector));
    for (const word of [world.alice.keyId, 'secret-words', '127.0.0.1']) {
      assert.ok(!text.includes(word), word);
    }
  });

  it('are not more for an untrusted client that asks for them, and none at nought per cent', async () => {
    const collector = await openCollector();
    const env = { HUB_TRACES_URL: collector.url, HUB_TRACES_PERCENT: '0' };
    const world = await openFixture({ env });
    const headers = { traceparent: `00-${TRACE}-${CALLER}-01` };
    await fetch(`${world.hub.url}/api/v1/stats`, { headers });
    assert.deepEqual(await endOf(world, collector), []);
  });

  it('read no header that is not of the form', async () => {
    const collector = await openCollector();
    const world = await openFixture({ env: { HUB_TRACES_URL: collector.url } });
    const bad = ['00-x', `ff-${TRACE}-${CALLER}-01`, `00-${'0'.repeat(32)}-${CALLER}-01`];
    const ids: (string | null)[] = [];
    for (const traceparent of bad) {
      const { headers } = await fetch(`${world.hub.url}/api/v1/stats`, {
        headers: { traceparent },
      });
      ids.push(headers.get('x-request-id'));
    }
    const spans = await endOf(world, collector);
    for (const id of ids) {
      const { traceId, parentSpanId } = requestSpan(spans, id);
      assert.deepEqual([traceId === TRACE, parentSpanId], [false, undefined]);
    }
  });

  it('cost no answer when no collector takes them', async () => {
    const world = await openFixture({ env: { HUB_TRACES_URL: 'http://127.0.0.1:9/v1/traces' } });
    mustOk(await world.anyone.get('/api/v1/stats'));
    await world.close();
  });
});

interface Collector {
  readonly url: string;
  readonly server: Server;
  readonly spans: Span[];
  /** The attributes of the process. */
  readonly resource: Span['attributes'][number][];
}

/** Takes OTLP over HTTP in its JSON form. */
async function openCollector(): Promise<Collector> {
  const collector = { spans: [] as Span[], resource: [] as Collector['resource'] };
  const { spans } = collector;
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const sent = JSON.parse(Buffer.concat(parts).toString()) as Sent;
      for (const { resource, scopeSpans } of sent.resourceSpans) {
        collector.resource.push(...resource.attributes);
        for (const scope of scopeSpans) spans.push(...scope.spans);
      }
      response.setHeader('content-type', 'application/json').end('{}');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/v1/traces`, server, ...collector };
}

/** All that was sent, once the hub is closed. */
async function endOf(world: Fixture, { server, spans }: Collector): Promise<readonly Span[]> {
  await world.close();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  return spans;
}

function requestSpan(spans: readonly Span[], requestId: string | null): Span {
  const found = spans.find((span) => valueOf(span, 'hub.request_id') === requestId);
  assert.ok(found !== undefined, `no span of ${requestId}`);
  return found;
}

function valueOf(
  { attributes }: Pick<Span, 'attributes'>,
  name: string,
): string | number | undefined {
  const { stringValue, intValue } = attributes.find(({ key }) => key === name)?.value ?? {};
  return stringValue ?? intValue;
}
