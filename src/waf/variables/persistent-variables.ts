import { transactionLimits } from '../limits.ts'
import { lowercase } from '../transformations/case.ts'
import { flatCopy } from '../transformations/scratch.ts'
import { VariableMap } from './variable-map.ts'

/** Variables that outlive a request: copies, at most `transactionLimits.persistentRecordBytesMax` in all. */
export class PersistentVariables extends VariableMap {
  #bytes = 0

  /** Variables beyond the limit are not kept. */
  override set(name: string, value: string, folded: string = lowercase(name)): void {
    const old = this.get(folded)
    const bytes = this.#bytes + value.length + (old === undefined ? name.length : -old.length)
    if (bytes > transactionLimits.persistentRecordBytesMax) return
    this.#bytes = bytes
    super.set(flatCopy(name), flatCopy(value), flatCopy(folded))
  }

  override delete(name: string, folded: string = lowercase(name)): void {
    const old = this.get(folded)
    if (old !== undefined) this.#bytes -= name.length + old.length
    super.delete(name, folded)
  }
}
