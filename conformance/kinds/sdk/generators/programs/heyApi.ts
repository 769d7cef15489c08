/** hey-api: signs in an interceptor of requests. */
import { client } from 'made/client.gen';
import { discoveryIndex, walletMe } from 'made/sdk.gen';
import { signRequest } from 'hub-sign';
import { key, url } from './key';

client.setConfig({ baseUrl: url });
const index = await discoveryIndex();
console.log('unsigned', index.data?.hub);
client.interceptors.request.use((request) => signRequest(request, key));
const me = await walletMe();
console.log('signed', me.data?.owner);
