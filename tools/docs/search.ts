/** The contract page's script: search, links, copying, language. The page is whole without it. */
const KEPT = 'contract.language';
const find = document.querySelector<HTMLInputElement>('#find');
const found = document.querySelector<HTMLOutputElement>('#found');
const entries = [...document.querySelectorAll<HTMLDetailsElement>('.entry')];
const areas = [...document.querySelectorAll<HTMLElement>('section.area')];
const languages = [...document.querySelectorAll<HTMLInputElement>('input[name=language]')];
/** The searched text of each entry, read at the first search. */
let texts: readonly string[] | undefined;

/** Names and what they mean; samples and examples hold every word somewhere. */
function textOf(entry: HTMLDetailsElement): string {
  const parts = entry.querySelectorAll('summary h3, .call, .quiet code, .says, dt > code, .codes');
  return [...parts]
    .map((part) => part.textContent)
    .join(' ')
    .toLowerCase();
}

function search(): void {
  if (find === null || found === null) return;
  const words = find.value
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
  texts ??= entries.map(textOf);
  let count = 0;
  for (const [place, entry] of entries.entries()) {
    const text = texts[place] ?? '';
    entry.hidden = !words.every((word) => text.includes(word));
    if (!entry.hidden) count += 1;
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

const COPY = 'Copy';
const COPIED = 'Copied.';
const COPY_FAILED = 'Not copied: select the text instead.';

/** Adds one copy button to each sample below; the button shows whether the copy succeeded. */
function addCopyButtons(place: Element): void {
  for (const sample of place.querySelectorAll('.sample')) {
    const text = sample.querySelector('pre');
    if (text === null || sample.querySelector('button.copy') !== null) continue;
    const button = document.createElement('button');
    button.type = 'button';
    button.className = 'copy';
    button.textContent = COPY;
    const told = document.createElement('output');
    button.addEventListener('click', () => {
      navigator.clipboard
        .writeText(text.textContent)
        .then(() => (told.textContent = COPIED))
        .catch(() => (told.textContent = COPY_FAILED));
    });
    sample.append(button, ' ', told);
  }
}

const setup = document.querySelector('#setup')?.parentElement;
if (setup !== null && setup !== undefined) addCopyButtons(setup);
// The event does not bubble, but it is seen on its way down.
document.addEventListener(
  'toggle',
  ({ target }) => {
    if (target instanceof HTMLDetailsElement && target.open) addCopyButtons(target);
  },
  true,
);
find?.closest('label')?.removeAttribute('hidden');
find?.addEventListener('input', search);
find?.addEventListener('keydown', (event) => {
  const first = entries.find(({ hidden }) => !hidden);
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
addEventListener('hashchange', reveal);
// A browser that comes back to the page fills in what was searched.
addEventListener('pageshow', () => {
  if (find?.value !== '') search();
  reveal();
});
export {};
