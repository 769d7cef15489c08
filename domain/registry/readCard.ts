import { defined } from '../defined.ts';
import { descriptorHash } from './descriptor.ts';
import type { PublishedText } from './injection.ts';
import type { CardViolation } from './listing.ts';
import { type JsonObject, isObject, listOf, withoutNulls } from '../jsonObject.ts';
import { isRequired, schemeNames } from './readSecurity.ts';
import { cleanLine, cleanText } from './text.ts';

/** Where cards are served, the newest place first. */
export const CARD_PATHS = ['/.well-known/agent-card.json', '/.well-known/agent.json'];

/**
 * Agent cards of every version (choices registry.formats): 1.0 with `supportedInterfaces`, 0.3 to
 * 0.1 with `url`, and the superset cards that carry both, of which the 1.0 fields win. What can be
 * read is read; each rule that is broken is named. Only a card without a name or a door is none.
 */
export interface CardDoor {
  readonly url: string;
  /** `JSONRPC`, `HTTP+JSON`, `GRPC`, or what the card says. */
  readonly binding: string;
  readonly protocolVersion: string;
  readonly tenant?: string;
}

interface CardSkill {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly tags: readonly string[];
  readonly descriptorHash: string;
}

export interface ReadCard {
  readonly shape: '1.0' | '0.3' | '0.2' | '0.1';
  /** The preferred one first. */
  readonly doors: readonly [CardDoor, ...CardDoor[]];
  readonly name: string;
  readonly description?: string;
  readonly version?: string;
  readonly provider?: string;
  readonly documentationUrl?: string;
  readonly skills: readonly CardSkill[];
  /** How it says callers prove themselves; empty when it asks for nothing. */
  readonly authSchemes: readonly string[];
  readonly authRequired: boolean;
  readonly declaresX402: boolean;
  readonly violations: readonly CardViolation[];
  readonly texts: readonly PublishedText[];
}

export type CardVerdict =
  | { readonly ok: true; readonly card: ReadCard }
  /** Why it is no card, and what its operator can change. */
  | { readonly ok: false; readonly rule: string; readonly says: string; readonly fix: string };

const SKILLS_MAX = 1_000;
const DOORS_MAX = 20;
const URL_LENGTH_MAX = 2_048;

/** No card nests deeper. */
const CARD_LEVELS = 12;

/** Reads a card that was found at an address; addresses in it are resolved against that. */
export function readCard(served: unknown, foundAt: string): CardVerdict {
  // Serializers write an absent member as null, and no member of a card has null as a value.
  const value = withoutNulls(served, CARD_LEVELS);
  if (!isObject(value)) {
    return refuseCard('card-json', 'It is no JSON object.', 'Serve the card as one JSON object.');
  }
  // Some gateways wrap it.
  const given = isObject(value['agentCard']) ? value['agentCard'] : value;
  const name = cleanLine(given['name'], 400);
  const violations: CardViolation[] = [];
  const [first, ...others] = doorsOf(given, foundAt, violations);
  if (name === undefined) {
    return refuseCard('card-name', 'The card has no name.', 'Add `name`, a string.');
  }
  if (first === undefined) {
    return refuseCard(
      'card-interface',
      'The card names no address that can be called.',
      'Add `supportedInterfaces` (A2A 1.0) or `url` (0.3) with an absolute https address.',
    );
  }
  const shape = shapeOf(given);
  const { skills, texts } = skillsOf(given, violations);
  checkCard(given, shape, violations);
  return {
    ok: true,
    card: {
      shape,
      doors: [first, ...others],
      name,
      ...optional({
        description: cleanText(given['description'], 4_000),
        version: cleanLine(given['version'], 100),
        provider: providerOf(given['provider']),
        documentationUrl: urlOf(given['documentationUrl'], foundAt),
      }),
      skills,
      authSchemes: schemeNames(given),
      authRequired: isRequired(given),
      declaresX402: extensionsOf(given).some((uri) => uri.includes('x402')),
      violations,
      texts: [...ownTexts(given), ...texts],
    },
  };
}

