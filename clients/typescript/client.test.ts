import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { at, refusalStep, scriptedHub, type ScriptedHub, type Step } from './fixture.ts';
import { createHub, follow, generateKey, HubFailure, HubRefusal, isRefusal } from './index.ts';
import {
  memoryKeys,
  ndjson,
  NoAnswer,
  NotTheHub,
  OutcomeUnknown,
  sseEvents,
  unwrap,
} from './index.ts';
import type { GeneratedKey, Hub, HubOptions, KeptCall } from './index.ts';

const TASK_ID = '01938c7a-9d4e-7c31-8a55-0b6f2d1e4c90';
const LIMITED = refusalStep(429, 'rate-limited', { 'retry-after': '0' });
const BUSY = refusalStep(503, 'busy');
const UNDER_WAY = refusalStep(409, 'call-under-way', { 'retry-after': '0' });
const DONE: Step = { status: 200, body: { repeated: false } };

describe('client', () => {
  let scripted: ScriptedHub;
  let key: GeneratedKey;
  const open = (changes: Partial<HubOptions> = {}): Hub =>
    createHub({ baseUrl: scripted.baseUrl, key, retry: { baseDelayMs: 1 }, ...changes });
  const pay = (hub: Hub, idempotencyKey?: string) =>
    hub.POST('/api/v1/wallet/{owner}/pay', {
      params: { path: { owner: key.account } },
      body: {
        to: 'hub:fees',
        amount: '5',
        ...(idempotencyKey !== undefined && { idempotencyKey }),
      },
    });
  const keyOf = (body: unknown): unknown => at(body, 'idempotencyKey');

  before(async () => {
    scripted = await scriptedHub();
    key = await generateKey();
  });
  after(() => scripted.close());

  describe('signing', () => {
    it('signs what the contract says is signed and covers the host', async () => {
      scripted.play(DONE);
      const hub = open();
      await hub.GET('/api/v1/me', { params: { query: { network: 'sandbox' } } });
      await pay(hub);
      await hub.POST('/api/v1/passport/verify', { body: { origin: 'https://a.example' } });
      for (const { inspection } of scripted.received()) {
        assert.ok(inspection.kind === 'verified', JSON.stringify(inspection));
        assert.equal(inspection.keyId, key.keyId);
        assert.ok(inspection.covered.includes('@authority'));
      }
      assert.equal(scripted.received().length, 3);
    });

    it('leaves public reads and keyless calls unsigned', async () => {
      scripted.play(DONE);
      await open().GET('/api/v1/tasks');
      await open().GET('/api/v1/earnings');
      await createHub({ baseUrl: scripted.baseUrl }).POST('/api/v1/passport/verify', {
        body: { origin: 'https://a.example' },
      });
      for (const { headers, inspection } of scripted.received()) {
        assert.equal(headers['signature'], undefined);
        assert.equal(inspection.kind, 'unsigned');
      }
    });

    it('covers a payment header', async () => {
      scripted.play(DONE);
      await open().POST('/api/v1/models/chat', {
        params: { header: { 'x-payment': 'eyJ4' } },
        body: { model: 'small', messages: [{ role: 'user', content: 'Hello' }] },
      });
      const [sent] = scripted.received();
      assert.ok(sent?.inspection.kind === 'verified');
      assert.ok(sent.inspection.covered.includes('x-payment'));
    });

    it('signs each retry with a new nonce', async () => {
      scripted.play('hang-up', LIMITED, DONE);
      unwrap(await pay(open()));
      const nonces = scripted.received().map(({ inspection }) => {
        assert.ok(inspection.kind === 'verified');
        return inspection.nonce;
      });
      assert.equal(new Set(nonces).size, 3);
    });

    it('speaks to its own hub alone', async () => {
      const hub = open();
      await assert.rejects(hub.send(new Request('http://127.0.0.1:9/api/v1/me')), /is not under/);
      await assert.rejects(
        createHub({ baseUrl: `${scripted.baseUrl}/hub` }).send(
          new Request(`${scripted.baseUrl}/hubris`),
        ),
        /is not under/,
      );
    });

    it('does not follow a redirect with a signed request', async () => {
      scripted.play({ status: 307, headers: { location: '/api/v1/elsewhere' } });
      await assert.rejects(open({ retry: false }).GET('/api/v1/me'));
      assert.equal(scripted.received().length, 1);
    });
  });

  describe('retries', () => {
    const cases: readonly (readonly [
      string,
      'get' | 'pay' | 'comment' | 'submit',
      Step,
      number,
    ])[] = [
      ['a read after a lost connection', 'get', 'hang-up', 2],
      ['a read after a cut answer', 'get', 'half', 2],
      ['a read after busy', 'get', BUSY, 2],
      ['a read after 429', 'get', LIMITED, 2],
      ['a once-only call after a lost connection', 'pay', 'hang-up', 2],
      ['a once-only call after a cut answer', 'pay', 'half', 2],
      ['a once-only call after busy', 'pay', BUSY, 2],
      ['a call under a key of a header after a lost connection', 'comment', 'hang-up', 2],
      ['a call under a key of a header after busy', 'comment', BUSY, 2],
      ['a call whose twin is under way', 'comment', UNDER_WAY, 2],
      ['another call after 429, which did nothing', 'submit', LIMITED, 2],
      ['not another call after a lost connection', 'submit', 'hang-up', 1],
      ['not another call after busy', 'submit', BUSY, 1],
      ['not a refusal', 'pay', refusalStep(400, 'insufficient-funds'), 1],
      ['not a frozen ledger', 'get', refusalStep(503, 'ledger-frozen'), 1],
      ['not a fault of the hub', 'pay', refusalStep(500, 'internal'), 1],
      [
        'not past a long retry-after',
        'get',
        refusalStep(429, 'rate-limited', { 'retry-after': '99' }),
        1,
      ],
    ];
    for (const [what, kind, first, sends] of cases) {
      it(`sends again: ${what}`, async () => {
        scripted.play(first, DONE);
        const hub = open();
        const call = {
          get: () => hub.GET('/api/v1/me'),
          pay: () => pay(hub),
          comment: () =>
            hub.POST('/api/v1/tasks/{id}/comments', {
              params: { path: { id: TASK_ID } },
              body: { author: key.account, body: 'Hello' },
            }),
          submit: () => hub.POST('/api/v1/mcp-servers', { body: { url: 'https://agent.example' } }),
        }[kind];
        await call().catch((error: unknown) => assert.equal(first, 'hang-up', String(error)));
        const received = scripted.received();
        assert.equal(received.length, sends);
        const sent = new Set(received.map(({ headers }) => headers['idempotency-key']));
        assert.equal(sent.size, 1);
        if (kind !== 'comment') return;
        assert.match([...sent].join(), /^[0-9a-f]{32}$/);
        const [covered = ''] = received.map(({ headers }) => String(headers['signature-input']));
        assert.match(covered, /"idempotency-key"/);
        assert.doesNotMatch(received[0]?.text ?? '', /idempotencyKey/);
      });
    }

    it('ends after its attempts, with the last answer', async () => {
      scripted.play(BUSY);
      await assert.rejects(
        async () =>
          unwrap(await open({ retry: { baseDelayMs: 1, attempts: 3 } }).GET('/api/v1/me')),
        (thrown) => isRefusal(thrown, 'busy'),
      );
      assert.equal(scripted.received().length, 3);
    });

    it('waits as long as retry-after says', async () => {
      scripted.play(refusalStep(429, 'rate-limited', { 'retry-after': '1' }), DONE);
      const started = performance.now();
      unwrap(await open().GET('/api/v1/me'));
      assert.ok(performance.now() - started >= 990);
    });

    it('sends once when turned off', async () => {
      scripted.play('hang-up', DONE);
      await assert.rejects(open({ retry: false }).GET('/api/v1/me'), NoAnswer);
      assert.equal(scripted.received().length, 1);
    });

    it('stops in the middle of a pause when the caller gives up', async () => {
      scripted.play(refusalStep(429, 'rate-limited', { 'retry-after': '20' }), DONE);
      const stop = new AbortController();
      const given = open().GET('/api/v1/me', { signal: stop.signal });
      const givenUp = assert.rejects(given, { name: 'AbortError' });
      while (scripted.received().length === 0) await sleep(5);
      // Long enough for the answer to be there, and far from the end of the pause.
      await sleep(50);
      stop.abort();
      await givenUp;
      assert.equal(scripted.received().length, 1);
    });

    it('counts no answer in time as a lost one', async () => {
      const hub = open({
        timeoutSeconds: 0.02,
        fetch: (_, init) =>
          new Promise((_resolve, reject) => {
            init?.signal?.addEventListener('abort', () => reject(new Error('late')));
          }),
      });
      await assert.rejects(hub.GET('/api/v1/me'), /late/);
    });
  });

  describe('idempotency', () => {
    it('makes a key, keeps it before the first send and sends the same one again', async () => {
      scripted.play('hang-up', BUSY, DONE);
      const log: string[] = [];
      let kept: KeptCall | undefined;
      const hub = open({
        keepKeys: {
          put: (made, call) => {
            log.push(`put ${made} after ${scripted.received().length} sends`);
            kept = call;
            return Promise.resolve();
          },
          done: (made) => {
            log.push(`done ${made}`);
            return Promise.resolve();
          },
        },
      });
      unwrap(await pay(hub));
      const [first, ...others] = scripted.received().map(({ body }) => keyOf(body));
      assert.match(String(first), /^[0-9a-f]{32}$/);
      assert.deepEqual(others, [first, first]);
      assert.deepEqual(log, [`put ${String(first)} after 0 sends`, `done ${String(first)}`]);
      assert.deepEqual(kept?.body, scripted.received()[0]?.body);
      assert.equal(kept?.path, `/api/v1/wallet/${encodeURIComponent(key.account)}/pay`);
    });

    it('sends nothing when the key could not be kept', async () => {
      scripted.play(DONE);
      const keepKeys = {
        put: () => Promise.reject(new Error('disk full')),
        done: () => Promise.resolve(),
      };
      await assert.rejects(pay(open({ keepKeys })), /disk full/);
      assert.equal(scripted.received().length, 0);
    });

    it("uses the caller's key, and makes one for a body that is absent", async () => {
      scripted.play(DONE);
      await pay(open(), 'mine-1');
      await open().POST('/api/v1/wallet/{owner}/withdrawals/{id}/cancel', {
        params: { path: { owner: key.account, id: TASK_ID } },
      });
      const [mine, made] = scripted.received().map(({ body }) => keyOf(body));
      assert.equal(mine, 'mine-1');
      assert.match(String(made), /^[0-9a-f]{32}$/);
    });

    const outcomes: readonly (readonly [string, readonly Step[], boolean])[] = [
      ['paid', [DONE], false],
      ['refused, so nothing moved', [refusalStep(400, 'insufficient-funds')], false],
      ['limited to the end', [LIMITED], false],
      ['lost', ['hang-up'], true],
      ['busy to the end', [BUSY], true],
      ['the hub failed', [refusalStep(500, 'internal')], true],
      ['lost, then refused: the first may have paid', ['hang-up', refusalStep(401, 'stale')], true],
      ['lost, then paid', ['hang-up', DONE], false],
    ];
    for (const [what, steps, isKept] of outcomes) {
      it(`${isKept ? 'keeps' : 'lets go of'} the key: ${what}`, async () => {
        scripted.play(...steps);
        const keepKeys = memoryKeys();
        const thrown: unknown = await pay(open({ keepKeys }), 'k')
          .then(unwrap)
          .catch((error: unknown) => error);
        assert.deepEqual(at(thrown, 'call'), keepKeys.pending()[0]);
        assert.equal(keepKeys.pending().length, isKept ? 1 : 0);
      });
    }

    it('says that the outcome is unknown, and sends the same call again', async () => {
      const keepKeys = memoryKeys();
      const hub = open({ keepKeys });
      scripted.play('hang-up');
      const thrown: unknown = await pay(hub).catch((error: unknown) => error);
      assert.ok(thrown instanceof OutcomeUnknown && thrown.cause instanceof TypeError);
      const lost = scripted.received()[0]?.text;
      assert.deepEqual(keepKeys.pending(), [thrown.call]);
      scripted.play(DONE);
      await follow(hub, thrown.call);
      assert.equal(scripted.received()[0]?.text, lost);
      assert.deepEqual(keepKeys.pending(), []);
    });

    for (const [what, step] of [
      ['a limit', LIMITED],
      ['a refusal', refusalStep(401, 'stale')],
      ['an answer of a proxy', { status: 502, body: 'Bad gateway' }],
    ] as const) {
      it(`keeps the key of a lost call when the next send meets ${what}`, async () => {
        const keepKeys = memoryKeys();
        const hub = open({ keepKeys, retry: false });
        scripted.play('hang-up');
        const thrown: unknown = await pay(hub).catch((error: unknown) => error);
        assert.ok(thrown instanceof OutcomeUnknown);
        scripted.play(step);
        const later: unknown = await follow(hub, thrown.call).catch((error: unknown) => error);
        assert.deepEqual(at(later, 'call'), thrown.call);
        assert.deepEqual(keepKeys.pending(), [thrown.call]);
      });
    }

    it('lets a store replace the body, and sends it with the key of the store', async () => {
      scripted.play(DONE);
      const body = { to: 'hub:fees', amount: '7', idempotencyKey: 'of-the-form' };
      const keepKeys = { ...memoryKeys(), begin: () => ({ body, isRepeated: true }) };
      unwrap(await pay(open().keeping(keepKeys)));
      assert.deepEqual(scripted.received()[0]?.body, body);
    });

    it('forgets a call that could not be signed, for it was never sent', async () => {
      const keepKeys = memoryKeys();
      const sign = () => Promise.reject(new Error('the wallet is locked'));
      scripted.play(DONE);
      await assert.rejects(pay(open({ keepKeys, key: { keyId: key.keyId, sign } })), /locked/);
      assert.deepEqual([keepKeys.pending(), scripted.received()], [[], []]);
    });
  });

  describe('streams', () => {
    const chat = (hub: Hub) =>
      hub.POST('/api/v1/models/chat', {
        body: { model: 'small', messages: [{ role: 'user', content: 'Hello' }], stream: true },
        parseAs: 'stream',
      });

    it('arrive piece by piece, before the answer is whole', async () => {
      const headers = { 'content-type': 'text/event-stream' };
      scripted.play({ status: 200, headers, chunks: ['data: {"delta":"He"}\n', '\ndata: 1\n\n'] });
      const { response } = await chat(open());
      const found: string[] = [];
      for await (const { data } of sseEvents(response)) found.push(data);
      assert.deepEqual(found, ['{"delta":"He"}', '1']);
    });

    it('are refused like any call', async () => {
      scripted.play(refusalStep(400, 'model-unknown'));
      const reply = await chat(open());
      assert.throws(
        () => unwrap(reply),
        (thrown) => isRefusal(thrown, 'model-unknown'),
      );
    });

    it('reads lines from any call of the hub', async () => {
      const headers = { 'content-type': 'application/x-ndjson' };
      scripted.play({ status: 200, headers, chunks: ['{"n":1}\n{"n"', ':2}\n'] });
      const response = await open().send(new Request(`${scripted.baseUrl}/api/v1/lines`));
      const found: unknown[] = [];
      for await (const line of ndjson(response)) found.push(line);
      assert.deepEqual(found, [{ n: 1 }, { n: 2 }]);
    });
  });

  describe('refusals', () => {
    it('are errors with the code, the place, what to do and the calls that are legal', async () => {
      const call = { method: 'GET', path: '/api/v1/me' };
      const body = {
        error: 'Too little.',
        code: 'insufficient-funds',
        hint: 'Deposit.',
        field: 'body.amount',
        allowed: ['1'],
        faults: [{ field: 'body.amount', code: 'bad-amount', message: 'Too little.' }],
        next: [{ action: 'wallet.me', who: key.account, call }],
      };
      scripted.play({ status: 400, body });
      const thrown: unknown = await pay(open())
        .then(unwrap)
        .catch((error: unknown) => error);
      assert.equal(isRefusal(thrown, 'busy'), false);
      assert.ok(thrown instanceof HubRefusal && isRefusal(thrown, 'insufficient-funds'));
      assert.deepEqual([isRefusal(thrown), isRefusal(new Error('x'))], [true, false]);
      const { status, code, hint, field, next, requestId, message } = thrown;
      assert.deepEqual(
        { status, code, hint, field, next },
        {
          status: 400,
          code: body.code,
          hint: body.hint,
          field: body.field,
          next: body.next,
        },
      );
      assert.equal(requestId, 'req-1');
      assert.deepEqual(thrown.faults, body.faults);
      assert.equal(message, 'insufficient-funds: Too little. Deposit.');
      scripted.play(DONE);
      await follow(open(), thrown.next?.[0]?.call ?? assert.fail());
      assert.equal(scripted.received()[0]?.target, '/api/v1/me');
    });

    it('differ from the answers of other servers', async () => {
      scripted.play({
        status: 502,
        chunks: ['<html>Bad gateway'],
        headers: { 'content-type': 'text/html' },
      });
      await assert.rejects(async () => unwrap(await open().GET('/api/v1/me')), NotTheHub);
      await assert.rejects(
        follow(open(), { method: 'GET', path: '/api/v1/me' }),
        /status 502.*<html>/,
      );
    });

    it('carry code, hint, link and request id, as every error about a call does', async () => {
      const thrownBy = (work: Promise<unknown>): Promise<unknown> =>
        work.then(
          () => assert.fail('nothing was thrown'),
          (error: unknown) => error,
        );
      const once = open({ retry: false });
      const page = `${scripted.baseUrl}/errors/busy`;
      const bad: Step = { status: 502, body: 'Bad gateway' };
      const me = `${scripted.baseUrl}/api/v1/me`;
      const kept = `${scripted.baseUrl}/api/v1/wallet/${encodeURIComponent(key.account)}/pay`;
      const cases = [
        [BUSY, () => once.GET('/api/v1/me').then(unwrap), 'busy', page, 'req-1'],
        [bad, () => once.GET('/api/v1/me').then(unwrap), 'not-the-hub', me, 'req-1'],
        ['hang-up', () => once.GET('/api/v1/me'), 'no-answer', me, undefined],
        ['hang-up', () => pay(once), 'outcome-unknown', kept, undefined],
      ] as const;
      for (const [step, work, code, link, requestId] of cases) {
        scripted.play(step);
        const thrown = await thrownBy(work());
        assert.ok(thrown instanceof HubFailure, code);
        assert.deepEqual([thrown.code, thrown.link, thrown.requestId], [code, link, requestId]);
        assert.match(thrown.hint, /\S/);
      }
    });

    it('hold the price of a 402', async () => {
      const accepts = [{ scheme: 'exact', maxAmountRequired: '5' }];
      scripted.play({
        status: 402,
        body: { x402Version: 1, error: 'Pay.', code: 'payment-required', hint: 'Pay.', accepts },
      });
      await assert.rejects(follow(open(), { method: 'GET', path: '/api/v1/me' }), { accepts });
    });
  });
});
