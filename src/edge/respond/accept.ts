/** @returns whether the client prefers JSON to HTML. HTML wins a tie, and when `Accept` is missing (RFC 9110 12.5.1) */
export function prefersJson(accept: string | undefined): boolean {
  if (accept === undefined) return false
  const ranges = accept.toLowerCase()
  if (!ranges.includes('json')) return false
  let json = 0
  let html = 0
  for (const range of ranges.split(',')) {
    const [type, ...parameters] = range.split(';')
    const name = type!.trim()
    const quality = qualityOf(parameters)
    if (name === 'application/json' || (name.startsWith('application/') && name.endsWith('+json')))
      json = Math.max(json, quality)
    else if (name === 'text/html' || name === 'application/xhtml+xml' || name === 'text/*' || name === '*/*')
      html = Math.max(html, name === '*/*' ? Math.min(quality, 0.01) : quality)
  }
  return json > html
}

function qualityOf(parameters: readonly string[]): number {
  for (const parameter of parameters) {
    const match = /^\s*q\s*=\s*([01](?:\.\d{0,3})?)\s*$/.exec(parameter)
    if (match !== null) return Number(match[1])
  }
  return 1
}
