import { createHub, generateKey, unwrap, type components, type Hub } from '../typescript/index.ts';
import { line } from './scenario.ts';

/** Who acts in the demo: a key that signs, which is an account. */
export type Person = Hub & { readonly account: string; readonly keyId: string };

export async function person(baseUrl: string, name: string): Promise<Person> {
  const key = await generateKey();
  line(`${name} made a key: ${key.account}`);
  return { ...createHub({ baseUrl, key }), account: key.account, keyId: key.keyId };
}

export const owner = ({ account }: Person) => ({ params: { path: { owner: account } } });

export async function wallet(of: Person): Promise<components['schemas']['Wallet']> {
  return unwrap(await of.GET('/api/v1/wallet/{owner}', owner(of)));
}
