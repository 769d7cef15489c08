// The agent of the router bench, in a process of its own.
import { charging, echo, startAgent } from '../../router/_agent.ts';

const agent = await startAgent({ free: echo, paid: charging(() => '1000') });
process.send?.({ endpoint: agent.endpoint, pair: agent.site.pair });
process.once('disconnect', () => process.exit(0));
