import type { ComponentChildren } from 'preact';
import { useExact } from '../exact.ts';
import { countdown, shortAccount, sinceNow, usdc } from '../format.ts';
import { useNow } from '../load.ts';
import { useName } from '../names.ts';
import type { Tone } from '../texts/states.ts';
import { T } from '../texts.ts';
import { Help } from './help.tsx';

/** How single values are shown: short for people, exact in the title. */
const CLOCK_MS = 15_000;
const SECOND_MS = 1_000;

export function Money({ units, network }: { readonly units: string; readonly network: string }) {
  const [isExact] = useExact();
  const exact = T.exactMoney(units, network);
  return (
    <span class={isExact ? 'money exact' : 'money'} title={exact}>
      {usdc(units)}{' '}
      <small>{isExact ? `${T.unit(network)}, ${T.units(units)}` : T.unit(network)}</small>
    </span>
  );
}

export function Time({ at }: { readonly at: string }) {
  const [isExact] = useExact();
  const left = Date.parse(at) - Date.now();
  return (
    <time dateTime={at} title={at}>
      {isExact ? at : left > 0 && left < SOON_MS ? <Countdown at={at} /> : <Ago at={at} />}
    </time>
  );
}

/** A moment of the next hour is counted down to the second; the rest has one unit. */
const SOON_MS = 3_600_000;

function Countdown({ at }: { readonly at: string }) {
  const now = useNow(SECOND_MS);
  // A timer is not read aloud each second, also where the text around it is.
  return (
    <span role="timer" class="number">
      {countdown(at, now) ?? sinceNow(at, now)}
    </span>
  );
}

function Ago({ at }: { readonly at: string }) {
  return <>{sinceNow(at, useNow(CLOCK_MS))}</>;
}

interface AccountProps {
  readonly name: string;
  readonly own?: string | undefined;
}

/** An account by the display name that its owner chose; the key beside it cannot be imitated. */
export function Account({ name, own }: AccountProps) {
  const [isExact] = useExact();
  const displayName = useName(name);
  const short = name === own ? T.you : shortAccount(name);
  return (
    <>
      {displayName !== undefined && name !== own && (
        <>
          <b title={displayName}>{displayName}</b>{' '}
        </>
      )}
      <span class={isExact ? 'account exact' : 'account'} title={name}>
        {isExact ? name : short}
      </span>
    </>
  );
}

export function Badge({ tone, children }: { readonly tone: Tone; readonly children: string }) {
  return <span class={`badge ${tone}`}>{children}</span>;
}

/** Marks texts of third parties, once for all that are beside it. */
export function Untrusted() {
  return (
    <span class="badge quiet" title={T.untrustedWhy}>
      {T.untrusted}
    </span>
  );
}

type Row = readonly [label: string, value: ComponentChildren];
interface FactsProps {
  readonly rows: readonly Row[];
  /** Lines that explain labels which a first reader cannot know (`texts/glossary.ts`). */
  readonly terms?: Readonly<Record<string, string>>;
}

/** Names with their values; what is undefined is left out. */
export function Facts({ rows, terms = {} }: FactsProps) {
  return (
    <dl class="facts">
      {rows
        .filter(([, value]) => value !== undefined && value !== '')
        .map(([label, value]) => (
          <div key={label}>
            <dt>
              {label} {terms[label] !== undefined && <Help term={label} line={terms[label]} />}
            </dt>
            <dd>{value}</dd>
          </div>
        ))}
    </dl>
  );
}

/** Text of the contract in which backticks mark code. */
export function Prose({ text }: { readonly text: string }) {
  return (
    <>{text.split('`').map((piece, place) => (place % 2 === 1 ? <code>{piece}</code> : piece))}</>
  );
}

export function Json({ value, label }: { readonly value: unknown; readonly label: string }) {
  return (
    // A keyboard scrolls what it can focus.
    <pre tabIndex={0} aria-label={label}>
      {typeof value === 'string' ? value : JSON.stringify(value, null, 2)}
    </pre>
  );
}

interface SectionProps {
  readonly title: string;
  readonly lead?: string;
  readonly aside?: ComponentChildren;
  readonly children: ComponentChildren;
}

export function Section({ title, lead, aside, children }: SectionProps) {
  return (
    <section class="card">
      <div class="head">
        <h2>{title}</h2>
        {aside}
      </div>
      {lead !== undefined && <p class="quiet">{lead}</p>}
      {children}
    </section>
  );
}

interface TableProps {
  readonly label: string;
  readonly kind?: string;
  readonly children: ComponentChildren;
}

/** A table that is scrolled in a box of its own where the page is narrow, by keyboard as well. */
export function ScrolledTable({ label, kind, children }: TableProps) {
  return (
    <div class="scroll" tabIndex={0} role="region" aria-label={label}>
      <table class={kind}>{children}</table>
    </div>
  );
}

/** Longer texts scroll in a box of their own, so that they cannot push the page out of view. */
const LONG = 1_500;

/** Untrusted text, marked as such. */
export function Stranger({ text }: { readonly text: string }) {
  if (text.length <= LONG) return <p class="untrusted">{text}</p>;
  return (
    // A keyboard scrolls what it can focus.
    <p class="untrusted long" tabIndex={0}>
      {text}
    </p>
  );
}