function refuseCard(rule: string, says: string, fix: string): CardVerdict {
  return { ok: false, rule, says, fix };
}

function shapeOf(card: JsonObject): ReadCard['shape'] {
  if (listOf(card['supportedInterfaces']).length > 0) return '1.0';
  const version = cleanLine(card['protocolVersion'], 32) ?? '';
  if (/^0\.1(\.|$)/.test(version) || isObject(card['authentication'])) return '0.1';
  if (/^0\.2(\.|$)/.test(version)) return '0.2';
  const isThird = ['preferredTransport', 'additionalInterfaces', 'protocolVersion'].some(
    (field) => field in card,
  );
  return isThird ? '0.3' : '0.2';
}

/** Callable addresses, once each; 1.0 interfaces first, then `url`, then the additional ones. */
function doorsOf(
  card: JsonObject,
  foundAt: string,
  violations: CardViolation[],
): readonly CardDoor[] {
  const claimed = cleanLine(card['protocolVersion'], 32);
  const older = claimed !== undefined && !claimed.startsWith('1') ? claimed : '0.3';
  const preferred = bindingOf(card['preferredTransport']);
  const wanted = [
    ...listOf(card['supportedInterfaces']).map((each, place) => ({
      path: `supportedInterfaces/${place}`,
      url: field(each, 'url'),
      binding: bindingOf(field(each, 'protocolBinding') ?? field(each, 'transport')),
      version: cleanLine(field(each, 'protocolVersion'), 32) ?? '1.0',
      tenant: cleanLine(field(each, 'tenant'), 300),
    })),
    { path: 'url', url: card['url'], binding: preferred, version: older, tenant: undefined },
    ...listOf(card['additionalInterfaces']).map((each, place) => ({
      path: `additionalInterfaces/${place}`,
      url: field(each, 'url'),
      binding: bindingOf(field(each, 'transport')),
      version: older,
      tenant: undefined,
    })),
  ];
  const doors = new Map<string, CardDoor>();
  for (const { path, url: given, binding, version, tenant } of wanted.slice(0, DOORS_MAX)) {
    if (given === undefined) continue;
    const url = urlOf(given, foundAt);
    if (url === undefined) {
      violations.push({ rule: 'interface-url', path, says: 'It is no http or https address.' });
      continue;
    }
    if (url !== given) {
      violations.push({ rule: 'interface-url-absolute', path, says: 'Write the whole address.' });
    }
    const key = `${binding} ${url} ${version.split('.', 1).join()}`;
    const door = { url, binding, protocolVersion: version };
    if (!doors.has(key)) doors.set(key, { ...door, ...defined({ tenant }) });
  }
  return [...doors.values()];
}

function bindingOf(value: unknown): string {
  const name = cleanLine(value, 64) ?? 'JSONRPC';
  const plain = name.toUpperCase().replace(/[^A-Z+]/g, '');
  if (['JSONRPC', 'JSON+RPC', 'HTTPJSONRPC'].includes(plain)) return 'JSONRPC';
  if (['HTTP+JSON', 'REST', 'HTTPJSON', 'HTTP'].includes(plain)) return 'HTTP+JSON';
  return plain === 'GRPC' ? 'GRPC' : name;
}

