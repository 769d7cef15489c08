import assert from 'node:assert/strict';
import fc from 'fast-check';
import { injectionSignals } from './injection.ts';
import { readCard } from './readCard.ts';
import { readA2aQuote, readHttpQuote, readMcpQuote } from './readQuote.ts';
import { readRobots } from './readRobots.ts';
import { readTools } from './readTools.ts';
import { cleanLine, cleanText } from './text.ts';

/** Every untrusted input is read without a throw, and the kept parts are fit for storage. */
const NASTY = fc.string({ unit: 'binary', maxLength: 400 });
const LONG = fc.nat({ max: 60_000 }).map((length) => 'a\u202e\u0000e\u0301🙂'.repeat(length / 6));
const TEXT = fc.oneof(NASTY, LONG, fc.string(), fc.constantFrom('__proto__', 'constructor', ''));
const NAMES = fc.constantFrom(
  ...'name description version url skills id tags supportedInterfaces protocolBinding protocolVersion tenant'.split(
    ' ',
  ),
  ...'capabilities extensions uri securitySchemes security provider tools inputSchema properties required'.split(
    ' ',
  ),
  ...'annotations execution accepts x402Version scheme network amount asset payTo content text isError'.split(
    ' ',
  ),
  ...'structuredContent status message metadata x402.payment.status __proto__'.split(' '),
);
const ANYTHING = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    TEXT,
    fc.constantFrom(null, true, false, 0, -1, 1e308, 402),
    fc.array(tie('value'), { maxLength: 6 }),
    fc.array(fc.tuple(NAMES, tie('value')), { maxLength: 12 }).map(Object.fromEntries),
  ),
})).value;

const UNFIT =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069\ufeff]|\p{Surrogate}/u;

function mustBeFit(text: string | undefined, lengthMax: number): void {
  if (text === undefined) return;
  assert.ok([...text].length <= lengthMax, `${[...text].length} > ${lengthMax}`);
  assert.doesNotMatch(text, UNFIT);
  assert.equal(text.normalize('NFC'), text);
}

describe('hostile input', () => {
  it('is cleaned and cut', () => {
    fc.assert(
      fc.property(TEXT, fc.integer({ min: 1, max: 500 }), (text, lengthMax) => {
        const clean = cleanText(text, lengthMax);
        mustBeFit(clean, lengthMax);
        const line = cleanLine(text, lengthMax);
        mustBeFit(line, lengthMax);
        assert.ok(!line?.includes('\n'));
      }),
      { numRuns: 500 },
    );
  });

  it('never breaks the readers', () => {
    fc.assert(
      fc.property(ANYTHING, (value: unknown) => {
        const read = readCard(value, 'https://a.example/card');
        if (read.ok) {
          const { name, description, skills, doors, texts } = read.card;
          mustBeFit(name, 400);
          mustBeFit(description, 4_000);
          for (const skill of skills) {
            mustBeFit(skill.id, 300);
            mustBeFit(skill.description, 4_000);
            skill.tags.forEach((tag) => mustBeFit(tag, 100));
          }
          for (const door of doors) assert.match(door.url, /^https?:\/\/\S+$/);
          injectionSignals(texts).forEach(({ text, path }) => {
            mustBeFit(text, 300);
            mustBeFit(path, 300);
          });
        }
        const listed = readTools([value, { tools: value }, { tools: [value] }]);
        for (const tool of listed.tools) {
          mustBeFit(tool.name, 300);
          mustBeFit(tool.description, 4_000);
          assert.match(tool.descriptorHash, /^[0-9a-f]{64}$/);
          assert.ok(JSON.stringify(tool.inputSchema ?? {}).length <= 32_768);
        }
        injectionSignals(listed.texts).forEach(({ text }) => mustBeFit(text, 300));
        for (const status of [200, 402]) {
          readHttpQuote({ status, body: value, paymentRequired: String(value) });
        }
        readMcpQuote({ result: value, error: value });
        readA2aQuote(value);
      }),
      { numRuns: 600 },
    );
  });

  it('never breaks the rules for robots, nor makes them slow', () => {
    fc.assert(
      fc.property(TEXT, TEXT, (rules, path) => {
        readRobots(`User-agent: *\nDisallow: ${rules}\n${rules}`, 'x').mayFetch(`/${path}`);
      }),
      { numRuns: 300 },
    );
    const stars = readRobots(`User-agent: *\nDisallow: /${'*a'.repeat(5_000)}$\n`, 'x');
    assert.equal(stars.mayFetch(`/${'a'.repeat(4_999)}`), true);
  });

  it('is read in time when it is of great depth or size', () => {
    const deep = JSON.parse(`${'[{"tools":'.repeat(3_000)}1${'}]'.repeat(3_000)}`) as unknown;
    readCard({ name: 'x', url: 'https://a.example', skills: deep }, 'https://a.example');
    readTools([{ tools: [{ name: 'a', inputSchema: { properties: deep } }] }]);
    const phrase = 'ignore all previous '.repeat(60_000);
    assert.ok(injectionSignals([{ path: 'description', text: phrase }]).length <= 1);
  });
});
