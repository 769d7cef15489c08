// Builds generated/docs.html: the contract for a human reader, in one file that loads nothing from
// anywhere. What the page maker would fetch from its own site is taken out, and a page that would
// still load something fails the build.
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const PAGE = `${ROOT}generated/docs.html`;
/** Addresses of pictures that the page maker's own code holds; an empty picture stands in. */
const REMOTE_PICTURE = /https:\/\/cdn\.redoc(?:ly\.com|\.ly)\/[\w./-]*/g;
/** Anything by which a page makes a browser load from elsewhere. */
const LOADS = [
  /<(?:script|img|iframe|source|video|audio|embed)\b[^>]*\bsrc\s*=\s*["']?(?:https?:)?\/\//i,
  /<link\b[^>]*\bhref\s*=\s*["']?(?:https?:)?\/\//i,
  /@import\b[^;]{0,20}(?:https?:)?\/\//i,
  /url\(\s*["']?(?:https?:)?\/\//i,
  /cdn\./,
];

const { status, stdout, stderr } = spawnSync(
  process.execPath,
  [
    `${ROOT}node_modules/@redocly/cli/bin/cli.js`,
    'build-docs',
    `${ROOT}generated/openapi.json`,
    '--inlineBundle',
    `--output=${PAGE}`,
  ],
  {
    cwd: ROOT,
    encoding: 'utf8',
    env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
  },
);
if (status !== 0) throw new Error(`the page of the contract cannot be built\n${stdout}${stderr}`);

const page = readFileSync(PAGE, 'utf8').replace(REMOTE_PICTURE, 'data:,');
const loaded = LOADS.flatMap((pattern) => pattern.exec(page)?.[0].slice(0, 120) ?? []);
if (loaded.length > 0) throw new Error(`generated/docs.html would load:\n${loaded.join('\n')}`);
writeFileSync(PAGE, page);
