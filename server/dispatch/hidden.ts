import type { Caller } from '../../workflows/kernel/call.ts';
import type { Moderation } from '../../workflows/kernel/moderation.ts';
import type { AnyReply } from '../http/wire.ts';

/**
 * Hidden texts leave every answer (choices operator.moderation), but not their rows: digests hold
 * and a decision can be lifted. The author and the parties that an object names still read them.
 */
const HIDDEN_TEXT = 'Hidden by the operator of this hub.';

/** Members that name what an object, and all that it contains, belongs to. */
const NAMES = ['id', 'taskId', 'commentId', 'keyId', 'marketId', 'tableId'] as const;
/** Members that are such an object, of which this one is a part. */
const WHOLES = ['task', 'chain'] as const;
/** Members with an account, beside which stands the `name` of its passport. */
const NAMED = ['account', 'to'] as const;
/** Members with free text; of a passport they stand beside `keyId`. */
const TEXTS: ReadonlySet<string> = new Set([
  'title',
  'description',
  'tags',
  'requiredSkills',
  'input',
  'files',
  'acceptance',
  'target',
  'body',
  'plan',
  'result',
  'reason',
  'note',
  'resolution',
  'question',
  'source',
  'evidence',
  'text',
  'answer',
  'displayName',
  'bio',
  'snippet',
  'name',
  'tableName',
]);
const PARTIES = 'requester worker author creator owner reporter raisedBy arbiter'.split(' ');
/** Depth to which parties are looked for: a task names its workers in its attempts. */
const PARTY_DEPTH_MAX = 3;
/** A `reason` may be a word of the contract, as of a report, which is no text of an account. */
const CODE = /^[a-z]+([.-][a-z]+)*$/;

export function withoutHidden(moderation: Moderation, answer: AnyReply, caller: Caller): AnyReply {
  if (!moderation.hides()) return answer;
  const account = 'account' in caller ? caller.account : undefined;
  // A stored text is parsed at each look at its body.
  const given = answer.body;
  const body = masked(given, { moderation, account, isInside: false });
  if (body === given) return answer;
  // Its tag is that of the answer with the text, which a copy elsewhere must not pass for.
  const { encoded: _encoded, brotli: _brotli, headers, ...rest } = answer;
  const { etag: _etag, ...kept } = headers ?? {};
  return { ...rest, headers: kept, body };
}

interface Viewing {
  readonly moderation: Moderation;
  readonly account: string | undefined;
  /** Whether the value is part of something hidden. */
  readonly isInside: boolean;
}

/** Returns the value itself where nothing of it is hidden. */
function masked(value: unknown, viewing: Viewing): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    const items = value.map((each) => masked(each, viewing));
    return items.some((each, at) => each !== value[at]) ? items : value;
  }
  const object = value as Readonly<Record<string, unknown>>;
  if (Object.getPrototypeOf(object) !== Object.prototype) return value;
  const isInside = viewing.isInside || isHidden(object, viewing);
  const isNameless = isInside || hasHiddenName(object, viewing);
  const inner = { ...viewing, isInside };
  let isChanged = false;
  const copy: Record<string, unknown> = {};
  for (const [name, member] of Object.entries(object)) {
    const isText = name === 'name' ? isNameless : isInside && TEXTS.has(name);
    const shown = isText ? blank(name, member) : masked(member, inner);
    isChanged ||= shown !== member;
    if (shown !== undefined) copy[name] = shown;
  }
  return isChanged ? copy : value;
}

function isHidden(object: Readonly<Record<string, unknown>>, viewing: Viewing): boolean {
  const { moderation, account } = viewing;
  const wholes = WHOLES.map((name) => object[name] as { readonly id?: unknown } | undefined);
  const names = [...NAMES.map((name) => object[name]), ...wholes.map((whole) => whole?.id)];
  const found = names.flatMap((name) =>
    typeof name === 'string' ? (moderation.against(name) ?? []) : [],
  );
  if (found.length === 0) return false;
  if (account === undefined) return true;
  return !found.some((each) => each.account === account) && !isParty(object, account, 0);
}

function hasHiddenName(
  object: Readonly<Record<string, unknown>>,
  { moderation, account }: Viewing,
): boolean {
  return NAMED.map((name) => object[name]).some((named) => {
    if (typeof named !== 'string' || named === account) return false;
    return moderation.against(named.replace(/^key:/, ''))?.isBan === false;
  });
}

function isParty(value: unknown, account: string, depth: number): boolean {
  if (typeof value !== 'object' || value === null || depth > PARTY_DEPTH_MAX) return false;
  return Object.entries(value).some(
    ([name, member]) =>
      (member === account && PARTIES.includes(name)) || isParty(member, account, depth + 1),
  );
}

/** A string is replaced, a list emptied, and anything else left out. */
function blank(name: string, member: unknown): unknown {
  if (Array.isArray(member)) return [];
  if (typeof member !== 'string') return member === null ? null : undefined;
  return name === 'reason' && CODE.test(member) ? member : HIDDEN_TEXT;
}
