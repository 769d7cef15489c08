/** The programs of `npm start`, `hubctl` and the threads of the hub, below dist/. */
export const PROGRAMS = [
  'server/main.js',
  'server/cli.js',
  ...['checks', 'crawlFeeds', 'models', 'search', 'vectors', 'x402'].map(
    (name) => `workflows/kernel/${name}/worker.js`,
  ),
];

/** The files of generated/ that the hub reads at run time. */
export const DATA = [
  'openapi.json',
  'openapi-3.0.json',
  'validators.js',
  'docs.html',
  'docs.html.br',
  'mcpTools.json',
];
