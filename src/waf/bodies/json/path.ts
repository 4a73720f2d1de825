import { wafLimits } from '../../limits.ts'

/**
 * A path in a JSON document, shared by all values with the same keys: its name is one string object for all items of a
 * list that have it. Nested lists have paths too: an element repeats its list's own key.
 */
export class JsonPath {
  readonly key: string
  /** Bytes of the name. */
  readonly length: number
  /** The first child in the last object at this path, and the child that followed this key. */
  first: JsonPath | undefined
  next: JsonPath | undefined
  readonly #parent: JsonPath | undefined
  readonly #memory: { pathsLeft: number }
  #name: string | undefined
  /** Most paths have at most one child; further children are in the map. */
  #child: JsonPath | undefined
  #children: Map<string, JsonPath> | undefined
  #element: JsonPath | undefined

  private constructor(key: string, length: number, parent: JsonPath | undefined) {
    this.key = key
    this.length = length
    this.#parent = parent
    // No more paths can have values.
    this.#memory = parent === undefined ? { pathsLeft: wafLimits.argumentsMax } : parent.#memory
  }

  /** The document itself: without a name, and no part of the names below it. */
  static root(): JsonPath {
    return new JsonPath('', 0, undefined)
  }

  /** Keys from the top, joined by dots; built at first use. */
  get name(): string {
    this.#name ??= this.#isTop ? this.key : `${this.#parent!.name}.${this.key}`
    return this.#name
  }

  get #isTop(): boolean {
    return this.#parent === undefined || this.#parent.#parent === undefined
  }

  /** The path of a key; the same object each time while the cache has space. */
  child(key: string): JsonPath {
    if (this.#child !== undefined && this.#child.key === key) return this.#child
    const known = this.#children?.get(key)
    if (known !== undefined) return known
    const length = this.#parent === undefined ? key.length : this.length + 1 + key.length
    const child = new JsonPath(key, length, this)
    if (this.#child === undefined) this.#child = child
    else if (this.#memory.pathsLeft > 0) {
      this.#memory.pathsLeft--
      this.#children ??= new Map()
      this.#children.set(key, child)
    }
    return child
  }

  /** Path of the elements of a list at this path. */
  get element(): JsonPath {
    this.#element ??= this.child(this.key)
    return this.#element
  }
}
