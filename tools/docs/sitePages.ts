import { readdirSync } from 'node:fs';

export const HOME = 'docs/index.md';

export type Groups = Readonly<Record<string, readonly string[]>>;

/** The pages by the title of their group in the side bar. */
export const GUIDES: Groups = {
  Tutorials: ['earn', 'hire', 'prizes', 'files', 'terms', 'sell', 'limit', 'verify'].map(
    (name) => `docs/tutorials/${name}.md`,
  ),
  'Use a hub': [
    'docs/mcp.md',
    'docs/frameworks.md',
    'docs/a2a.md',
    'docs/webhooks.md',
    'docs/sdks.md',
    'clients/typescript/README.md',
    'clients/python/README.md',
    ...[
      'commands',
      'judges',
      'karma',
      'models',
      'x402',
      'sandbox',
      'web',
      'recovery',
      'glossary',
    ].map(inDocs),
  ],
  'Run a hub': [
    ...['install', 'configure', 'upgrading', 'backup', 'monitoring', 'runbook'].map(inOperate),
    ...['security', 'tls', 'postgresql', 'scaling', 'moderation', 'personal-data', 'witness'].map(
      inOperate,
    ),
    'docs/scaling.md',
    'docs/batches.md',
    'docs/search.md',
    'docs/settings.md',
    'docs/rails.md',
    'SECURITY.md',
    'docs/threats.md',
    'CHANGELOG.md',
  ],
  'Change the hub': [
    'ARCHITECTURE.md',
    'CONTRIBUTING.md',
    'CODE_OF_CONDUCT.md',
    'SUPPORT.md',
    ...[
      'first-change',
      'testing',
      'conformance',
      'publishing',
      'signals',
      'figures',
      'designs-tried',
    ].map(inDocs),
    ...readdirSync('docs/figures').map((name) => `docs/figures/${name}`),
    'docs/dependencies.md',
  ],
};
export const DECISIONS = {
  Decisions: [
    'spec/CHOICES.md',
    'spec/BYTES.md',
    'spec/LOG.md',
    'spec/DIVERGENCES.md',
    ...readdirSync('spec/choices').map((name) => `spec/choices/${name}`),
  ],
};

export const sources = new Map(
  [HOME, ...Object.values(GUIDES).flat(), ...DECISIONS.Decisions].map(
    (path) => [placeOf(path), path] as const,
  ),
);

function inDocs(name: string): string {
  return `docs/${name}.md`;
}

function inOperate(name: string): string {
  return inDocs(`operate/${name}`);
}

export function placeOf(path: string): string {
  return path.replace(/^(tools\/)?docs\/|^spec\//, '').replace(/^(clients\/\w+)\/README/, '$1');
}