function skillsOf(
  card: JsonObject,
  violations: CardViolation[],
): { readonly skills: readonly CardSkill[]; readonly texts: readonly PublishedText[] } {
  const texts: PublishedText[] = [];
  const seen = new Set<string>();
  const skills = listOf(card['skills'])
    .slice(0, SKILLS_MAX)
    .flatMap((value, place): readonly CardSkill[] => {
      const path = `skills/${place}`;
      const broken = (rule: string, says: string): void => {
        violations.push({ rule, path, says });
      };
      // Early drafts listed names alone.
      const given = isObject(value) ? value : { id: value, name: value };
      const id = cleanLine(given['id'], 300) ?? cleanLine(given['name'], 300);
      if (id === undefined) {
        broken('skill-id', 'The skill has neither id nor name; it is left out.');
        return [];
      }
      if (seen.has(id)) broken('skill-id-unique', `Another skill has the id ${id}.`);
      seen.add(id);
      const description = cleanText(given['description'], 4_000);
      const tags = listOf(given['tags']).flatMap((tag) => cleanLine(tag, 100) ?? []);
      if (cleanLine(given['id'], 300) === undefined) broken('skill-id', 'The skill has no id.');
      if (description === undefined) broken('skill-description', `${id} has no description.`);
      if (tags.length === 0) broken('skill-tags', `${id} has no tags.`);
      for (const name of ['name', 'description']) {
        const text = given[name];
        if (typeof text === 'string') texts.push({ path: `${path}/${name}`, text });
      }
      for (const [nth, text] of listOf(given['examples']).entries()) {
        if (typeof text === 'string') texts.push({ path: `${path}/examples/${nth}`, text });
      }
      return [
        {
          id,
          name: cleanLine(given['name'], 300) ?? id,
          description: description ?? '',
          tags: [...new Set(tags)].slice(0, 50),
          descriptorHash: descriptorHash(id, description ?? '', undefined),
        },
      ];
    });
  return { skills, texts };
}

/** Checks the rules of the card's version beyond those for its doors and skills. */
function checkCard(card: JsonObject, shape: ReadCard['shape'], violations: CardViolation[]): void {
  const require = (rule: string, path: string, holds: boolean, says: string): void => {
    if (!holds) violations.push({ rule, path, says });
  };
  const description = cleanText(card['description'], 4_000) ?? '';
  require('card-description', 'description', description.length >=
    20, 'Say what the agent does, in at least 20 characters.');
  require('card-version', 'version', cleanLine(card['version'], 100) !==
    undefined, 'Name the version of the agent.');
  require('card-skills', 'skills', listOf(card['skills']).length > 0, 'Name at least one skill.');
  require('card-capabilities', 'capabilities', isObject(
    card['capabilities'],
  ), '`capabilities` is an object.');
  for (const path of shape === '0.1' ? [] : ['defaultInputModes', 'defaultOutputModes']) {
    require('card-modes', path, listOf(card[path]).length >
      0, `\`${path}\` lists at least one media type.`);
  }
  require('card-protocol-version', 'protocolVersion', shape !== '0.3' ||
    cleanLine(card['protocolVersion'], 32) !== undefined, 'Name the protocol version.');
  const { provider } = card;
  const isWhole =
    !isObject(provider) ||
    (provider['organization'] !== undefined && provider['url'] !== undefined);
  require('card-provider', 'provider', isWhole, 'A provider has `organization` and `url`.');
}

function ownTexts(card: JsonObject): readonly PublishedText[] {
  return ['name', 'description', 'instructions'].flatMap((path) => {
    const text = card[path];
    return typeof text === 'string' ? [{ path, text }] : [];
  });
}

function extensionsOf(card: JsonObject): readonly string[] {
  const { capabilities } = card;
  const listed = isObject(capabilities) ? listOf(capabilities['extensions']) : [];
  return listed.flatMap((each) => cleanLine(field(each, 'uri') ?? each, 300) ?? []);
}

function providerOf(value: unknown): string | undefined {
  return cleanLine(field(value, 'organization') ?? field(value, 'name') ?? value, 400);
}

function urlOf(value: unknown, foundAt: string): string | undefined {
  if (typeof value !== 'string' || value.length > URL_LENGTH_MAX) return undefined;
  const text = value.trim();
  if (text === '' || !/^[\x21-\x7e]+$/.test(text) || !URL.canParse(text, foundAt)) return undefined;
  const url = new URL(text, foundAt);
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return undefined;
  const isSame = url.href === text || url.href === `${text}/`;
  return isSame ? text : url.href;
}

function field(value: unknown, name: string): unknown {
  return isObject(value) ? value[name] : undefined;
}

function optional<T extends Readonly<Record<string, string | undefined>>>(
  values: T,
): { readonly [K in keyof T]?: string } {
  const found: { [K in keyof T]?: string } = {};
  for (const name in values) {
    const value = values[name];
    if (value !== undefined) found[name] = value;
  }
  return found;
}
