import assert from 'node:assert/strict';
import type { JsonObject } from '../jsonObject.ts';
import { descriptorHash } from './descriptor.ts';
import { readCard, type ReadCard } from './readCard.ts';

const FOUND_AT = 'https://a.example/.well-known/agent-card.json';
const DOOR = 'https://a.example/a2a';
/** A card of A2A 1.0 that keeps every rule. */
const CARD: JsonObject = {
  name: 'Weather',
  description: 'Forecasts for every place on earth.',
  version: '1.2.0',
  provider: { organization: 'Sky', url: 'https://sky.example' },
  documentationUrl: '/docs',
  supportedInterfaces: [{ url: DOOR, protocolBinding: 'JSONRPC', protocolVersion: '1.0' }],
  capabilities: {},
  defaultInputModes: ['text/plain'],
  defaultOutputModes: ['text/plain'],
  skills: [{ id: 'now', name: 'Weather now', description: 'Of a city.', tags: ['weather'] }],
};
const { supportedInterfaces: _interfaces, ...OLDER } = CARD;

const card = (over: JsonObject = {}, from: JsonObject = CARD): ReadCard => {
  const verdict = readCard({ ...from, ...over }, FOUND_AT);
  if (!verdict.ok) throw new Error(verdict.says);
  return verdict.card;
};
const broken = (over: JsonObject, from: JsonObject = CARD): readonly string[] =>
  card(over, from).violations.map(({ rule, path, says }) => `${rule} ${path}: ${says}`);

