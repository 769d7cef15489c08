// The whole hub on the database that it is told, without the rate limits: for tasks and the router.
import { readSettings } from '../../../server/config.ts';
import { openHub } from '../../../server/open.ts';

const [, , port, database, folder, more = '{}'] = process.argv;
await openHub({
  settings: readSettings({
    HUB_PORT: port,
    HUB_DATABASE_URL: database,
    HUB_DATA_DIR: folder,
    HUB_LOG: 'fatal',
    HUB_RATE_LIMITS: 'false',
    FAUCET_ENABLED: 'true',
    ...(JSON.parse(more) as Record<string, string>),
  }),
});
process.send?.('ready');
// What is left after a collection and what was used, for whoever asks.
process.on('message', () => {
  globalThis.gc?.();
  process.send?.({ ...process.memoryUsage(), cpu: process.cpuUsage() });
});
process.on('disconnect', () => process.exit(0));
