// The whole hub on a given database, without the rate limits: for tasks and the router.
import { readSettings } from '../../../../server/boot/config.ts';
import { openHub } from '../../../../server/boot/open.ts';

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
// Any message returns the memory after a garbage collection, and the processor time.
process.on('message', () => {
  globalThis.gc?.();
  process.send?.({ ...process.memoryUsage(), cpu: process.cpuUsage() });
});
process.on('disconnect', () => process.exit(0));
// A process that is profiled writes its profile when it exits by itself.
process.on('SIGTERM', () => process.exit(0));
