/** URLs into the hub's own network. Each is refused, whether a caller or a redirect names it. */
export function hostileUrls(port: number): readonly string[] {
  return [...new Set([...written(port), ...authorities(port), ...odd(port)])];
}

/** Addresses in the notations that some reader or other takes for 127.0.0.1 or a private one. */
const HOSTS = [
  '127.0.0.1 127.1 127.0.1 127.0.0.01 127.0.0.001 127.000.000.001 127.0.0.1. 127.1. 127.255.255.254',
  '2130706433 2130706433. 017700000001 0x7f000001 0x7F000001 0x7f.1 0x7f.0.0.1 0x7f.0x0.0x0.0x1',
  '0177.0.0.1 0177.0.0.01 0177.1 00000177.0.0.1 0x0000007f.0.0.1 127.0x0.1 127.0.0.0x1 127.65536',
  '0 0. 0.0.0.0 0.0.0.1 0x0 00 000.000.000.000 4294967295 255.255.255.255 0xffffffff',
  '10.0.0.1 10.1 0xa.0.0.1 012.0.0.1 167772161 172.16.0.1 172.31.255.254 2886729729 192.168.0.1',
  '192.168.1.254 3232235521 0xc0a80001 0300.0250.0.1 100.64.0.1 100.127.255.254 100.100.100.200',
  '169.254.0.1 169.254.169.254 2852039166 0xa9fea9fe 0251.0376.0251.0376 169.254.43518 169.254.170.2',
  '168.63.129.16 192.0.0.1 192.0.0.192 192.0.2.1 198.18.0.1 198.19.255.255 198.51.100.1 203.0.113.1',
  '192.88.99.1 224.0.0.1 239.255.255.250 240.0.0.1 256.0.0.1 127.0.0.256 4294967296 127.0.0.1.1',
  '[::] [::1] [0:0:0:0:0:0:0:1] [0000:0000:0000:0000:0000:0000:0000:0001] [0::1] [::0:1] [::0.0.0.1]',
  '[::127.0.0.1] [::7f00:1] [::ffff:127.0.0.1] [::ffff:7f00:1] [::FFFF:127.0.0.1] [::ffff:0:127.0.0.1]',
  '[0:0:0:0:0:ffff:127.0.0.1] [::ffff:10.0.0.1] [::ffff:169.254.169.254] [::ffff:8.8.8.8]',
  '[64:ff9b::127.0.0.1] [64:ff9b::7f00:1] [64:ff9b:1::7f00:1] [64:ff9b::a9fe:a9fe]',
  '[2002:7f00:1::] [2002:7f00:0001::1] [2002:a9fe:a9fe::] [2001:0:7f00:1::] [2001::1] [2001:db8::1]',
  '[2001:2::1] [2001:10::1] [2001:20::1] [3fff::1] [100::1] [5f00::1] [fec0::1] [4000::1]',
  '[fe80::1] [fe80::1%25eth0] [fe80::1%eth0] [::1%25lo] [::1%lo] [fc00::1] [fd00::1] [fd00:ec2::254]',
  '[fd20:ce::254] [ff02::1] [ff05::2] [::1 [1::2::3] [::1.2.3] [127.0.0.1] [localhost]',
  '１２７.0.0.1 １２７．０．０．１ ①②⑦.⓪.⓪.① 127。0。0。1 127．0．0．1 ⓛocalhost lоcalhost 𝟏𝟐𝟕.𝟎.𝟎.𝟏 127.0.0.1\u00ad',
  '%31%32%37.0.0.1 127%2e0%2e0%2e1 %6c%6f%63%61%6c%68%6f%73%74 127.0.0.1%00 127.0.0.1%2f 127.0.0.1%20',
  'xn--127-7d6p.0.0.1 xn--1-0.com xn--loclhost-gfg xn--a xn--- xn--127-.0.0.1',
  'localhost LOCALHOST localhost. localhost.localdomain a.localhost ip6-localhost metadata',
  'metadata.google.internal metadata.google.internal. instance-data.ec2.internal printer.local',
  'router.home.arpa service.onion site.test site.example kubernetes kubernetes.default.svc any.invalid',
  'localtest.me 127.0.0.1.nip.io 7f000001.sslip.io spoofed.burpcollaborator.net a..b -a.example.com',
  'a-.example.com 127.0.0.1-.com _ a_b',
].join(' ');

