import assert from 'node:assert/strict';
import { openFixture, type Fixture } from '../harness/fixture.ts';
import type { Json } from '../harness/contract.ts';
import { at } from '../harness/must.ts';

const PATH = '/api/v1/tasks/claim?x=0';
const BODY = '{}';

describe('a request that lacks parts of its signature', () => {
  let world: Fixture;
  before(async () => (world = await openFixture()));
  after(() => world.close());

  const send = async (headers: Readonly<Record<string, string>>): Promise<Json> => {
    const body = { method: 'POST', body: BODY };
    const all = { 'content-type': 'application/json', ...headers };
    const answer = await fetch(new URL(PATH, world.hub.url), { ...body, headers: all });
    assert.equal(answer.status, 401);
    const refusal = (await answer.json()) as Json;
    assert.equal(at(refusal, 'faults', 0, 'field'), refusal['field'], JSON.stringify(refusal));
    assert.equal(at(refusal, 'faults', 0, 'code'), refusal['code'], JSON.stringify(refusal));
    return refusal;
  };
  const fieldsOf = ({ faults }: Json): readonly unknown[] =>
    (faults as readonly Json[]).map(({ field }) => field).sort();
  const given = (covered: string, more = ''): Readonly<Record<string, string>> => ({
    'signature-input': `sig1=(${covered})${more}`,
  });

  it('gets the names of all headers in one refusal', async () => {
    const refusal = await send({});
    assert.equal(refusal['code'], 'unsigned');
    assert.deepEqual(fieldsOf(refusal), ['content-digest', 'signature', 'signature-input']);
    const one = await send({ signature: 'sig1=:AAAA:' });
    assert.deepEqual(fieldsOf(one), ['content-digest', 'signature-input']);
  });

  it('gets the names of all parameters and components as well', async () => {
    const refusal = await send(given('"@method"', ';created=5'));
    assert.equal(refusal['code'], 'unsigned');
    const parameters = ['alg', 'keyid', 'nonce'].map((name) => `signature-input.${name}`);
    const components = ['@path', '@query', 'content-digest'];
    assert.deepEqual(fieldsOf(refusal), [...components, 'signature', ...parameters]);
    const digest = (refusal['faults'] as readonly Json[]).find(
      ({ field }) => field === 'content-digest',
    );
    assert.match(
      String(digest?.['message']),
      /header is missing, and the signature does not cover/,
    );
    assert.equal(digest?.['code'], 'incomplete-coverage');
  });

  it('gets the components of the first signature that is not another application’s', async () => {
    const bot = 'bot=("@authority");created=1;keyid="x";tag="web-bot-auth"';
    const ours = 'sig1=("@method" "@path" "@query" "content-digest");created=1;alg="ed25519"';
    const refusal = await send({ 'signature-input': `${bot}, ${ours}`, 'content-digest': 'a=:b:' });
    assert.deepEqual(fieldsOf(refusal), [
      ...['signature', 'signature-input.keyid', 'signature-input.nonce'],
    ]);
  });

  it('gets one refusal more at most, where its signature is complete but for the rest', async () => {
    const request = await world.alice.signed('POST', PATH, {});
    const headers = Object.fromEntries(request.headers);
    const input = String(headers['signature-input']).replace('"@query" ', '');
    const refusal = await send({ ...headers, 'signature-input': input });
    assert.equal(refusal['code'], 'incomplete-coverage');
    assert.deepEqual([refusal['field'], ...fieldsOf(refusal)], ['@query', '@query']);
  });

  it('gets no faults where nothing is missing', async () => {
    const wrong = { 'signature-input': 'sig1=("@method"', signature: 'sig1=:AAAA:' };
    const refusal = await send({ ...wrong, 'content-digest': 'a' });
    assert.equal(refusal['field'], 'signature-input');
    assert.deepEqual(fieldsOf(refusal), ['signature-input']);
  });
});
