import { ByteSet } from '../../regex/index.ts'
import { type Kinds, kindsOf } from '../prefilter/byte-kinds.ts'
import { appliedInSlices, type TransformationRow, transformations } from '../transformations/index.ts'
import type { Entry } from '../variables/entry.ts'

/**
 * A list of transformations, as the path from the root to this node. Rules with the same beginning of the list share
 * nodes, so a value is transformed once for all of them.
 */
export class TransformNode {
  /** Index of the result in `Entry.transformed`; 0 is the untransformed value. */
  readonly id: number
  readonly parent: TransformNode | undefined
  /** The last step of the list. */
  readonly step: TransformationRow
  /** Kinds of `step.triggers`; undefined if any value may change. */
  readonly triggers: Kinds | undefined
  /** Kinds of `step.introduces`. */
  readonly introduces: Kinds
  /** Whether some step of the list folds case: the result for a value without any trigger. */
  readonly foldsCase: boolean
  /** Whether some step of the list may change any value: then the result for a value without triggers is unknown. */
  readonly changesAny: boolean

  constructor(id: number, parent: TransformNode | undefined, step: TransformationRow) {
    this.id = id
    this.parent = parent
    this.step = step
    this.foldsCase = step.foldsCase || parent?.foldsCase === true
    this.triggers = step.triggers === undefined ? undefined : kindsOf(step.triggers)
    this.introduces = kindsOf(step.introduces)
    this.changesAny = step.triggers === undefined || parent?.changesAny === true
  }

  /** The result of the list for the value; the parent's string object if the last step changes nothing. */
  valueOf(entry: Entry): string {
    if (this.parent === undefined) return entry.value
    const known = entry.transformed?.[this.id]
    if (known !== undefined) return known
    const value = this.step.apply(this.parent.valueOf(entry))
    this.keep(entry, value)
    return value
  }

  /** The same for a long value, with pauses. */
  *valueInSlices(entry: Entry): Generator<void, string, void> {
    if (this.parent === undefined) return entry.value
    const known = entry.transformed?.[this.id]
    if (known !== undefined) return known
    const value = yield* appliedInSlices(this.step, yield* this.parent.valueInSlices(entry))
    this.keep(entry, value)
    return value
  }

  /** Stores the result of the list. */
  keep(entry: Entry, value: string): void {
    entry.transformed ??= []
    entry.transformed[this.id] = value
  }
}

const nothing: TransformationRow = {
  apply: value => value,
  applyInSlices: undefined,
  triggers: new ByteSet(),
  introduces: new ByteSet(),
  foldsCase: false,
  grows: false,
  reaches: undefined,
}

/** All lists of transformations of a program. */
export class TransformTrie {
  readonly root = new TransformNode(0, undefined, nothing)
  readonly #children = new Map<string, TransformNode>()

  /** Greater than all ids. */
  get size(): number {
    return this.#children.size + 1
  }

  /**
   * The node of a list without `none`.
   * @returns the unknown name if there is one
   */
  node(names: readonly string[]): TransformNode | { readonly unknown: string } {
    let node = this.root
    for (const name of names) {
      const step = transformations.get(name)
      if (step === undefined) return { unknown: name }
      const key = `${node.id} ${name}`
      let child = this.#children.get(key)
      if (child === undefined) {
        child = new TransformNode(this.#children.size + 1, node, step)
        this.#children.set(key, child)
      }
      node = child
    }
    return node
  }
}

/** The nodes from the root down to `node`, both included: the values that `multiMatch` tests. */
export function pathTo(node: TransformNode): readonly TransformNode[] {
  const path: TransformNode[] = []
  for (let step: TransformNode | undefined = node; step !== undefined; step = step.parent) path.unshift(step)
  return path
}
