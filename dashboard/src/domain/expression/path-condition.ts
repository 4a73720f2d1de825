/**
 * An expression for the path of a recorded request. Records have the path as received. Rules see it normalised, unless
 * they use the raw field.
 */
export function pathCondition(path: string): string {
  const field = staysNormalised(path) ? 'http.request.uri.path' : 'raw.http.request.uri.path'
  return `${field} eq "${path.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`
}

/** True for a path without escapes, double slashes, dot segments or bytes that a URL cannot hold. */
function staysNormalised(path: string): boolean {
  return /^[A-Za-z0-9\-._~:/?#[\]@!$&'()*+,;=]*$/.test(path) && !/\/[/.]/.test(path)
}