describe('an agent card', () => {
  it('has null for a member that is absent, at every level', () => {
    const unset = {
      iconUrl: null,
      securitySchemes: null,
      security: null,
      signatures: null,
      additionalInterfaces: null,
      capabilities: { streaming: null, extensions: null },
      provider: { organization: 'Sky', url: 'https://sky.example', email: null },
      skills: [{ ...(CARD['skills'] as JsonObject[])[0], examples: null, inputModes: null }],
    };
    assert.deepEqual(card(unset), card());
    assert.deepEqual(broken({ provider: null }), broken({ provider: undefined }));
  });

  it('is read whole', () => {
    assert.deepEqual(card(), {
      shape: '1.0',
      doors: [{ url: DOOR, binding: 'JSONRPC', protocolVersion: '1.0' }],
      name: 'Weather',
      description: 'Forecasts for every place on earth.',
      version: '1.2.0',
      provider: 'Sky',
      documentationUrl: 'https://a.example/docs',
      skills: [
        {
          id: 'now',
          name: 'Weather now',
          description: 'Of a city.',
          tags: ['weather'],
          descriptorHash: descriptorHash('now', 'Of a city.', undefined),
        },
      ],
      authSchemes: [],
      authRequired: false,
      declaresX402: false,
      violations: [],
      texts: [
        { path: 'name', text: 'Weather' },
        { path: 'description', text: 'Forecasts for every place on earth.' },
        { path: 'skills/0/name', text: 'Weather now' },
        { path: 'skills/0/description', text: 'Of a city.' },
      ],
    });
    assert.deepEqual(readCard({ agentCard: CARD, name: 7 }, FOUND_AT), readCard(CARD, FOUND_AT));
  });

  it('is none without a name or an address, and the refusal says what to change', () => {
    const noDoor = {
      ok: false,
      rule: 'card-interface',
      says: 'The card names no address that can be called.',
      fix: 'Add `supportedInterfaces` (A2A 1.0) or `url` (0.3) with an absolute https address.',
    };
    for (const value of [7, null, [CARD]]) {
      assert.deepEqual(readCard(value, FOUND_AT), {
        ok: false,
        rule: 'card-json',
        says: 'It is no JSON object.',
        fix: 'Serve the card as one JSON object.',
      });
    }
    assert.deepEqual(readCard({ ...CARD, name: ' ' }, FOUND_AT), {
      ok: false,
      rule: 'card-name',
      says: 'The card has no name.',
      fix: 'Add `name`, a string.',
    });
    for (const url of [undefined, 'ftp://a.example/', '', 'a b', 7, `/${'x'.repeat(2_048)}`]) {
      assert.deepEqual(readCard({ ...OLDER, url }, FOUND_AT), noDoor, String(url));
    }
  });

  it('has the version that its fields show', () => {
    const url = DOOR;
    const cases = [
      [{ url, supportedInterfaces: [] }, '0.2'],
      [{ url, protocolVersion: '0.3.0' }, '0.3'],
      [{ url, protocolVersion: '0.2' }, '0.2'],
      [{ url, protocolVersion: '0.2.6' }, '0.2'],
      [{ url, protocolVersion: '0.20' }, '0.3'],
      [{ url, protocolVersion: '0.1' }, '0.1'],
      [{ url, protocolVersion: '0.12' }, '0.3'],
      [{ url, authentication: {} }, '0.1'],
      [{ url, preferredTransport: 'GRPC' }, '0.3'],
      [{ url, additionalInterfaces: [] }, '0.3'],
    ] as const;
    for (const [over, shape] of cases) {
      assert.equal(card(over, OLDER).shape, shape, JSON.stringify(over));
    }
    assert.equal(card({ url, protocolVersion: '0.3' }).shape, '1.0');
  });

  it('names its doors once each, those of 1.0 first', () => {
    const doors = card({
      protocolVersion: '0.3.0',
      preferredTransport: 'HTTP+JSON',
      supportedInterfaces: [
        { url: DOOR, transport: 'JSON-RPC', tenant: 'acme' },
        { url: DOOR, protocolBinding: 'jsonrpc', protocolVersion: '1.2' },
        { url: 'grpc.example' },
        7,
      ],
      url: DOOR,
      additionalInterfaces: [
        { url: DOOR, transport: 'REST' },
        { url: 'https://a.example/g', transport: 'grpc' },
        { url: 'https://a.example/x', transport: 'carrier-pigeon' },
      ],
    }).doors;
    assert.deepEqual(doors, [
      { url: DOOR, binding: 'JSONRPC', protocolVersion: '1.0', tenant: 'acme' },
      {
        url: 'https://a.example/.well-known/grpc.example',
        binding: 'JSONRPC',
        protocolVersion: '1.0',
      },
      { url: DOOR, binding: 'HTTP+JSON', protocolVersion: '0.3.0' },
      { url: 'https://a.example/g', binding: 'GRPC', protocolVersion: '0.3.0' },
      { url: 'https://a.example/x', binding: 'carrier-pigeon', protocolVersion: '0.3.0' },
    ]);
    const versions = [undefined, '1.0', '0.2.5'].map(
      (protocolVersion) => card({ url: DOOR, protocolVersion }, OLDER).doors[0].protocolVersion,
    );
    assert.deepEqual(versions, ['0.3', '0.3', '0.2.5']);
    const bindings = ['JSON+RPC', 'http json-rpc', 'http', 'HTTPJSON', undefined, 'grpc'].map(
      (preferredTransport) => card({ url: DOOR, preferredTransport }, OLDER).doors[0].binding,
    );
    assert.deepEqual(bindings, ['JSONRPC', 'JSONRPC', 'HTTP+JSON', 'HTTP+JSON', 'JSONRPC', 'GRPC']);
  });

  it('has twenty doors and a thousand skills at most', () => {
    const many = Array.from({ length: 30 }, (_, nth) => ({ url: `https://a.example/${nth}` }));
    assert.equal(card({ supportedInterfaces: many }).doors.length, 20);
    const skills = Array.from({ length: 1_001 }, (_, nth) => ({ id: `s${nth}` }));
    assert.equal(card({ skills }).skills.length, 1_000);
  });

  it('keeps addresses as they are written', () => {
    const addresses = [
      ['https://a.example', 'https://a.example'],
      ['https://a.example/x ', 'https://a.example/x'],
      ['HTTPS://A.example/x', 'https://a.example/x'],
      ['//b.example/x', 'https://b.example/x'],
      ['http://a.example/', 'http://a.example/'],
    ] as const;
    for (const [given, kept] of addresses) {
      assert.equal(card({ documentationUrl: given }).documentationUrl, kept);
    }
    for (const none of ['javascript:alert(1)', 'https://[', 'https://é.example/', 7]) {
      assert.equal(card({ documentationUrl: none }).documentationUrl, undefined);
    }
  });

  it('names its provider, and whether it asks for money over x402', () => {
    const providers = [
      [{ organization: 'A', name: 'B' }, 'A'],
      [{ name: 'B' }, 'B'],
      ['C', 'C'],
    ];
    for (const [provider, name] of providers) assert.equal(card({ provider }).provider, name);
    const uri = 'https://github.com/google-a2a/a2a-x402/v0.1';
    for (const extensions of [[{ uri }], [uri], [7, { uri }]]) {
      assert.equal(card({ capabilities: { extensions } }).declaresX402, true);
    }
    for (const capabilities of [{ extensions: [{ uri: 'https://x.example' }] }, [uri], undefined]) {
      assert.equal(card({ capabilities }).declaresX402, false);
    }
  });

  it('lists its skills by the first id or name, with what each lacks', () => {
    const { skills, texts, violations } = card({
      instructions: 'Obey.',
      skills: [
        'plain',
        { name: 'Only named', description: 'd', tags: ['a', 'a', 7, 'b'], examples: ['e', 7] },
        { id: 'plain', description: 'again', tags: ['a'] },
        { description: 'nothing' },
        7,
      ],
    });
    assert.deepEqual(
      skills.map(({ id, name, description, tags }) => [id, name, description, tags]),
      [
        ['plain', 'plain', '', []],
        ['Only named', 'Only named', 'd', ['a', 'b']],
        ['plain', 'plain', 'again', ['a']],
      ],
    );
    assert.deepEqual(
      violations.map(({ rule, path, says }) => `${rule} ${path}: ${says}`),
      [
        'skill-description skills/0: plain has no description.',
        'skill-tags skills/0: plain has no tags.',
        'skill-id skills/1: The skill has no id.',
        'skill-id-unique skills/2: Another skill has the id plain.',
        'skill-id skills/3: The skill has neither id nor name; it is left out.',
        'skill-id skills/4: The skill has neither id nor name; it is left out.',
      ],
    );
    assert.deepEqual(
      texts.map(({ path }) => path),
      [
        ...['name', 'description', 'instructions', 'skills/0/name', 'skills/1/name'],
        ...['skills/1/description', 'skills/1/examples/0', 'skills/2/description'],
      ],
    );
    const tags = Array.from({ length: 60 }, (_, nth) => `t${nth}`);
    assert.equal(card({ skills: [{ id: 'a', tags }] }).skills[0]?.tags.length, 50);
  });

  it('names each rule that it breaks', () => {
    const absolute = 'Write the whole address.';
    const url = DOOR;
    const mode = (path: string): string =>
      `card-modes ${path}: \`${path}\` lists at least one media type.`;
    const short = 'Say what the agent does, in at least 20 characters.';
    const provider = 'card-provider provider: A provider has `organization` and `url`.';
    const cases: readonly (readonly [readonly string[], ...string[]])[] = [
      [broken({ description: 'x'.repeat(20) })],
      [broken({ description: 'x'.repeat(19) }), `card-description description: ${short}`],
      [broken({ description: undefined }), `card-description description: ${short}`],
      [broken({ version: 7 }), 'card-version version: Name the version of the agent.'],
      [broken({ skills: [] }), 'card-skills skills: Name at least one skill.'],
      [
        broken({ capabilities: [] }),
        'card-capabilities capabilities: `capabilities` is an object.',
      ],
      [broken({ defaultInputModes: [] }), mode('defaultInputModes')],
      [broken({ defaultOutputModes: 'x' }), mode('defaultOutputModes')],
      [broken({ provider: { organization: 'A' } }), provider],
      [broken({ provider: { url: 'https://a.example' } }), provider],
      [broken({ provider: undefined })],
      [
        broken({ url, preferredTransport: 'JSONRPC' }, OLDER),
        'card-protocol-version protocolVersion: Name the protocol version.',
      ],
      [broken({ url, protocolVersion: '0.3.0' }, OLDER)],
      [broken({ url, authentication: {}, defaultInputModes: [] }, OLDER)],
      [
        broken(
          { url, protocolVersion: '0.3.0', additionalInterfaces: [{ url: 'ftp://x' }] },
          OLDER,
        ),
        'interface-url additionalInterfaces/0: It is no http or https address.',
      ],
      [
        broken({ supportedInterfaces: [{ url: '/a' }] }),
        `interface-url-absolute supportedInterfaces/0: ${absolute}`,
      ],
      [
        broken({ url: '/a', protocolVersion: '0.3' }, OLDER),
        `interface-url-absolute url: ${absolute}`,
      ],
    ];
    for (const [found, ...wanted] of cases) assert.deepEqual(found, wanted);
  });
});
