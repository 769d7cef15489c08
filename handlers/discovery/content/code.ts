import type { Schemas } from '../../../workflows/kernel/answered.ts';

/** Complete signers, run by the tests as they stand; `BASE_URL` becomes the hub's own address. */
type Snippet = Schemas['Quickstart']['code'][number];

const JAVASCRIPT = String.raw`// Save as hub.mjs and run it with Node 20 or newer.
import { createHash, createPrivateKey, createPublicKey, generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';

const BASE = 'BASE_URL';
const FILE = 'hub-key.pem'; // this key is the account: keep it, keep it secret
if (!existsSync(FILE)) {
  const pem = generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' });
  writeFileSync(FILE, pem, { mode: 0o600 });
}
const key = createPrivateKey(readFileSync(FILE));
export const keyId = base58(createPublicKey(key).export({ type: 'spki', format: 'der' }).subarray(-32));
export const account = 'key:' + keyId;

export async function call(method, path, body) {
  const url = new URL(BASE + path);
  const bytes = body === undefined ? undefined : Buffer.from(JSON.stringify(body));
  const headers = {};
  const lines = [['@method', method], ['@authority', url.host], ['@path', url.pathname]];
  if (url.search !== '') lines.push(['@query', url.search]);
  if (bytes !== undefined) {
    headers['content-type'] = 'application/json';
    headers['content-digest'] = 'sha-256=:' + createHash('sha256').update(bytes).digest('base64') + ':';
    lines.push(['content-digest', headers['content-digest']]);
  }
  const covered = lines.map(([name]) => '"' + name + '"').join(' ');
  const created = Math.floor(Date.now() / 1000);
  const nonce = randomBytes(16).toString('hex');
  const params = '(' + covered + ');created=' + created + ';keyid="' + keyId + '";alg="ed25519";nonce="' + nonce + '"';
  const base = [...lines, ['@signature-params', params]].map(([name, value]) => '"' + name + '": ' + value).join('\n');
  headers['signature-input'] = 'sig1=' + params;
  headers['signature'] = 'sig1=:' + sign(null, Buffer.from(base), key).toString('base64') + ':';
  const answer = await fetch(url, { method, headers, body: bytes });
  return answer.json();
}

function base58(bytes) {
  const letters = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';
  let text = '';
  for (let n = BigInt('0x' + bytes.toString('hex')); n > 0n; n /= 58n) text = letters[Number(n % 58n)] + text;
  return '1'.repeat(bytes.findIndex((byte) => byte !== 0)) + text;
}

console.log(JSON.stringify(await call('POST', '/api/v1/quickstart/check', { hello: 'hub' })));
`;

const PYTHON = String.raw`# pip install cryptography
import base64, hashlib, json, os, time, urllib.error, urllib.request
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
BASE, FILE = "BASE_URL", "hub-key.bin"
if not os.path.exists(FILE):
    os.umask(0o77); open(FILE, "wb").write(os.urandom(32))  # the account: keep it
key = Ed25519PrivateKey.from_private_bytes(open(FILE, "rb").read())
pub = key.public_key().public_bytes_raw()
n, KEYID = int.from_bytes(pub, "big"), ""
while n:
    KEYID = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"[n % 58] + KEYID; n //= 58
KEYID = "1" * (32 - len(pub.lstrip(b"\0"))) + KEYID

def call(method, path, body=None):
    raw = None if body is None else json.dumps(body).encode()
    lines = [("@method", method), ("@authority", BASE.split("//")[1]), ("@path", path.split("?")[0])]
    if "?" in path: lines.append(("@query", path[path.index("?"):]))
    headers = {"content-type": "application/json"}
    if raw:
        headers["content-digest"] = "sha-256=:%s:" % base64.b64encode(hashlib.sha256(raw).digest()).decode()
        lines.append(("content-digest", headers["content-digest"]))
    params = '(%s);created=%d;keyid="%s";alg="ed25519";nonce="%s"' % (
        " ".join('"%s"' % name for name, _ in lines), time.time(), KEYID, os.urandom(16).hex())
    base = "\n".join('"%s": %s' % line for line in lines + [("@signature-params", params)])
    headers["signature-input"] = "sig1=" + params
    headers["signature"] = "sig1=:%s:" % base64.b64encode(key.sign(base.encode())).decode()
    try: return json.load(urllib.request.urlopen(urllib.request.Request(BASE + path, raw, headers, method=method)))
    except urllib.error.HTTPError as refusal: return json.load(refusal)

print(json.dumps(call("POST", "/api/v1/quickstart/check", {"hello": "hub"})))
`;

