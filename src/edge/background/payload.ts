import { encryptMatchedData, truncatedMatchedData } from '../../kit/matched-data.ts'
import { type Inspection, matchesOf } from '../exchange/decisions.ts'
import type { RequestParts } from '../exchange/exchange.ts'
import { asText, cutAsText } from '../records/text.ts'
import type { BackgroundState } from './state.ts'

/**
 * Payload logging: encrypts the matches of each managed ruleset that acted and whose rule has a key. Called before the
 * records are written, which take the result from `matchedData`. Never throws.
 */
export function encryptPayloads(
  state: BackgroundState,
  { facts, decisions }: RequestParts,
): Promise<void> | undefined {
  let pending: Promise<void>[] | undefined
  for (const inspection of decisions.inspections) {
    const { payloadKey, action } = inspection.execution
    if (payloadKey === undefined || action === 'log' || inspection.broken) continue
    if (!decisions.entries.some(entry => entry.inspection === inspection)) continue
    pending ??= []
    pending.push(encryptOne(state, inspection, payloadKey, facts.rayId))
  }
  return pending === undefined ? undefined : Promise.all(pending).then(() => {})
}

async function encryptOne(
  state: BackgroundState,
  inspection: Inspection,
  key: string,
  rayId: string,
): Promise<void> {
  const { limits, deps } = state
  const crowded = state.encryptions >= limits.encryptionsMax
  state.encryptions++
  try {
    const text = crowded ? undefined : matchedDataText(inspection, limits)
    inspection.matchedData = text === undefined ? truncatedMatchedData : await encryptMatchedData(key, text)
  } catch (error) {
    deps.logger.error({ err: error, rayId }, 'a payload could not be encrypted; it is not recorded')
  }
  state.encryptions--
}

/**
 * The text to encrypt: `{"rules":[{"id","ref","target","value"}]}`, the matched rules in order. `id` is the rule's id in the
 * API and `ref` its CRS number. Undefined when the text is too large.
 */
function matchedDataText(
  inspection: Inspection,
  limits: { readonly matchedDataBytesMax: number; readonly matchedValueBytesMax: number },
): string | undefined {
  const rules: string[] = []
  let bytes = '{"rules":[]}'.length - 1
  for (const { rule, target, value } of matchesOf(inspection)) {
    const text = JSON.stringify({
      id: inspection.execution.ruleIds[rule.index] ?? '',
      ref: String(rule.id),
      target: asText(target),
      value: cutAsText(value, limits.matchedValueBytesMax),
    })
    bytes += Buffer.byteLength(text) + 1
    if (bytes > limits.matchedDataBytesMax) return undefined
    rules.push(text)
  }
  return `{"rules":[${rules.join(',')}]}`
}
