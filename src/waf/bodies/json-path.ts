import { wafLimits } from '../../kit/limits.ts'

/**
 * A place in a JSON document, the same for all values whose keys lead there: its name is one string object, however many
 * items of a list have it. Lists inside lists have places too: an element stands under its list's own key once more.
 */
export class JsonPath {
  readonly key: string
  /** Of the name, in bytes. */
  readonly length: number
  /** The child that came first in the last object at this place, and the one that came behind this key. */
  first: JsonPath | undefined
  next: JsonPath | undefined
  readonly #parent: JsonPath | undefined
  readonly #memory: { placesLeft: number }
  #name: string | undefined
  /** Most places have one child at most; the others are in the map. */
  #child: JsonPath | undefined
  #children: Map<string, JsonPath> | undefined
  #element: JsonPath | undefined

  private constructor(key: string, length: number, parent: JsonPath | undefined) {
    this.key = key
    this.length = length
    this.#parent = parent
    // No more places can have values.
    this.#memory = parent === undefined ? { placesLeft: wafLimits.argumentsMax } : parent.#memory
  }

  /** The document itself: without a name, and no part of the names below it. */
  static root(): JsonPath {
    return new JsonPath('', 0, undefined)
  }

  /** Keys from the top, dots between them; made when it is first asked for. */
  get name(): string {
    this.#name ??= this.#isTop ? this.key : `${this.#parent!.name}.${this.key}`
    return this.#name
  }

  get #isTop(): boolean {
    return this.#parent === undefined || this.#parent.#parent === undefined
  }

  /** The place under a key; the same object each time as long as there is room to remember it. */
  child(key: string): JsonPath {
    if (this.#child !== undefined && this.#child.key === key) return this.#child
    const known = this.#children?.get(key)
    if (known !== undefined) return known
    const length = this.#parent === undefined ? key.length : this.length + 1 + key.length
    const child = new JsonPath(key, length, this)
    if (this.#child === undefined) this.#child = child
    else if (this.#memory.placesLeft > 0) {
      this.#memory.placesLeft--
      this.#children ??= new Map()
      this.#children.set(key, child)
    }
    return child
  }

  /** Of the elements of a list at this place. */
  get element(): JsonPath {
    this.#element ??= this.child(this.key)
    return this.#element
  }
}
