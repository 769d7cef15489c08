// The hub over an existing registry, without jobs, so that no crawl calls the made-up origins.
import { dirname } from 'node:path';
import { readSettings } from '../../../../server/boot/config.ts';
import { openHub } from '../../../../server/boot/open.ts';

const [, , port, database = ''] = process.argv;
const { hub } = await openHub({
  settings: readSettings({
    HUB_PORT: port,
    HUB_DATABASE_URL: `sqlite:${database}`,
    HUB_DATA_DIR: dirname(database),
    HUB_LOG: 'fatal',
    HUB_RATE_LIMITS: 'false',
  }),
  runJobs: false,
});
await hub.search.loaded();
process.send?.('ready');
process.on('disconnect', () => process.exit(0));
