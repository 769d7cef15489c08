import { signer } from 'hub-sign';

declare const process: { readonly env: Readonly<Record<string, string | undefined>> };

const { HUB_URL = '', HUB_KEY_ID = '', HUB_SEED = '' } = process.env;
const pairs = HUB_SEED.match(/../g) ?? [];

export const url = HUB_URL;
export const key = signer({
  keyId: HUB_KEY_ID,
  secretKey: Uint8Array.from(pairs, (pair) => Number.parseInt(pair, 16)),
});
