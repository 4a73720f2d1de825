/** Effect of a curl option on the request. */
export type CurlOption =
  | 'url'
  | 'method'
  | 'header'
  | 'data'
  | 'data-raw'
  | 'data-binary'
  | 'data-urlencode'
  | 'json'
  | 'get'
  | 'head'
  | 'user-agent'
  | 'referer'
  | 'cookie'
  | 'user'
  | 'bearer'
  | 'range'
  | 'compressed'
  | 'http10'
  | 'newer-http'
  | 'path-as-is'
  | 'url-query'
  /** No effect on the request: connection, output and files. */
  | 'ignored'
  | 'form'
  | 'upload'
  | 'config'
  | 'next'
  | 'other-auth'

interface Known {
  readonly option: CurlOption
  /** Takes the next word as its value. */
  readonly takesValue: boolean
}

const values: Readonly<Partial<Record<CurlOption, string>>> = {
  url: 'url',
  method: 'request X',
  header: 'header H',
  data: 'data data-ascii d',
  'data-raw': 'data-raw',
  'data-binary': 'data-binary',
  'data-urlencode': 'data-urlencode',
  json: 'json',
  'user-agent': 'user-agent A',
  referer: 'referer e',
  cookie: 'cookie b',
  user: 'user u',
  bearer: 'oauth2-bearer',
  range: 'range r',
  'url-query': 'url-query',
  form: 'form F form-string',
  upload: 'upload-file T',
  config: 'config K',
  'other-auth': 'aws-sigv4 delegation',
  ignored:
    'output o write-out w max-time m connect-timeout retry retry-delay retry-max-time resolve connect-to cacert capath cert E key cert-type key-type pass ciphers tls13-ciphers curves tls-max proxy x proxy-user U proxy-header noproxy preproxy socks4 socks4a socks5 socks5-hostname interface local-port limit-rate max-redirs max-filesize cookie-jar c dump-header D trace trace-ascii stderr dns-servers doh-url speed-limit Y speed-time y keepalive-time expect100-timeout happy-eyeballs-timeout-ms rate parallel-max output-dir pinnedpubkey unix-socket abstract-unix-socket alt-svc hsts etag-save etag-compare time-cond z proto proto-default proto-redir variable create-file-mode',
}

const flags: Readonly<Partial<Record<CurlOption, string>>> = {
  get: 'get G',
  head: 'head I',
  compressed: 'compressed',
  http10: 'http1.0 0',
  'newer-http': 'http2 http2-prior-knowledge http3 http3-only',
  'path-as-is': 'path-as-is',
  next: 'next :',
  'other-auth': 'digest ntlm negotiate anyauth',
  ignored:
    'silent s show-error S insecure k location L location-trusted verbose v include i show-headers fail f fail-with-body fail-early globoff g no-buffer N http1.1 ipv4 4 ipv6 6 remote-name O remote-name-all remote-header-name J remote-time R progress-bar # no-progress-meter parallel Z create-dirs disable q basic no-keepalive no-sessionid no-alpn no-clobber ssl ssl-reqd tlsv1 1 tlsv1.0 tlsv1.1 tlsv1.2 tlsv1.3 sslv2 2 sslv3 3 tcp-nodelay tcp-fastopen styled-output trace-time trace-ids raw junk-session-cookies j post301 post302 post303 retry-all-errors retry-connrefused proxytunnel p proxy-insecure cert-status compressed-ssh crlf disallow-username-in-url suppress-connect-headers ignore-content-length xattr tr-encoding remove-on-error skip-existing',
}

/** By name without hyphens; short options by one character. */
const known: ReadonlyMap<string, Known> = new Map([...entries(values, true), ...entries(flags, false)])

function entries(
  table: Readonly<Partial<Record<CurlOption, string>>>,
  takesValue: boolean,
): [string, Known][] {
  return Object.entries(table).flatMap(([option, names]) =>
    names.split(' ').map((name): [string, Known] => [name, { option: option as CurlOption, takesValue }]),
  )
}

export function curlOption(name: string): Known | undefined {
  // Flags can be negated.
  return known.get(name) ?? (name.startsWith('no-') && name.length > 4 ? known.get('silent') : undefined)
}
