import { useEffect, useState } from 'preact/hooks';
import {
  browserKeys,
  indexedDbStorage,
  type BrowserKey,
  type KeyStorage,
} from '../typescript/browserKeys.ts';
import { createHub, type Hub } from '../typescript/hub.ts';
import { HUB } from './hubAddress.ts';
import { T } from './texts.ts';
import { keysOfAccount } from './unanswered.ts';

/** The session of this browser, with one hub: a WebCrypto key that no script reads, or none yet. */
export type Session =
  | { readonly state: 'opening' | 'none' | 'unsupported' }
  | {
      readonly state: 'open';
      /** The account that the key signs for, which is not always the key's own. */
      readonly account: string;
      readonly keyId: string;
      /** Whether this key can be backed up, which it must have been made for. */
      readonly isExportable: boolean;
      readonly hub: Hub;
    };

const KEY_NAME = 'account';

/** Calls without a signature; pages that wait are asked for again by the person. */
export const reader: Hub = createHub({ baseUrl: HUB, retry: { attempts: 2 } });

let session: Session = { state: 'opening' };
const listeners = new Set<(now: Session) => void>();

function become(next: Session): void {
  session = next;
  for (const listener of listeners) listener(next);
}

export function useSession(): Session {
  const [now, setNow] = useState(session);
  useEffect(() => {
    setNow(session);
    listeners.add(setNow);
    return () => void listeners.delete(setNow);
  }, []);
  return now;
}

export async function openSession(): Promise<void> {
  try {
    const key = await browserKeys.load(KEY_NAME);
    if (key !== undefined) become(sessionOf(key));
    else become({ state: (await browserKeys.isSupported()) ? 'none' : 'unsupported' });
  } catch {
    // A browser that keeps no data, or none for this page, cannot keep a key either.
    become({ state: 'unsupported' });
  }
}

/** An account that can send: the one of this browser, or the one that a first press will keep. */
export interface Sender {
  readonly account: string;
  readonly hub: Hub;
}

let guest: Promise<Sender> | undefined;

/**
 * Returns an account for forms before there is one: its key is in memory, and is kept in this
 * browser with the first thing that it signs. Undefined where no key can be made. Use it for calls
 * that a person sends, never for reads.
 */
export function useSender(): Sender | undefined {
  const now = useSession();
  const [made, setMade] = useState<Sender>();
  useEffect(() => {
    let isLeft = false;
    if (now.state === 'none') {
      guest ??= makeGuest();
      guest.then((sender) => !isLeft && setMade(sender)).catch(() => undefined);
    }
    return () => void (isLeft = true);
  }, [now.state]);
  return now.state === 'open' ? now : now.state === 'none' ? made : undefined;
}

async function makeGuest(): Promise<Sender> {
  let pair: object | undefined;
  const memory: KeyStorage = {
    get: async () => pair,
    add: async (_, added) => (pair ??= added),
    remove: async () => undefined,
  };
  const key = await browserKeys.loadOrGenerate(KEY_NAME, memory);
  const keep = async (): Promise<void> => {
    if (session.state === 'open' || pair === undefined) return;
    await indexedDbStorage().add(KEY_NAME, pair);
    await openSession();
    // Another tab was first, and its key is the account of this browser.
    if (currentAccount() !== key.account) throw new Error(T.otherTab);
  };
  const sign = async (message: Uint8Array): Promise<Uint8Array> => {
    await keep();
    return key.sign(message);
  };
  const { account } = key;
  const hub = createHub({ baseUrl: HUB, key: { ...key, sign }, keepKeys: keysOfAccount(account) });
  return { account, hub };
}

const currentAccount = (): string | undefined =>
  session.state === 'open' ? session.account : undefined;

/** Makes the key that is the account. Throws where the browser cannot make or keep one. */
export async function makeKey(isExportable = false): Promise<void> {
  become(sessionOf(await browserKeys.loadOrGenerate(KEY_NAME, undefined, { isExportable })));
}

/** Keeps a key from elsewhere as this browser's. Throws KeyExists when there is another one. */
export async function bringKey(secret: Uint8Array, isExportable: boolean): Promise<void> {
  become(sessionOf(await browserKeys.importSecret(KEY_NAME, secret, { isExportable })));
}

export function secretOfKey(): Promise<Uint8Array | undefined> {
  return browserKeys.exportSecret(KEY_NAME);
}

export async function forgetKey(): Promise<void> {
  await browserKeys.remove(KEY_NAME);
  become({ state: 'none' });
}

/** The account that a key signs for, where the hub has said that it is not the key's own. */
const OWNER = 'owner:';

function sessionOf(key: BrowserKey): Session {
  const account = localStorage.getItem(OWNER + key.keyId) ?? key.account;
  const hub = createHub({ baseUrl: HUB, key, keepKeys: keysOfAccount(key.account) });
  const { keyId, isExportable } = key;
  return { state: 'open', account, keyId, isExportable, hub: { ...hub, account } };
}

/** Notes that the key of this browser was joined to another account, once the hub says so. */
export function knowOwner(owner: string, keyId: string): void {
  if (session.state !== 'open' || session.keyId !== keyId || session.account === owner) return;
  localStorage.setItem(OWNER + keyId, owner);
  become({ ...session, account: owner, hub: { ...session.hub, account: owner } });
}

/** The text of an unfinished form, which survives a reload in this tab. */
export function useDraft(name: string): readonly [string, (text: string) => void] {
  const [text, setText] = useState(() => sessionStorage.getItem(`draft:${name}`) ?? '');
  const keep = (next: string): void => {
    setText(next);
    sessionStorage.removeItem(`draft:${name}`);
    try {
      if (next !== '') sessionStorage.setItem(`draft:${name}`, next);
    } catch {
      // Beyond what the browser keeps for a page: it stays on the page, and ends with it.
    }
  };
  return [text, keep];
}

/** The fields of one form, kept through a reload in this tab as one draft. */
export function useFormDraft<T extends object>(
  name: string,
  empty: T,
): readonly [T, (change: Partial<T>) => void, () => void] {
  const [text, keep] = useDraft(name);
  const fields: T = { ...empty, ...(text === '' ? {} : (JSON.parse(text) as Partial<T>)) };
  return [fields, (change) => keep(JSON.stringify({ ...fields, ...change })), () => keep('')];
}
