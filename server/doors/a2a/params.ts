import type { Arguments } from '../arguments.ts';
import { isObject, withoutNulls } from '../../../domain/jsonObject.ts';
import {
  A2aError,
  CONTENT_TYPE_NOT_SUPPORTED,
  PUSH_NOTIFICATION_NOT_SUPPORTED,
  refuseParams,
} from './errors.ts';
import {
  GRAMMAR,
  readSkillCall,
  type FreeText,
  type GivenPart,
  type SkillCall,
} from './skillCall.ts';
import type { Version } from './version.ts';

/** Reads the params of a sent message, in the spelling of either version. */
export interface Sent<Read = SkillCall | FreeText> {
  /** Names the message: the same one again is the same call (choices ledger.idempotency). */
  readonly messageId: string;
  /** The group that the caller puts the message into; the door makes one when it is absent. */
  readonly contextId: string | undefined;
  /** The task that the message wants to go on with; its parts are not read then. */
  readonly taskId: string | undefined;
  /** @throws A2aError when the message does not ask for a skill by the grammar. */
  readonly readCall: () => Promise<Read>;
  /** The caller takes JSON only as text. */
  readonly asText: boolean;
  /** The answer is not to wait for the end of the work. */
  readonly atOnce: boolean;
}

const ROLES: Readonly<Record<Version, string>> = { '1.0': 'ROLE_USER', '0.3': 'user' };
const AT_ONCE = {
  '1.0': { name: 'returnImmediately', value: true },
  '0.3': { name: 'blocking', value: false },
} as const;
const PUSH = { '1.0': 'taskPushNotificationConfig', '0.3': 'pushNotificationConfig' } as const;
const NAME_LENGTH_MAX = 256;
const PARTS_MAX = 1;
/** Params, message and part: their unset members are null, as some clients write them. */
const SENT_LEVELS = 3;
const DATA_TYPES: readonly string[] = ['application/json', 'application/*', '*/*'];
const TEXT_TYPES: readonly string[] = ['text/plain', 'text/*'];

/** @throws A2aError -32602 naming the field, -32003 or -32005. */
export function readSent(params: Arguments, version: Version): Sent {
  return readSentAs(params, version, readSkillCall);
}

/** The same for a message whose part is read by the skills of another account. */
export function readSentAs<Read>(
  given: Arguments,
  version: Version,
  read: (part: GivenPart, named: string | undefined) => Promise<Read>,
): Sent<Read> {
  const params = withoutNulls(given, SENT_LEVELS) as Arguments;
  const message = objectAt(params, 'message', 'message');
  if (message === undefined) return refuseParams('message', 'must be an object');
  const configuration = objectAt(params, 'configuration', 'configuration') ?? {};
  const metadata = objectAt(params, 'metadata', 'metadata') ?? {};
  const ofMessage = objectAt(message, 'metadata', 'message.metadata') ?? {};
  const messageId = nameAt(message, 'messageId', 'message.messageId');
  if (messageId === undefined) {
    return refuseParams('message.messageId', 'must be a string of 1 to 256 characters');
  }
  if (message['role'] !== ROLES[version]) {
    return refuseParams('message.role', `must be "${ROLES[version]}"`);
  }
  const { parts } = message;
  if (!Array.isArray(parts)) return refuseParams('message.parts', 'must be a list');
  const { asText, atOnce } = readConfiguration(configuration, version);
  return {
    messageId,
    contextId: nameAt(message, 'contextId', 'message.contextId'),
    taskId: nameAt(message, 'taskId', 'message.taskId'),
    readCall: () => read(onlyPart(parts, version), skillIn(metadata, ofMessage)),
    asText,
    atOnce,
  };
}

function skillIn(metadata: Arguments, ofMessage: Arguments): string | undefined {
  const outer = nameAt(metadata, 'skillId', 'metadata.skillId');
  const inner = nameAt(ofMessage, 'skillId', 'message.metadata.skillId');
  if (outer !== undefined && inner !== undefined && outer !== inner) {
    return refuseParams('message.metadata.skillId', 'differs from metadata.skillId');
  }
  return outer ?? inner;
}

