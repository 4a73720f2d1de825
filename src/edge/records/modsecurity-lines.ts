import type { AuditRecord } from './audit.ts'

/**
 * One line per matched rule, in the format of ModSecurity's error log, so that tools for that log (go-ftw,
 * `modsec-rulereport`) also read this one. A request without matches has no line.
 * @returns the lines without a final line break; empty when no rule matched
 * @source ModSecurity reference manual, "Audit log, part H: Message"
 */
export function modsecurityLines(record: AuditRecord): string {
  const { time, client_ip, ray_id, zone, request, matched } = record
  const [path = ''] = request.uri.split('?', 1)
  const head = `[${time}] [client ${client_ip}] ModSecurity: Warning.`
  const tail = `${tag('hostname', zone)} ${tag('uri', path)} ${tag('unique_id', ray_id)}`
  const lines = matched.map(({ id, rule_id, message, data, score, tags, target }) =>
    [
      head,
      ...(target === '' ? [] : [`Matched at ${escaped(target)}.`]),
      tag('id', id === 0 ? rule_id : String(id)),
      tag('msg', message),
      ...(data === undefined || data === '' ? [] : [tag('data', data)]),
      ...(score === 0 ? [] : [tag('score', String(score))]),
      ...tags.map(name => tag('tag', name)),
      tail,
    ].join(' '),
  )
  return lines.join('\n')
}

function tag(name: string, value: string): string {
  return `[${name} "${escaped(value)}"]`
}

/** Escapes quotes, backslashes and control characters as `\"`, `\\` and `\xHH`. */
function escaped(text: string): string {
  return text.replace(/["\\\x00-\x1f\x7f]/g, character =>
    character === '"' || character === '\\'
      ? `\\${character}`
      : `\\x${character.charCodeAt(0).toString(16).padStart(2, '0')}`,
  )
}
