// The whole hub on SQLite, as `npm start` runs it, without the rate limits.
import { dirname } from 'node:path';
import { readSettings } from '../../../../dist/server/boot/config.js';
import { openHub } from '../../../../dist/server/boot/open.js';

const [, , port, database] = process.argv;
await openHub({
  settings: readSettings({
    HUB_PORT: port,
    HUB_DATABASE_URL: `sqlite:${database}`,
    HUB_DATA_DIR: dirname(database),
    HUB_LOG: 'fatal',
    HUB_RATE_LIMITS: 'false',
    FAUCET_ENABLED: 'true',
  }),
});
process.send('ready');
process.on('SIGINT', () => process.exit(0));
