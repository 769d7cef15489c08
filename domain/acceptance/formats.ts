import { isHostname } from './hostname.ts';
import type { FORMATS } from './schemaKeywords.ts';
import { isIpv4, isIpv6, isUri, isUriReference, isUriTemplate } from './uri.ts';

/** The formats of JSON Schema 2020-12 by their standards, each checked in linear time. */
type Format = (typeof FORMATS)[number];

const DAYS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
const DATE = /^(\d{4})-(\d\d)-(\d\d)$/;
const TIME = /^(\d\d):(\d\d):(\d\d)(?:\.\d+)?(?:[zZ]|([+-])(\d\d):(\d\d))$/;
const TIME_PART = '(?:\\d+H(?:\\d+M(?:\\d+S)?)?|\\d+M(?:\\d+S)?|\\d+S)';
const DATE_PART = '(?:\\d+Y(?:\\d+M(?:\\d+D)?)?|\\d+M(?:\\d+D)?|\\d+D)';
/** RFC 3339, appendix A. */
const DURATION = new RegExp(`^P(?:\\d+W|${DATE_PART}(?:T${TIME_PART})?|T${TIME_PART})$`);
const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;
const POINTER = /^(?:\/(?:[^~/]|~[01])*)*$/;
const RELATIVE_POINTER = /^(?:0|[1-9]\d*)(?=#$|\/|$)/;

const CHECKS: Readonly<Record<Format, (text: string) => boolean>> = {
  date: isDate,
  time: isTime,
  'date-time': isDateTime,
  duration: (text) => DURATION.test(text),
  email: isEmail,
  hostname: isHostname,
  ipv4: isIpv4,
  ipv6: isIpv6,
  uri: isUri,
  'uri-reference': isUriReference,
  'uri-template': isUriTemplate,
  uuid: (text) => UUID.test(text),
  'json-pointer': (text) => POINTER.test(text),
  'relative-json-pointer': isRelativePointer,
};

export function matchesFormat(format: Format, text: string): boolean {
  return CHECKS[format](text);
}

function isDate(text: string): boolean {
  const [, year, month, day] = (DATE.exec(text) ?? []).map(Number);
  if (year === undefined || month === undefined || day === undefined) return false;
  const isLeap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  const days = month === 2 && isLeap ? 29 : (DAYS[month - 1] ?? 0);
  return day >= 1 && day <= days;
}

/** `full-time` of RFC 3339; a leap second is the last one of a day in UTC. */
function isTime(text: string): boolean {
  const [found, h, m, s, sign, offsetH = '0', offsetM = '0'] = TIME.exec(text) ?? [];
  if (found === undefined) return false;
  const [hour, minute, second] = [Number(h), Number(m), Number(s)];
  const [hours, minutes] = [Number(offsetH), Number(offsetM)];
  if (hour > 23 || minute > 59 || second > 60 || hours > 23 || minutes > 59) return false;
  if (second < 60) return true;
  const offset = (sign === '-' ? -1 : 1) * (hours * 60 + minutes);
  const utc = (hour * 60 + minute - offset + 2 * 1_440) % 1_440;
  return utc === 1_439;
}

function isDateTime(text: string): boolean {
  return /^[tT]$/.test(text.charAt(10)) && isDate(text.slice(0, 10)) && isTime(text.slice(11));
}

const ATOM = /^[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+$/;
const QUOTED = /^"(?:[ !#-[\]-~]|\\[ -~])*"$/;
const LITERAL = /^\[(?:IPv6:(.*)|([0-9.]+))\]$/i;

/** The production "Mailbox" of RFC 5321, 4.1.2. */
function isEmail(text: string): boolean {
  const at = text.lastIndexOf('@');
  if (at < 1) return false;
  const [local, domain] = [text.slice(0, at), text.slice(at + 1)];
  const isLocal = local.startsWith('"')
    ? QUOTED.test(local)
    : local.split('.').every((part) => ATOM.test(part));
  if (!isLocal) return false;
  const [literal, v6, v4 = ''] = LITERAL.exec(domain) ?? [];
  if (literal === undefined) return isHostname(domain);
  return v6 === undefined ? isIpv4(v4) : isIpv6(v6);
}

function isRelativePointer(text: string): boolean {
  const [count] = RELATIVE_POINTER.exec(text) ?? [];
  if (count === undefined) return false;
  const rest = text.slice(count.length);
  return rest === '#' || POINTER.test(rest);
}
