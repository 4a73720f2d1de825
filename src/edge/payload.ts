import { encryptMatchedData, truncatedMatchedData } from '../kit/matched-data.ts'
import type { EdgeCore } from './core.ts'
import type { Exchange } from './exchange.ts'
import { type Inspection, matchesOf } from './ledger.ts'
import { asText, cutAsText } from './records/text.ts'

/**
 * Payload logging: encrypts what matched in the runs of managed ruleset that acted and whose rule has a key. Called when
 * the request has ended, before its records are written; they find it in `matchedData`. Never throws.
 */
export function encryptPayloads(core: EdgeCore, { ledger, rayId }: Exchange): void | Promise<void> {
  let pending: Promise<void>[] | undefined
  for (const inspection of ledger.inspections) {
    const { payloadKey, action } = inspection.execution
    if (payloadKey === undefined || action === 'log' || inspection.broken) continue
    if (!ledger.entries.some(entry => entry.inspection === inspection)) continue
    pending ??= []
    pending.push(encryptOne(core, inspection, payloadKey, rayId))
  }
  if (pending !== undefined) return Promise.all(pending).then(() => {})
}

async function encryptOne(
  { background, limits, deps }: EdgeCore,
  inspection: Inspection,
  key: string,
  rayId: string,
): Promise<void> {
  const crowded = background.encryptions >= limits.encryptionsMax
  background.encryptions++
  try {
    const text = crowded ? undefined : matchedDataText(inspection, limits)
    inspection.matchedData = text === undefined ? truncatedMatchedData : await encryptMatchedData(key, text)
  } catch (error) {
    deps.logger.error({ err: error, rayId }, 'a payload could not be encrypted; it is not recorded')
  }
  background.encryptions--
}

/**
 * What is encrypted: `{"rules":[{"id","ref","target","value"}]}`, the rules that matched in order, each with its id in
 * the API, its CRS number, and what it found where. Undefined when it is too large.
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
