import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { unwrap } from '../typescript/refusal.ts';
import { useLoad, useSettled } from './load.ts';
import { Money, Untrusted } from './parts/shown.tsx';
import { Failure } from './parts/states.tsx';
import { pathTo } from './routes.ts';
import { useShortcut } from './shortcuts.ts';
import { reader } from './session.ts';
import { T } from './texts.ts';
import type { Got } from './types.ts';

/** The search of the header: results come as a person types, and are links like all others. */
type Hit = Got<'/api/v1/search'>['results'][number];
const SETTLED_MS = 200;
const RESULTS = 8;

interface SearchProps {
  /** Changes with the page, which closes the results. */
  readonly page: string;
  /** Called before the field takes the focus, because a menu may hide it. */
  readonly reveal: () => void;
}

export function Search({ page, reveal }: SearchProps) {
  const [text, setText] = useState('');
  const [isOpen, setOpen] = useState(false);
  const box = useRef<HTMLDivElement>(null);
  const field = useRef<HTMLInputElement>(null);
  const id = useId();
  useEffect(() => {
    setOpen(false);
    setText('');
  }, [page]);
  useShortcut('/', () => {
    reveal();
    const focus = (): void => field.current?.focus();
    // At once, or the letters that follow are lost; behind a closed menu once that is drawn.
    focus();
    if (document.activeElement !== field.current) setTimeout(focus);
  });
  useClosing(box, () => setOpen(false));
  const move = (event: KeyboardEvent): void => {
    if (event.key === 'Escape') {
      setOpen(false);
      field.current?.focus();
    } else if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault();
      step(box.current, event.key === 'ArrowDown' ? 1 : -1);
    } else if (event.key === 'Enter' && event.target === field.current) {
      box.current?.querySelector<HTMLAnchorElement>('a')?.click();
    }
  };
  return (
    <div class="search" role="search" aria-label={T.search.area} ref={box} onKeyDown={move}>
      <label class="unseen" for={id}>
        {T.search.label}
      </label>
      <input
        id={id}
        ref={field}
        type="search"
        autocomplete="off"
        placeholder={T.search.placeholder}
        aria-keyshortcuts="/"
        value={text}
        onFocus={() => setOpen(true)}
        onInput={({ currentTarget }) => {
          setText(currentTarget.value);
          setOpen(true);
        }}
      />
      {isOpen && text.trim() !== '' && <Results text={text.trim()} />}
    </div>
  );
}

/** Moves the focus through the field and the links below it. */
function step(box: HTMLElement | null, by: number): void {
  const stops = [...(box?.querySelectorAll<HTMLElement>('input, a') ?? [])];
  const place = stops.findIndex((stop) => stop === document.activeElement);
  stops.at((place + by + stops.length) % stops.length)?.focus();
}

/** Closes when a person goes on elsewhere, by pointer or by keyboard. */
function useClosing(box: { readonly current: HTMLElement | null }, close: () => void): void {
  useEffect(() => {
    const left = ({ target }: Event): void => {
      if (target instanceof Node && box.current?.contains(target) !== true) close();
    };
    addEventListener('pointerdown', left);
    addEventListener('focusin', left);
    return () => {
      removeEventListener('pointerdown', left);
      removeEventListener('focusin', left);
    };
  }, []);
}

function Results({ text }: { readonly text: string }) {
  const q = useSettled(text, SETTLED_MS);
  const found = useLoad(`search ${q}`, async (signal) => {
    const params = { query: { q, limit: RESULTS } };
    return unwrap(await reader.GET('/api/v1/search', { params, signal })).results;
  });
  const hits = found.value;
  const isNow = q === text && hits !== undefined;
  return (
    <div class="found">
      <p class="unseen" role="status">
        {isNow ? T.search.found(hits.length) : ''}
      </p>
      {found.error !== undefined && !found.isLoading && (
        <Failure error={found.error} retry={found.reload} />
      )}
      {isNow && hits.length === 0 && <p class="empty">{T.search.none(q)}</p>}
      {hits !== undefined && hits.length > 0 && (
        <>
          <ul aria-label={T.search.results}>
            {hits.map((hit, place) => (
              <li key={place}>
                <a href={pageOf(hit)}>
                  <bdi>{hit.title}</bdi>
                  <span class="quiet">
                    {T.search.kinds[hit.remote === undefined ? hit.kind : 'package']}
                    {hit.reward !== undefined && (
                      <>
                        {' '}
                        · <Money units={hit.reward.amount} network={hit.reward.network} />
                      </>
                    )}
                  </span>
                </a>
              </li>
            ))}
          </ul>
          <Untrusted />
        </>
      )}
    </div>
  );
}

function pageOf({ agentId, taskId, remote, call }: Hit): string {
  // A package has no page here: its record says where to get it.
  if (remote !== undefined) return call.path;
  if (taskId !== undefined) return pathTo(`work/${taskId}`);
  return pathTo(agentId === undefined ? 'agents' : `agents/${agentId}`);
}
