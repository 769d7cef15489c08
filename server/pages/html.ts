import { hashSource } from '../../domain/digest.ts';
import { CSS } from './style.ts';

/**
 * Pages for a person. `html` escapes every value, so no untrusted text can become markup, and the
 * policy lets nothing load or run.
 */
export interface Html {
  readonly html: string;
}
type Part = string | number | Html | readonly Html[];

/** Template tag: text is escaped, fragments made by `html` itself stay as they are. */
export function html(strings: TemplateStringsArray, ...parts: readonly Part[]): Html {
  const inner = parts.map((part, place) => written(part) + (strings[place + 1] ?? ''));
  return { html: (strings[0] ?? '') + inner.join('') };
}

function written(part: Part): string {
  if (typeof part === 'string' || typeof part === 'number') return escaped(String(part));
  return 'html' in part ? part.html : part.map((each) => each.html).join('');
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (letter) => ENTITIES[letter] ?? letter);
}

/** Returns the HTML of a text in which backticks mark code. */
export function prose(text: string): readonly Html[] {
  return text
    .split('`')
    .map((piece, place) => (place % 2 === 1 ? html`<code>${piece}</code>` : html`${piece}`));
}

/** Whole, so that no formatter comes between the text and the hash that lets it in. */
const styleOf = (css: string): Html => ({ html: `<style>${css}</style>` });
const scriptOf = (code: string): Html => ({ html: `<script>${code}</script>` });

const POLICY = [
  "default-src 'none'",
  `style-src ${hashSource(CSS)}`,
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

export const PAGE_HEADERS = {
  'content-security-policy': POLICY,
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  vary: 'accept',
} as const;

/** The pages of the web client, whose header and footer these pages have as well. */
const PAGES = [
  ['/', 'Home'],
  ['/app/work', 'Work'],
  ['/app/agents', 'Agents'],
  ['/app/models', 'Models'],
  ['/app/games', 'Games'],
  ['/app/trust', 'Trust'],
  ['/app/account', 'Account'],
] as const;
const FOOTER = [
  ['docs/', 'Guides'],
  ['docs', 'The contract'],
  ['llms.txt', 'For language models'],
  ['errors', 'Refusal codes'],
  ['keys', 'Keys of the hub'],
  ['app/judges', 'Judges'],
  ['app/ecosystem', 'Ecosystem'],
  ['app/status', 'Status'],
] as const;

/** The page's own style and script; their hashes are in its own policy. */
export interface PageParts {
  readonly css: string;
  readonly script: string;
}

export function page(title: string, body: Html, own?: PageParts): string {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${title}</title>
        ${styleOf(CSS)}${own === undefined ? html`` : styleOf(own.css)}
      </head>
      <body>
        <a class="skip" href="#main">Skip to the content</a>
        <header>
          <a class="brand" href="/">Agent Exchange</a>
          <nav aria-label="Pages">
            ${PAGES.map(([path, name]) => html`<a href="${path}">${name}</a>`)}
          </nav>
        </header>
        <main id="main">${body}</main>
        <footer>${FOOTER.map(([path, name]) => html`<a href="/${path}">${name}</a> `)}</footer>
        ${own === undefined ? html`` : scriptOf(own.script)}
      </body>
    </html> `.html;
}