function written(port: number): readonly string[] {
  return HOSTS.split(' ').flatMap((host) => [
    `http://${host}:${port}/`,
    `https://${host}:${port}/x`,
  ]);
}

/** The host is not where a careless reader sees it. */
function authorities(port: number): readonly string[] {
  const own = `127.0.0.1:${port}`;
  return [
    `http://${own}@public.example.com/`,
    `http://public.example.com@${own}/`,
    `http://public.example.com:80@${own}/`,
    `http://user:secret@${own}/`,
    `http://public.example.com\\@${own}/`,
    `http://${own}\\@public.example.com/`,
    `http://${own}%40public.example.com/`,
    `http://public.example.com%40${own}/`,
    `http://public.example.com%2f@${own}/`,
    `http://public.example.com#@${own}:x@y/`.replace('#', '%23'),
    `http://@${own}/`,
    `http://:@${own}/`,
    `http://${own}:80/`,
    `http://127.0.0.1:${port}:${port}/`,
    `http://127.0.0.1:0${port}/`,
    `http://127.0.0.1:+${port}/`,
    `http://127.0.0.1: ${port}/`,
    `http://public.example.com:0/`,
    `http://public.example.com:22/`,
    `http://public.example.com:25/`,
    `http://public.example.com:6379/`,
    `http://public.example.com:11211/`,
    `http://public.example.com:65536/`,
    `http://public.example.com:99999/`,
    `http://${own},public.example.com/`,
    `http://${own};public.example.com/`,
  ];
}

/** Other schemes, and what a lenient parser would mend into an address. */
function odd(port: number): readonly string[] {
  const own = `127.0.0.1:${port}`;
  return [
    ...['file:///etc/passwd', 'file://127.0.0.1/etc/passwd', 'data:text/plain,x', 'javascript:1'],
    ...[
      'ftp',
      'gopher',
      'dict',
      'ldap',
      'ws',
      'wss',
      'unix',
      'blob:http',
      'http+unix',
      'jar:http',
    ].map((scheme) => `${scheme}://${own}/`),
    ...['about:blank', 'mailto:a@b.c', 'http:', 'http://', 'https://', 'http:///', 'http://:80/'],
    `http:${own}/`,
    `http:/${own}/`,
    `http:///${own}/`,
    `http:\\\\${own}\\`,
    `http:/\\${own}/`,
    `http://\\${own}/`,
    `http:// ${own}/`,
    ` http://${own}/`,
    `http://${own}/ `,
    `\thttp://${own}/`,
    `ht\ntp://${own}/`,
    `http://127.0.0.\t1:${port}/`,
    `http://127.0.0\n.1:${port}/`,
    `http://${own}/\r\nHost: public.example.com`,
    `http://${own}/a b`,
    `\u0000http://${own}/`,
    `http://public.example.com/\u0000`,
    `http://public.example.com/${'a'.repeat(5000)}`,
    `http://${'a'.repeat(64)}.example.com/`,
    `http://${'a.'.repeat(130)}com/`,
    `https://${'0'.repeat(3000)}/`,
    `url:http://${own}/`,
    `HTTP://${own}/`,
    `hTtPs://${own}/`,
    `//${own}/`,
    `///${own}/`,
    `////${own}/`,
    `/\\${own}/`,
    `\\\\${own}/`,
    `//public.example.com@${own}/`,
    `//[::1]:${port}/`,
    `//0x7f.1:${port}/`,
    `//localhost:${port}/`,
  ];
}
