import { hostname } from 'node:os';
import { pino, type Logger } from 'pino';
import { oneLine } from '../../domain/lines.ts';
import { Redaction } from '../../domain/outbound/redaction.ts';
import { head } from '../../domain/text.ts';
import type { Settings } from '../../workflows/kernel/settings.ts';
import { secretsOfSettings } from './secrets.ts';

/** Bytes that wait for a slow reader of the log; lines beyond them are dropped. */
const WAITING_BYTES_MAX = 16_777_216;
const WARN_LEVEL = 40;
const ALERTS_MAX = 30;
const ALERT_LENGTH_MAX = 300;

/** A line of the log that needs attention, as the operator's page shows it. */
export interface Alert {
  readonly at: number;
  readonly level: number;
  readonly text: string;
}

export interface OpenedLog {
  readonly log: Logger;
  /** The newest lines of this process at `warn` and above, the newest first. */
  alerts(): readonly Alert[];
}

/**
 * Opens the log, readable on a terminal and JSON lines elsewhere. Writing never blocks the hub. No
 * line has a secret of the hub, since errors of libraries repeat addresses and headers, and no text
 * of another ends a line.
 * @param worker Its number, which each line then has.
 */
export function openLog(settings: Settings, worker?: number): OpenedLog {
  const { logLevel: level } = settings;
  const redaction = new Redaction(secretsOfSettings(settings, process.env));
  const redacted = (text: string): string => redaction.text(text);
  const alerts: Alert[] = [];
  const options = {
    level,
    ...(worker !== undefined && { base: { pid: process.pid, hostname: hostname(), worker } }),
    hooks: {
      logMethod(
        this: Logger,
        args: Parameters<Logger['info']>,
        method: Logger['info'],
        at: number,
      ) {
        if (at >= WARN_LEVEL) {
          alerts.unshift({ at: Date.now(), level: at, text: redacted(textOf(args)) });
          alerts.length = Math.min(alerts.length, ALERTS_MAX);
        }
        method.apply(this, args);
      },
      streamWrite: (line: string) => loggedLine(line, redaction),
    },
  };
  const log = process.stdout.isTTY
    ? pino({ ...options, transport: { target: 'pino-pretty' } })
    : pino(options, pino.destination({ sync: false, maxLength: WAITING_BYTES_MAX }));
  return { log, alerts: () => alerts };
}

/** The message and the cause, without the stack. */
function textOf(args: readonly unknown[]): string {
  const parts = args.map((each) => {
    if (typeof each !== 'object' || each === null) return String(each);
    const { err, ...rest } = each as Readonly<Record<string, unknown>>;
    const named = Object.entries(rest).map(([name, value]) => `${name}=${String(value)}`);
    return [...named, ...(err === undefined ? [] : [String(err)])].join(' ');
  });
  return head(parts.reverse().join(': '), ALERT_LENGTH_MAX);
}

/** A line of the log as it is written: no secret, and no character that ends a line before its end. */
export function loggedLine(line: string, redaction: Redaction): string {
  return `${oneLine(redaction.text(line.trimEnd()))}\n`;
}
