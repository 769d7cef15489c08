/** openapi-typescript with openapi-fetch: signs in a middleware. */
import createClient from 'openapi-fetch';
import type { paths } from 'made/types';
import { signRequest } from 'hub-sign';
import { key, url } from './key';

const client = createClient<paths>({ baseUrl: url });
const index = await client.GET('/api/v1');
console.log('unsigned', index.data?.hub);
client.use({ onRequest: ({ request }) => signRequest(request, key) });
const me = await client.GET('/api/v1/me');
console.log('signed', me.data?.owner);
