import { freshKey, isForgotten, type KeptCall, type KeyStore } from '../typescript/once.ts';

/** A press of a form that was sent and has no answer. It may have happened. */
export interface Unanswered {
  readonly account: string;
  /** Names the form, and what it is about where there are several of it. */
  readonly form: string;
  /** The words for the press, such as "the payment of 0.02 test USDC". */
  readonly what: string;
  /** The call with its idempotency key. */
  readonly call: KeptCall;
}

const PREFIX = 'unanswered:';
/** Longer calls, such as uploads, would fill what the browser keeps for a page. */
const LETTERS_MAX = 100_000;
const long = new Map<string, Unanswered>();

/**
 * Stores a press under its idempotency key until its answer arrives, so that it outlives a reload
 * and the tab. A long one ends with the page: sent again it stores the same file.
 */
function keep(key: string, press: Unanswered): void {
  const text = JSON.stringify(press);
  if (text.length > LETTERS_MAX) long.set(key, press);
  else localStorage.setItem(PREFIX + key, text);
}

export function drop(key: string): void {
  long.delete(key);
  localStorage.removeItem(PREFIX + key);
}

function read(key: string): Unanswered | undefined {
  const text = localStorage.getItem(PREFIX + key);
  return long.get(key) ?? (text === null ? undefined : (JSON.parse(text) as Unanswered));
}

/** All that this account sent from this browser and that has no answer, by key. */
export function unansweredOf(account: string): readonly (readonly [string, Unanswered])[] {
  const names = Array.from(
    { length: localStorage.length },
    (_, nth) => localStorage.key(nth) ?? '',
  );
  const stored = names.filter((name) => name.startsWith(PREFIX)).map((n) => n.slice(PREFIX.length));
  return [...long.keys(), ...stored.sort()].flatMap((key) => {
    const press = read(key);
    if (press?.account !== account) return [];
    // The hub knows its key no longer, so it could only happen a second time.
    if (isForgotten(press.call, Date.now())) return (drop(key), []);
    return [[key, press] as const];
  });
}

type Pressing = Pick<Unanswered, 'account' | 'form' | 'what'>;

/**
 * The keys of one press. A call of this form to the same address that has no answer is sent again
 * as it was, whatever the fields say now; a new one gets the key that was made for this press.
 */
export function keysOf(pressing: Pressing, armed: Armed): KeyStore {
  return {
    begin: (path, given) => {
      const before = lost(pressing, path);
      const body = before?.body ?? { idempotencyKey: keyFor(armed, path, given), ...given };
      return { body, isRepeated: before !== undefined || read(idOf(body)) !== undefined };
    },
    put: async (made, call) => keep(made, read(made) ?? { ...pressing, call }),
    done: async (made) => drop(made),
  };
}

/** The key of an armed form, with the content that it was sent for. */
export interface Armed {
  key: string;
  content?: string;
}

/** A key means one content to the hub, so that another content gets another key. */
function keyFor(armed: Armed, path: string, given: KeptCall['body']): string {
  const content = JSON.stringify([path, given]);
  if (armed.content !== undefined && armed.content !== content) armed.key = freshKey();
  armed.content = content;
  return armed.key;
}

/** The keys of calls that no form sends, such as one that the account page repeats. */
export function keysOfAccount(account: string): KeyStore {
  return {
    begin: (_path, body) => ({ body, isRepeated: read(idOf(body)) !== undefined }),
    put: async (key, call) => keep(key, read(key) ?? { account, form: '', what: call.path, call }),
    done: async (key) => drop(key),
  };
}

const idOf = ({ idempotencyKey }: KeptCall['body']): string => String(idempotencyKey);

function lost({ account, form }: Pressing, path: string): KeptCall | undefined {
  return unansweredOf(account)
    .filter(([, press]) => press.form === form)
    .map(([, { call }]) => call)
    .find((call) => call.path === path);
}
