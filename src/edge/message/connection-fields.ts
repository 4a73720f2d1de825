/** Lower-case names of fields for a single connection in HTTP/1.1, which HTTP/2 forbids (RFC 9113 8.2.2). */
export const connectionFields: ReadonlySet<string> = new Set([
  'connection',
  'http2-settings',
  'keep-alive',
  'proxy-connection',
  'transfer-encoding',
  'upgrade',
])
