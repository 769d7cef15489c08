// The hub's own layer: route, decode, validate, dispatch, encode. Only the handler is a stub.
import { pino } from 'pino';
import { openStore } from '../../../../dist/db/store.js';
import { handlers } from '../../../../dist/handlers/index.js';
import { createApp } from '../../../../dist/server/http/app.js';
import { createChecks } from '../../../../dist/workflows/kernel/checks/checks.js';
import { readSettings } from '../../../../dist/server/boot/config.js';
import { createHub } from '../../../../dist/server/boot/createHub.js';
import { openIdentities } from '../../../../dist/server/http/identity.js';
import { listen } from '../../../../dist/server/boot/serve.js';
import { ANSWER, port } from './shared.mjs';

const settings = readSettings({
  HUB_PORT: String(port),
  HUB_DATABASE_URL: 'sqlite::memory:',
  HUB_RATE_LIMITS: 'false',
});
const clock = { now: () => Date.now(), wall: () => Date.now() };
const store = await openStore(settings.databaseUrl);
const identities = openIdentities(store, clock, {
  origins: [settings.baseUrl],
  allowTestKey: false,
});
const hub = createHub({
  store,
  settings,
  log: pino({ level: 'fatal' }),
  checks: createChecks(),
  clock,
  identities,
  // No stub of this layer asks for these.
  files: {},
});
const stubbed = { ...handlers, 'wallet.credit': async () => ({ status: 200, body: ANSWER }) };
await listen(createApp({ hub, handlers: stubbed, identities }), hub);
process.send('ready');
process.on('SIGINT', () => process.exit(0));