const SHELL = String.raw`# Save as hub.sh, then: . ./hub.sh; hub POST /api/v1/quickstart/check '{"hello":"hub"}'
hub_base=BASE_URL
hub_pem=hub-key.pem # this key is the account: keep it, keep it secret
[ -e "$hub_pem" ] || (umask 077; openssl genpkey -algorithm ed25519 -out "$hub_pem")

hub_keyid() { # base58 of the public key
  local byte carry i text='' digits=() letters=123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz
  for byte in $(openssl pkey -in "$hub_pem" -pubout -outform DER | tail -c 32 | od -An -v -tu1); do
    carry=$byte
    [ "$byte" -eq 0 ] && [ "${'$'}{#digits[@]}" -eq 0 ] && text+=1
    for ((i = 0; i < ${'$'}{#digits[@]}; i++)); do
      carry=$((carry + digits[i] * 256)); digits[i]=$((carry % 58)); carry=$((carry / 58))
    done
    while [ "$carry" -gt 0 ]; do digits+=($((carry % 58))); carry=$((carry / 58)); done
  done
  for ((i = ${'$'}{#digits[@]} - 1; i >= 0; i--)); do text+=${'$'}{letters:digits[i]:1}; done
  printf %s "$text"
}

hub() { # hub METHOD PATH [JSON]
  local method=$1 target=$2 body=${'$'}{3-} n=$'\n' covered base digest params file send=()
  covered='"@method" "@authority" "@path"'
  base="\"@method\": $method$n\"@authority\": ${'$'}{hub_base#*://}$n\"@path\": ${'$'}{target%%\?*}$n"
  case $target in *\?*) covered+=' "@query"'; base+="\"@query\": ?${'$'}{target#*\?}$n" ;; esac
  if [ -n "$body" ]; then
    digest="sha-256=:$(printf %s "$body" | openssl dgst -sha256 -binary | base64):"
    covered+=' "content-digest"'; base+="\"content-digest\": $digest$n"
    send=(-H 'content-type: application/json' -H "content-digest: $digest" --data-raw "$body")
  fi
  params="($covered);created=$(date +%s);keyid=\"$(hub_keyid)\";alg=\"ed25519\";nonce=\"$(openssl rand -hex 16)\""
  file=$(mktemp); printf '%s"@signature-params": %s' "$base" "$params" >"$file"
  curl -sS -X "$method" "$hub_base$target" -H "signature-input: sig1=$params" \
    -H "signature: sig1=:$(openssl pkeyutl -sign -rawin -inkey "$hub_pem" -in "$file" | base64 | tr -d '\n'):" "${'$'}{send[@]}"
  rm -f "$file"
}
`;

const SNIPPETS: readonly Snippet[] = [
  { language: 'javascript', title: 'Sign and send with Node alone', source: JAVASCRIPT },
  {
    language: 'python',
    title: 'Sign and send with the standard library and one package',
    needs: 'pip install cryptography (40 or newer)',
    source: PYTHON,
  },
  {
    language: 'shell',
    title: 'Sign and send with curl',
    needs: 'bash, curl and openssl 3',
    source: SHELL,
  },
];

export function snippets(baseUrl: string): Snippet[] {
  return SNIPPETS.map((each) => ({ ...each, source: each.source.replace('BASE_URL', baseUrl) }));
}

export function snippet(language: string, baseUrl: string): string {
  const found = snippets(baseUrl).find((each) => each.language === language);
  if (found === undefined) throw new Error(`no snippet in ${language}`);
  return found.source;
}
