import { matchIn, wordsOf, type Match } from './matching.ts';

/** The contract page's script: search, links, copying, language. The page is whole without it. */
const KEPT = 'contract.language';
const find = document.querySelector<HTMLInputElement>('#find');
const found = document.querySelector<HTMLOutputElement>('#found');
const entries = [...document.querySelectorAll<HTMLDetailsElement>('.entry')];
const areas = [...document.querySelectorAll<HTMLElement>('section.area')];
const languages = [...document.querySelectorAll<HTMLInputElement>('input[name=language]')];
/** The searched lines of each entry, and all of them in small letters, read at the first search. */
let texts: readonly { readonly lines: readonly string[]; readonly low: string }[] | undefined;
/** Entries that show the line in which they were found; more would not be read. */
const LINES_SHOWN_MAX = 60;

/** Names and what they mean; samples and examples hold every word somewhere. */
function textOf(entry: HTMLDetailsElement) {
  const parts = entry.querySelectorAll(
    'summary h3, .call, .quiet code, .says, dt > code, .codes summary',
  );
  const lines = [...parts].map((part) => part.textContent.replace(/\s+/g, ' ').trim());
  return { lines, low: lines.join(' ').toLowerCase() };
}

/** Shows below the title of an entry the line that has what is searched. */
function showMatch(entry: HTMLDetailsElement, match: Match | undefined): void {
  const summary = entry.querySelector('summary');
  summary?.querySelector('.hit')?.remove();
  if (match === undefined) return;
  const line = document.createElement('p');
  line.className = 'hit';
  const mark = document.createElement('mark');
  mark.textContent = match.hit;
  line.append(match.before, mark, match.after);
  summary?.append(line);
}

function search(): void {
  if (find === null || found === null) return;
  const words = wordsOf(find.value);
  texts ??= entries.map(textOf);
  let count = 0;
  for (const [place, entry] of entries.entries()) {
    const { lines = [], low = '' } = texts[place] ?? {};
    entry.hidden = !words.every((word) => low.includes(word));
    if (!entry.hidden) count += 1;
    const isShown = !entry.hidden && words.length > 0 && count <= LINES_SHOWN_MAX;
    showMatch(entry, isShown ? matchIn(lines, words) : undefined);
  }
  for (const area of areas) area.hidden = area.querySelector('.entry:not([hidden])') === null;
  found.textContent =
    words.length === 0 ? '' : `${count} of ${entries.length} operations and shapes have this`;
}

/** Shows the entry of the address, even while a search hides it. */
function reveal(): void {
  const place = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  const entry = place?.closest<HTMLDetailsElement>('.entry');
  if (place === null || entry === null || entry === undefined) return;
  if (entry.hidden && find !== null) {
    find.value = '';
    search();
  }
  entry.open = true;
  place.scrollIntoView();
}

/** Marks the operation of the address in the tree, and opens the area that it is in. */
function markInTree(): void {
  for (const link of document.querySelectorAll('.tree a')) {
    const isHere = link.getAttribute('href') === location.hash && location.hash !== '';
    if (!isHere) {
      link.removeAttribute('aria-current');
      continue;
    }
    link.setAttribute('aria-current', 'true');
    const area = link.closest('details');
    if (area !== null) area.open = true;
  }
}

const COPY = 'Copy';
const COPIED = 'Copied.';
const COPY_FAILED = 'Not copied: select the text instead.';

/** Adds one copy button to each sample below; the button shows whether the copy succeeded. */
function addCopyButtons(place: Element): void {
  for (const sample of place.querySelectorAll('.sample')) {
    const text = sample.querySelector('pre');
    if (text === null || sample.querySelector('button.copy') !== null) continue;
    sample.append(...copyButton(COPY, () => text.textContent));
  }
}

function copyButton(label: string, text: () => string): readonly [Node, string, Node] {
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'copy';
  button.textContent = label;
  const message = document.createElement('output');
  button.addEventListener('click', () => {
    navigator.clipboard
      .writeText(text())
      .then(() => (message.textContent = COPIED))
      .catch(() => (message.textContent = COPY_FAILED));
  });
  return [button, ' ', message];
}

const COPY_ENTRY = 'Copy for agents';

/** Adds the press that copies an operation as Markdown, with its sample, answer and refusals. */
function addCopyEntry(entry: HTMLDetailsElement): void {
  const body = entry.querySelector('.body');
  const sample = entry.querySelector('.sample[data-language=curl] code');
  if (body === null || sample === null || body.querySelector('button.entire') !== null) return;
  const line = document.createElement('p');
  line.append(...copyButton(COPY_ENTRY, () => markdownOf(entry)));
  line.querySelector('button')?.classList.add('entire');
  body.querySelector('.says')?.after(line);
}

function markdownOf(entry: HTMLDetailsElement): string {
  const textAt = (place: string): string => entry.querySelector(place)?.textContent.trim() ?? '';
  const answers = [...entry.querySelectorAll('.body > .example code')].map(
    ({ textContent }) => `\`\`\`json\n${textContent.trim()}\n\`\`\``,
  );
  const refusals = [...entry.querySelectorAll('.codes summary')].map(
    ({ textContent }) => `- ${textContent.replace(/\s+/g, ' ').trim()}`,
  );
  return [
    `# ${textAt('summary h3')}`,
    `\`${textAt('.call')}\``,
    textAt('.says').replace(/\s+/g, ' '),
    `\`\`\`sh\n${textAt('.sample[data-language=curl] code')}\n\`\`\``,
    ...answers,
    refusals.join('\n'),
  ]
    .filter((part) => part !== '')
    .join('\n\n');
}

const setup = document.querySelector('#setup')?.parentElement;
if (setup !== null && setup !== undefined) {
  addCopyButtons(setup);
  setup.classList.remove('unready');
}
// The event does not bubble, but it is seen on its way down.
document.addEventListener(
  'toggle',
  ({ target }) => {
    if (!(target instanceof HTMLDetailsElement) || !target.open) return;
    addCopyButtons(target);
    if (target.matches('.entry')) addCopyEntry(target);
  },
  true,
);
find?.closest('label')?.removeAttribute('hidden');
find?.addEventListener('input', search);
find?.addEventListener('keydown', (event) => {
  const seen = entries.filter(({ hidden }) => !hidden);
  // Others may mention a name that is typed whole.
  const typed = find.value.trim().toLowerCase();
  const isNamed = (entry: Element): boolean =>
    entry.querySelector('.body')?.id.toLowerCase() === typed;
  const first = seen.find(isNamed) ?? seen[0];
  if (event.key !== 'Enter' || first === undefined) return;
  // Else the rest of this very press would close the entry, which has the focus by then.
  event.preventDefault();
  first.open = true;
  first.querySelector('summary')?.focus();
});
for (const input of languages) {
  if (input.value === localStorage.getItem(KEPT)) input.checked = true;
  input.addEventListener('change', () => localStorage.setItem(KEPT, input.value));
}
addEventListener('hashchange', () => {
  reveal();
  markInTree();
});
// A browser that comes back to the page fills in what was searched.
addEventListener('pageshow', () => {
  if (find?.value !== '') search();
  reveal();
  markInTree();
});
