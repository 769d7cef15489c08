/** orval: signs in its mutator (hubFetch.ts). */
import { discoveryIndex, walletMe } from 'made/hub';

const index = await discoveryIndex();
console.log('unsigned', index.status === 200 ? index.data.hub : index.status);
const me = await walletMe();
console.log('signed', me.status === 200 ? me.data.owner : me.status);
