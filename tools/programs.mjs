/** What `npm start`, `hubctl` and the threads of the hub run, below dist/. */
export const PROGRAMS = [
  'server/main.js',
  'server/cli.js',
  ...['checks', 'crawlFeeds', 'models', 'search', 'vectors', 'x402'].map(
    (name) => `server/hub/${name}/worker.js`,
  ),
];

/** What the hub reads at run time, of generated/. */
export const DATA = [
  'openapi.json',
  'openapi-3.0.json',
  'validators.js',
  'docs.html',
  'docs.html.br',
  'mcpTools.json',
];
