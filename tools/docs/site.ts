import { readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { defineConfig, type DefaultTheme, type UserConfig } from 'vitepress';
import { contractPages } from './contractPages.ts';
import { DECISIONS, GUIDES, HOME, placeOf, sources, type Groups } from './sitePages.ts';
import { REMOVED_STYLES, withoutUnused } from './siteStyle.ts';

/** The site by VitePress, served below `/docs/` without inline styles and foreign sources. */
export const site: UserConfig<DefaultTheme.Config> = defineConfig({
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
    ...['spec/!(choices)/**/*', 'docs/structure.md', 'README.md'],
  ],
  rewrites: placeOf,
  cleanUrls: true,
  // The switch between light and dark would add a style element.
  appearance: { disableTransition: false },
  metaChunk: true,
  router: { prefetchLinks: false },
  markdown: {
    // Colours would be style attributes.
    highlight: (code) => `<pre v-pre tabindex="0"><code>${escaped(code)}</code></pre>`,
    config: ({ core }) => core.ruler.push('links of the site', linkPages),
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
  transformHtml: (page) =>
    REMOVED_STYLES.reduce((text, style) => text.replaceAll(` style="${style}"`, ''), page),
  buildEnd: ({ pages, dynamicRoutes }) => {
    const contract = dynamicRoutes.routes.map(({ path }) => path);
    const unlisted = pages.filter(
      (path) => !sources.has(placeOf(path)) && !contract.includes(path),
    );
    if (unlisted.length > 0) throw new Error(`no group of the site lists ${unlisted.join()}`);
  },
});

/** Groups of the side bar, which all stay open: a folding one would be a button within a button. */
function groupsOf(groups: Groups): DefaultTheme.SidebarItem[] {
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

type Rule = Parameters<
  Parameters<NonNullable<NonNullable<UserConfig['markdown']>['config']>>[0]['core']['ruler']['push']
>[1];
type State = Parameters<Rule>[0];

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
