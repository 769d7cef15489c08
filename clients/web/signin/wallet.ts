import { useEffect, useState } from 'preact/hooks';
import { seedOf, SignInError } from './derive.ts';

/** Finds wallets of this browser (EIP-6963), and asks one for accounts and signatures (EIP-1193). */
const PURPOSE = 'wallet/v1';

interface Provider {
  readonly request: (call: {
    readonly method: string;
    readonly params?: readonly unknown[];
  }) => Promise<unknown>;
}

export interface Wallet {
  readonly id: string;
  readonly name: string;
  readonly provider: Provider;
}

/** A name comes from an extension of the browser; a long one would push the page apart. */
const NAME_LETTERS_MAX = 40;
const WALLETS_MAX = 12;

export function useWallets(): readonly Wallet[] {
  const [wallets, setWallets] = useState<readonly Wallet[]>([]);
  useEffect(() => {
    const add = (event: Event): void => {
      const wallet = walletOf(event);
      if (wallet === undefined) return;
      setWallets((known) =>
        known.length >= WALLETS_MAX || known.some(({ id }) => id === wallet.id)
          ? known
          : [...known, wallet],
      );
    };
    addEventListener('eip6963:announceProvider', add);
    dispatchEvent(new Event('eip6963:requestProvider'));
    return () => removeEventListener('eip6963:announceProvider', add);
  }, []);
  return wallets;
}

/** Reads an announcement, which any script or extension can send. */
export function walletOf(event: Event): Wallet | undefined {
  const detail = member(event, 'detail');
  const info = member(detail, 'info');
  const [id, name] = [member(info, 'uuid'), member(info, 'name')];
  const provider = member(detail, 'provider');
  if (typeof id !== 'string' || typeof name !== 'string' || name.trim() === '') return undefined;
  if (!isProvider(provider)) return undefined;
  return { id, name: [...name.trim()].slice(0, NAME_LETTERS_MAX).join(''), provider };
}

function isProvider(value: unknown): value is Provider {
  return typeof member(value, 'request') === 'function';
}

function member(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}

export async function addressOf({ provider }: Wallet): Promise<string> {
  const accounts = await asked(provider, 'eth_requestAccounts', []);
  const first: unknown = Array.isArray(accounts) ? accounts.at(0) : undefined;
  if (typeof first === 'string' && /^0x[0-9a-fA-F]{40}$/.test(first)) return first;
  throw new SignInError('noAccount');
}

/** Has the wallet sign a text (EIP-191), which it shows to the person. */
export async function signText({ provider }: Wallet, address: string, text: string) {
  const hex = [...new TextEncoder().encode(text)].map((byte) => byte.toString(16).padStart(2, '0'));
  const signature = await asked(provider, 'personal_sign', [`0x${hex.join('')}`, address]);
  if (typeof signature === 'string' && /^0x[0-9a-fA-F]+$/.test(signature)) return signature;
  throw new SignInError('cancelled');
}

async function asked(provider: Provider, method: string, params: readonly unknown[]) {
  try {
    return await provider.request({ method, params });
  } catch (cause) {
    throw new SignInError('cancelled', cause);
  }
}

/**
 * Returns the seed that a signature of the wallet yields. With `isNew` the wallet signs twice, since
 * one whose signatures differ, such as a contract, would lock the person out of the account.
 */
export async function seedOfWallet(wallet: Wallet, origin: string, isNew: boolean) {
  const address = await addressOf(wallet);
  const text = signInText(new URL(origin), address);
  const signature = await signText(wallet, address, text);
  if (isNew && (await signText(wallet, address, text)) !== signature) {
    throw new SignInError('changing');
  }
  return seedOf(new TextEncoder().encode(signature.toLowerCase()), PURPOSE);
}

/**
 * Writes the text in the form of EIP-4361, because a wallet then warns if another site asks for it.
 * It has no random part: the same text must always yield the same signature.
 */
export function signInText({ host, origin }: URL, address: string): string {
  return [
    `${host} wants you to sign in with your Ethereum account:`,
    address,
    '',
    'This signature is a key to your account. Sign it on this site alone, and share it with no one.',
    '',
    `URI: ${origin}`,
    'Version: 1',
    'Chain ID: 1',
    'Nonce: accountkeyv1',
    'Issued At: 2026-01-01T00:00:00.000Z',
  ].join('\n');
}
