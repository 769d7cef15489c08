import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { contractPages } from './contractPages.ts';
import { DECISIONS, GUIDES, HOME, placeOf, sources, type Groups } from './sitePages.ts';
import { REMOVED_STYLES, withoutUnused } from './siteStyle.ts';

/** The parts of markdown-it that the rules below read; VitePress is installed when it builds. */
interface Token {
  type: string;
  tag: string;
  content: string;
  attrs: [string, string][] | null;
  readonly nesting: number;
  readonly children: Token[] | null;
  attrGet(name: string): string | null;
  attrSet(name: string, value: string): void;
}
interface State {
  readonly tokens: Token[];
  readonly env: unknown;
  readonly Token: new (type: string, tag: string, nesting: number) => Token;
}
interface Markdown {
  readonly core: { readonly ruler: { push(name: string, rule: (state: State) => void): void } };
}
interface Built {
  readonly pages: readonly string[];
  readonly dynamicRoutes: { readonly routes: readonly { readonly path: string }[] };
  readonly outDir: string;
}

/** The site by VitePress, served below `/docs/` without inline styles and foreign sources. */
export const site = {
  title: 'Agent Exchange Hub',
  description: 'Documentation of the Agent Exchange Hub.',
  lang: 'en',
  base: '/docs/',
  srcDir: '..',
  outDir: '../dist/docs',
  cacheDir: '../node_modules/.cache/vitepress',
  srcExclude: [
    ...[
      '!(docs|spec|clients|tools)/**/*',
      'tools/!(docs)/**/*',
      'clients/!(typescript|python)/**/*',
      'clients/*/*/**',
    ],
    // Its diagrams are for a reader of the repository.
    'spec/!(choices)/**/*',
    'docs/structure.md',
    'README.md',
  ],
  rewrites: placeOf,
  cleanUrls: true,
  // The switch between light and dark would add a style element.
  appearance: { disableTransition: false },
  metaChunk: true,
  router: { prefetchLinks: false },
  markdown: {
    // Colours would be style attributes.
    highlight: (code: string) => `<pre v-pre tabindex="0"><code>${escaped(code)}</code></pre>`,
    config: ({ core }: Markdown) => {
      core.ruler.push('links of the site', linkPages);
      core.ruler.push('link to the Markdown', linkMarkdown);
    },
  },
  vite: {
    css: { postcss: { plugins: [withoutUnused] } },
    define: { __VUE_OPTIONS_API__: false },
    build: { chunkSizeWarningLimit: 2_000 },
  },
  themeConfig: {
    search: { provider: 'local' },
    outline: [2, 3],
    nav: [
      { text: 'Guides', link: '/' },
      { text: 'Contract', link: '/contract/discovery', activeMatch: '^/contract/' },
      { text: 'Decisions', link: '/CHOICES', activeMatch: '^/(choices/|CHOICES)' },
    ],
    sidebar: {
      '/': groupsOf(GUIDES),
      ...Object.fromEntries(
        ['choices/', ...DECISIONS.Decisions.slice(0, 3).map(placeOf)].map((path) => [
          `/${path}`,
          groupsOf(DECISIONS),
        ]),
      ),
      '/contract/': [...contractPages().keys()].map((area) => ({
        text: area,
        link: `/contract/${area}`,
      })),
    },
  },
  transformHtml: (page: string) =>
    REMOVED_STYLES.reduce((text, style) => text.replaceAll(` style="${style}"`, ''), page),
  buildEnd: ({ pages, dynamicRoutes, outDir }: Built) => {
    writeMarkdown(outDir);
    const contract = dynamicRoutes.routes.map(({ path }) => path);
    const unlisted = pages.filter(
      (path) => !sources.has(placeOf(path)) && !contract.includes(path),
    );
    if (unlisted.length > 0) throw new Error(`no group of the site lists ${unlisted.join()}`);
  },
};

/** Every page as Markdown beside it, for agents. */
function writeMarkdown(folder: string): void {
  const texts = [
    ...[...sources].map(([place, path]) => [place, readFileSync(path, 'utf8')] as const),
    ...[...contractPages()].map(([area, text]) => [`contract/${area}.md`, plain(text)] as const),
  ];
  for (const [place, text] of texts) {
    const path = join(folder, place);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
    writeFileSync(`${path}.br`, brotliCompressSync(text));
  }
}

/** Without the attributes that only the site reads. */
const plain = (text: string): string => text.replace(/ ?\{(?:#[\w.]+|target="_self")\}/g, '');

/** Groups of the side bar, which all stay open: a folding one would be a button within a button. */
function groupsOf(groups: Groups): readonly object[] {
  return Object.entries(groups).map(([text, paths]) => ({
    text,
    items: paths.map((path) => ({ text: titleOf(path), link: `/${placeOf(path)}` })),
  }));
}

function titleOf(path: string): string {
  const [, title = path] = /^# (.+)$/m.exec(readFileSync(path, 'utf8')) ?? [];
  return title;
}

function escaped(code: string): string {
  return code.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

/** Below the title of each page stands a link to its Markdown. */
function linkMarkdown({ tokens, env, Token }: State): void {
  const { relativePath } = env as { readonly relativePath: string };
  const end = tokens.findIndex(({ type, tag }) => type === 'heading_close' && tag === 'h1');
  if (end < 0) return;
  const line = new Token('html_block', '', 0);
  const href = `/docs/${relativePath}`;
  line.content = `<p><a href="${href}" target="_self">This page as Markdown, for agents</a></p>\n`;
  tokens.splice(end + 1, 0, line);
}

/** Links that lead to a page of the site get its address there; other relative ones become text. */
function linkPages({ tokens, env }: State): void {
  const place = (env as { readonly relativePath: string }).relativePath;
  const page = sources.get(place) ?? place;
  for (const { children } of tokens) {
    let isText = false;
    for (const token of children ?? []) {
      if (token.type === 'link_open') {
        const [path = '', anchor] = (token.attrGet('href') ?? '').split('#');
        isText = false;
        if (path === '' || /^[a-z]+:/.test(path) || token.attrGet('target') !== null) continue;
        const target = posix.join(posix.dirname(page), path);
        const to = target === 'README.md' ? HOME : target;
        isText = !sources.has(placeOf(to));
        token.attrSet('href', `/${placeOf(to)}${anchor === undefined ? '' : `#${anchor}`}`);
      }
      if (isText && token.type.startsWith('link_')) {
        token.attrs = null;
        token.tag = 'span';
        token.type = `span_${token.nesting === 1 ? 'open' : 'close'}`;
      }
    }
  }
}
