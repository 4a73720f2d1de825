import { type Transformation, transformations } from '../transformations/index.ts'
import type { Entry } from '../variables/entry.ts'

/**
 * A list of transformations, as the way from the root to this node. Rules whose lists begin alike share nodes, so that a
 * value is transformed once for all of them.
 */
export class TransformNode {
  /** Place of the result in `Entry.transformed`; 0 is the untransformed value. */
  readonly id: number
  readonly parent: TransformNode | undefined
  readonly #apply: Transformation

  constructor(id: number, parent: TransformNode | undefined, apply: Transformation) {
    this.id = id
    this.parent = parent
    this.#apply = apply
  }

  /** What the list makes of the value. The same string object as the parent's when the last step changes nothing. */
  valueOf(entry: Entry): string {
    if (this.parent === undefined) return entry.value
    const known = entry.transformed?.[this.id]
    if (known !== undefined) return known
    const value = this.#apply(this.parent.valueOf(entry))
    entry.transformed ??= []
    entry.transformed[this.id] = value
    return value
  }
}

/** All lists of transformations of a program. */
export class TransformTrie {
  readonly root = new TransformNode(0, undefined, value => value)
  readonly #children = new Map<string, TransformNode>()

  /**
   * The node of a list without `none`.
   * @returns the unknown name when there is one
   */
  node(names: readonly string[]): TransformNode | { readonly unknown: string } {
    let node = this.root
    for (const name of names) {
      const apply = transformations.get(name)
      if (apply === undefined) return { unknown: name }
      const key = `${node.id} ${name}`
      let child = this.#children.get(key)
      if (child === undefined) {
        child = new TransformNode(this.#children.size + 1, node, apply)
        this.#children.set(key, child)
      }
      node = child
    }
    return node
  }
}

/** The nodes from the root down to `node`, both included: what `multiMatch` looks at. */
export function pathTo(node: TransformNode): readonly TransformNode[] {
  const path: TransformNode[] = []
  for (let step: TransformNode | undefined = node; step !== undefined; step = step.parent) path.unshift(step)
  return path
}
