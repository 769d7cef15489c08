import assert from 'node:assert/strict';
import { createPublicKey, verify } from 'node:crypto';
import { canonical } from '../../domain/json.ts';
import { at, mustOk } from '../harness/must.ts';
import { operations } from '../harness/contract.ts';
import { openFixture, type Fixture } from '../harness/fixture.ts';

type Json = Readonly<Record<string, unknown>>;

/** The skills, as the interface of the hub names them. */
const SKILLS =
  'list-paid-endpoints, list-tasks, search-agents, get-agent, register-agent, hub-stats, publish-task, start-work, submit-solution, claim-task, wallet, advance-credit, models, call-agent, chains, passport, card-read, schema-to-english, memory, verdict';
const CARD = '/.well-known/agent-card.json';

describe('discovery.agentCard', () => {
  let world: Fixture;
  let card: Json;
  before(async () => {
    world = await openFixture();
    card = mustOk(await world.anyone.get(CARD));
  });
  after(() => world.close());

  const skills = (): readonly Json[] => card['skills'] as readonly Json[];

  it('says what the door is, for clients of 1.0 and of 0.3', () => {
    const url = `${world.hub.url}/a2a`;
    assert.deepEqual(card['supportedInterfaces'], [
      { url, protocolBinding: 'JSONRPC', protocolVersion: '1.0' },
      { url, protocolBinding: 'JSONRPC', protocolVersion: '0.3' },
    ]);
    const { version, preferredTransport, protocolVersion } = card;
    assert.deepEqual(
      [version, card['url'], preferredTransport, protocolVersion],
      ['0.1.0', url, 'JSONRPC', '1.0'],
    );
  });

  it('has the twenty skills that the interface names, and no other', () => {
    const ids = skills().map(({ id }) => String(id));
    assert.deepEqual([...ids].sort(), SKILLS.split(', ').sort());
  });

  it('says of each skill what its operation says: signed or not, and its arguments', () => {
    for (const skill of skills()) {
      const { raw } =
        operations.find((each) => at(each.raw, 'x-door', 'a2a') === skill['id']) ?? {};
      const isSigned = raw?.['x-auth'] === 'signed';
      assert.equal((skill['tags'] as readonly string[]).includes('signed'), isSigned);
      assert.equal(at(skill, 'securityRequirements', 0) !== undefined, isSigned);
      assert.equal(at(skill, 'security', 0) !== undefined, isSigned);
      assert.equal(skill['name'], raw?.['summary']);
      assert.match(String(skill['description']), / Arguments: .+\. The operation is (GET|POST) \//);
      assert.doesNotMatch(String(skill['description']), /`[a-z]+\.[a-z][A-Za-z]*`/);
    }
    const claim = skills().find(({ id }) => id === 'claim-task');
    assert.match(String(claim?.['description']), /Arguments: wait: integer, skills: array/);
    const submit = skills().find(({ id }) => id === 'submit-solution');
    assert.match(
      String(submit?.['description']),
      /id\*: string, claimToken\*: string, result\*: any/,
    );
  });

  it('gives an example of every skill that the door understands', async () => {
    for (const { id, examples } of skills()) {
      const [text] = examples as readonly string[];
      const message = { messageId: 'm', role: 'ROLE_USER', parts: [{ text }] };
      const answer = await world.anyone.post('/a2a', {
        jsonrpc: '2.0',
        id: 1,
        method: 'SendMessage',
        params: { message },
      });
      const code = at(answer.body, 'error', 'code');
      assert.ok(code === undefined || code === -32_060, `${String(id)} ${answer.text}`);
    }
  });

  it('names the scheme that the 401 of the door asks for', async () => {
    const [name] = Object.keys(card['securitySchemes'] as Json);
    const scheme = at(card, 'securitySchemes', name ?? '') as Json;
    const { headers } = await world.anyone.get('/api/v1/me');
    assert.equal(scheme['scheme'], headers.get('www-authenticate'));
    assert.deepEqual(scheme['httpAuthSecurityScheme'], {
      scheme: scheme['scheme'],
      description: scheme['description'],
    });
    assert.match(String(scheme['description']), /no Authorization header/);
  });

  it('is signed by the key that signs now, over all that is served', async () => {
    const { signatures, ...rest } = card;
    const { keys } = mustOk(await world.anyone.get('/.well-known/jwks.json'));
    const key = createPublicKey({ key: { ...(at(keys, 0) as JsonWebKey) }, format: 'jwk' });
    const verified = (signatures as readonly Json[]).map(({ protected: header, signature }) => {
      const { kid, alg, typ, jku } = JSON.parse(
        Buffer.from(String(header), 'base64url').toString(),
      ) as Json;
      assert.deepEqual([kid, alg, typ], [at(keys, 0, 'kid'), 'EdDSA', 'JOSE']);
      assert.equal(jku, `${world.hub.url}/.well-known/jwks.json`);
      const payload = Buffer.from(canonical(rest)).toString('base64url');
      const input = Buffer.from(`${String(header)}.${payload}`);
      return verify(null, input, key, Buffer.from(String(signature), 'base64url'));
    });
    assert.deepEqual(verified, [false, true], 'the first is of the fields of 1.0 alone');
  });

  it('may be kept a while, and names its version', async () => {
    const first = await world.anyone.get(CARD);
    const { headers } = await world.anyone.get(CARD);
    assert.equal(headers.get('cache-control'), 'public, max-age=300');
    assert.match(headers.get('etag') ?? '', /^"[0-9a-f]{64}"$/);
    assert.equal(headers.get('etag'), first.headers.get('etag'));
  });
});