function readConfiguration(
  configuration: Arguments,
  version: Version,
): Pick<Sent, 'asText' | 'atOnce'> {
  if (configuration[PUSH[version]] !== undefined) {
    throw new A2aError(PUSH_NOTIFICATION_NOT_SUPPORTED, 'Push notifications are not supported', {
      hint: 'Wait for the answer, stream it, or ask for the task again.',
    });
  }
  const { name, value } = AT_ONCE[version];
  const given = configuration[name];
  if (given !== undefined && typeof given !== 'boolean') {
    return refuseParams(`configuration.${name}`, 'must be true or false');
  }
  countAt(configuration, 'historyLength', 'configuration.historyLength');
  return { asText: wantsText(configuration['acceptedOutputModes']), atOnce: given === value };
}

/** An absent or empty list takes everything. */
function wantsText(modes: unknown): boolean {
  const at = 'configuration.acceptedOutputModes';
  if (modes === undefined) return false;
  if (!Array.isArray(modes)) return refuseParams(at, 'must be a list of media types');
  const types = modes.map((mode) => String(mode).toLowerCase());
  if (types.length === 0 || types.some((type) => DATA_TYPES.includes(type))) return false;
  if (types.some((type) => TEXT_TYPES.includes(type))) return true;
  throw new A2aError(CONTENT_TYPE_NOT_SUPPORTED, 'No accepted output mode is one of the hub', {
    hint: 'Answers are application/json, or the same as text/plain.',
    field: at,
  });
}

function onlyPart(parts: readonly unknown[], version: Version): GivenPart {
  if (parts.length !== PARTS_MAX) {
    return refuseParams('message.parts', 'must have exactly one part', { hint: GRAMMAR });
  }
  const at = 'message.parts[0]';
  const [part] = parts;
  if (!isObject(part)) return refuseParams(at, 'must be an object', { hint: GRAMMAR });
  return version === '1.0' ? part10(part, at) : part03(part, at);
}

const CONTENTS_1_0 = ['text', 'data', 'raw', 'url'] as const;

function part10(part: Arguments, at: string): GivenPart {
  const given = CONTENTS_1_0.filter((name) => part[name] !== undefined);
  const [name] = given;
  if (name === undefined || given.length > 1) {
    return refuseParams(at, 'must have exactly one of text and data', { hint: GRAMMAR });
  }
  if (name === 'raw' || name === 'url') return refuseContent(at, 'A file');
  const { mediaType = '' } = part;
  if (typeof mediaType !== 'string') return refuseParams(`${at}.mediaType`, 'must be a string');
  const type = mediaType.split(';')[0]?.trim().toLowerCase() ?? '';
  const taken = name === 'data' ? ['application/json'] : ['application/json', 'text/plain'];
  if (type !== '' && !taken.includes(type)) {
    return refuseContent(`${at}.mediaType`, `A ${name} part of another media type`);
  }
  return name === 'data'
    ? { kind: 'data', data: part['data'], at: `${at}.data` }
    : textPart(part['text'], `${at}.text`);
}

function part03(part: Arguments, at: string): GivenPart {
  const { kind } = part;
  if (kind === 'data') return { kind, data: part['data'], at: `${at}.data` };
  if (kind === 'text') return textPart(part['text'], `${at}.text`);
  if (kind === 'file') return refuseContent(at, 'A file');
  return refuseParams(`${at}.kind`, 'must be "data" or "text"', { hint: GRAMMAR });
}

function textPart(text: unknown, at: string): GivenPart {
  if (typeof text !== 'string') return refuseParams(at, 'must be a string', { hint: GRAMMAR });
  return { kind: 'text', text, at };
}

function refuseContent(field: string, what: string): never {
  throw new A2aError(CONTENT_TYPE_NOT_SUPPORTED, `${what} is no call of a skill`, {
    hint: GRAMMAR,
    field,
  });
}

function objectAt(params: Arguments, name: string, at: string): Arguments | undefined {
  const value = params[name];
  if (value === undefined || isObject(value)) return value;
  return refuseParams(at, 'must be an object');
}

/** An id or name that the caller chose; the empty one of a protobuf default is none. */
export function nameAt(params: Arguments, name: string, at: string): string | undefined {
  const value = params[name];
  if (value === undefined || value === '') return undefined;
  if (typeof value === 'string' && value.length <= NAME_LENGTH_MAX) return value;
  return refuseParams(at, `must be a string of at most ${NAME_LENGTH_MAX} characters`);
}

export function countAt(params: Arguments, name: string, at: string): number | undefined {
  const value = params[name];
  if (value === undefined) return undefined;
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) return value;
  return refuseParams(at, 'must be a whole number');
}
