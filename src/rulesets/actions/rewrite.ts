import { checkValue } from '../documents/rule-expressions.ts'
import { rulesetLimits } from '../limits.ts'
import { invalidValue } from '../problems.ts'
import { pointerTo, refuse } from '../reading.ts'
import type {
  HeaderChangeParameters,
  RewriteHeadersParameters,
  RewriteUriParameters,
} from '../schemas/rewrite.ts'
import type { ActionContext } from './action-context.ts'
import { isChangeableHeader } from './header-names.ts'

export function checkRewriteUri({ uri }: RewriteUriParameters, at: ActionContext): void {
  for (const part of ['path', 'query'] as const) {
    const expression = uri[part]?.expression
    if (expression === undefined) continue
    checkValue(expression, 'rewrite-uri', { ...at, pointer: `${at.pointer}/uri/${part}/expression` })
  }
}

export function checkRewriteHeaders({ headers }: RewriteHeadersParameters, at: ActionContext): void {
  const names = new Set<string>()
  for (const [name, change] of Object.entries(headers)) {
    const pointer = pointerTo(`${at.pointer}/headers`, name)
    const reason = nameFault(name, at) ?? (names.has(name.toLowerCase()) ? 'it is there twice' : undefined)
    if (reason !== undefined) refuse(invalidValue('headers', name, reason, pointer))
    names.add(name.toLowerCase())
    checkChange(change, { ...at, pointer })
  }
}

function nameFault(name: string, { type }: ActionContext): string | undefined {
  const bytesMax = rulesetLimits.fieldNameBytesMax
  if (name.length > bytesMax) return `it is longer than ${bytesMax} bytes`
  const side = type.phase === 'http_request_late_transform' ? 'request' : 'response'
  return isChangeableHeader(name, side) ? undefined : 'it is not the name of a header that rules can change'
}

function checkChange({ operation, value, expression }: HeaderChangeParameters, at: ActionContext): void {
  if (operation === 'add' && at.type.phase === 'http_request_late_transform') {
    const reason = 'headers can be added to responses only; set replaces those of a request'
    refuse(invalidValue('operation', operation, reason, `${at.pointer}/operation`))
  }
  const given = Number(value !== undefined) + Number(expression !== undefined)
  if (given !== (operation === 'remove' ? 0 : 1)) {
    const wanted =
      operation === 'remove' ? 'neither value nor expression' : 'exactly one of value and expression'
    refuse(invalidValue('operation', operation, `it takes ${wanted}`, at.pointer))
  }
  if (expression === undefined) return
  checkValue(expression, 'rewrite-header', { ...at, pointer: `${at.pointer}/expression` })
}
