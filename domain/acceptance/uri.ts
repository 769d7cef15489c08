/** Addresses of RFC 3986, templates of RFC 6570 and addresses of IP, each in linear time. */
const OCTET = /^(?:0|[1-9]\d?|1\d\d|2[0-4]\d|25[0-5])$/;
const SIXTEEN_BITS = /^[0-9a-f]{1,4}$/i;
const IPV6_LENGTH_MAX = 45;

export function isIpv4(text: string): boolean {
  const parts = text.split('.', 5);
  return parts.length === 4 && parts.every((part) => OCTET.test(part));
}

/** RFC 4291, 2.2, without a zone. */
export function isIpv6(text: string): boolean {
  if (text.length > IPV6_LENGTH_MAX) return false;
  const halves = text.split('::');
  if (halves.length > 2) return false;
  const groups = halves.map((half) => (half === '' ? [] : half.split(':')));
  const last = groups.at(-1)?.at(-1) ?? '';
  const hasIpv4 = last.includes('.');
  if (hasIpv4 && !isIpv4(last)) return false;
  const plain = groups.flat().slice(0, hasIpv4 ? -1 : undefined);
  if (!plain.every((group) => SIXTEEN_BITS.test(group))) return false;
  const count = plain.length + (hasIpv4 ? 2 : 0);
  return halves.length === 2 ? count <= 7 : count === 8;
}

/** Appendix B, which splits any text. */
const PARTS = /^(?:([^:/?#]+):)?(?:\/\/([^/?#]*))?([^?#]*)(?:\?([^#]*))?(?:#([^]*))?$/;
const SCHEME = /^[A-Za-z][A-Za-z0-9+.-]*$/;
const UNRESERVED = "A-Za-z0-9._~!$&'()*+,;=\\-";
const characters = (more: string): RegExp => new RegExp(`^[${UNRESERVED}${more}%]*$`);
const PATH = characters(':@/');
const QUERY = characters(':@/?');
const USER = characters(':');
const NAME = characters('');
const BROKEN_ESCAPE = /%(?![0-9A-Fa-f]{2})/;
const FUTURE = new RegExp(`^v[0-9a-f]+\\.[${UNRESERVED}:]+$`, 'i');

export function isUri(text: string): boolean {
  return /^[^:/?#]+:/.test(text) && isUriReference(text);
}

export function isUriReference(text: string): boolean {
  if (BROKEN_ESCAPE.test(text)) return false;
  const [whole, scheme, authority, path = '', query = '', fragment = ''] = PARTS.exec(text) ?? [];
  if (whole === undefined) return false;
  if (scheme !== undefined && !SCHEME.test(scheme)) return false;
  if (authority !== undefined && !isAuthority(authority)) return false;
  if (authority !== undefined && path !== '' && !path.startsWith('/')) return false;
  return PATH.test(path) && QUERY.test(query) && QUERY.test(fragment);
}

function isAuthority(text: string): boolean {
  const at = text.indexOf('@');
  if (at >= 0 && !USER.test(text.slice(0, at))) return false;
  const place = text.slice(at + 1);
  const [, literal, name = '', port = ''] =
    /^(?:\[([^\]]*)\]|([^:]*))(?::(.*))?$/.exec(place) ?? [];
  if (!/^\d*$/.test(port)) return false;
  if (literal !== undefined) return isIpv6(literal) || FUTURE.test(literal);
  return NAME.test(name) && (name !== '' || !place.includes('[')) && !place.startsWith('[');
}

/** RFC 6570, 2.1 with its erratum 6937, which allows the apostrophe. */
const LITERALS = /(?:[^\p{Cc} "%<>\\^`{|}\p{Surrogate}]|%[0-9A-Fa-f]{2})+/uy;
const VARIABLE_NAME = '(?:[A-Za-z0-9_]|%[0-9A-Fa-f]{2})+';
const VARIABLE = `${VARIABLE_NAME}(?:\\.${VARIABLE_NAME})*(?::[1-9]\\d{0,3}|\\*)?`;
const EXPRESSION = new RegExp(`\\{[+#./;?&=,!@|]?${VARIABLE}(?:,${VARIABLE})*\\}`, 'y');

export function isUriTemplate(text: string): boolean {
  let at = 0;
  while (at < text.length) {
    const part = text[at] === '{' ? EXPRESSION : LITERALS;
    part.lastIndex = at;
    const [found] = part.exec(text) ?? [];
    if (found === undefined) return false;
    at += found.length;
  }
  return true;
}
