const prefix = 'http://unix:'

/**
 * The path of a unix socket that a URL names, as nginx writes it: `http://unix:/run/app.sock`. Undefined for other URLs.
 * The host name `unix` with a port (`http://unix:80`) is none: a port does not begin with a slash.
 */
export function unixPathOf(url: string): string | undefined {
  return url.startsWith(`${prefix}/`) ? url.slice(prefix.length) : undefined
}
