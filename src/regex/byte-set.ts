/** A set of bytes. Immutable once it is in a pattern. */
export class ByteSet {
  /** 1 for each member, by byte. */
  readonly members: Uint8Array = new Uint8Array(256)
  #few: readonly number[] | undefined | null = null

  static of(bytes: Iterable<number>): ByteSet {
    const set = new ByteSet()
    for (const byte of bytes) set.members[byte] = 1
    return set
  }

  static range(first: number, last: number): ByteSet {
    const set = new ByteSet()
    set.addRange(first, last)
    return set
  }

  /** Only while the set is being built. */
  addRange(first: number, last: number): void {
    this.members.fill(1, first, last + 1)
  }

  /** Only while the set is being built. */
  addAll(other: ByteSet): void {
    for (let byte = 0; byte < 256; byte++) if (other.members[byte] === 1) this.members[byte] = 1
  }

  /** The members of a set of one or two, which most sets are; undefined for others. Call it once the set is built. */
  few(): readonly number[] | undefined {
    if (this.#few === null) {
      const first = this.members.indexOf(1)
      const second = first < 0 ? -1 : this.members.indexOf(1, first + 1)
      const isFew = first >= 0 && (second < 0 || this.members.indexOf(1, second + 1) < 0)
      this.#few = !isFew ? undefined : second < 0 ? [first] : [first, second]
    }
    return this.#few
  }

  has(byte: number): boolean {
    return this.members[byte] === 1
  }

  union(other: ByteSet): ByteSet {
    const set = new ByteSet()
    for (let byte = 0; byte < 256; byte++) set.members[byte] = this.members[byte]! | other.members[byte]!
    return set
  }

  /** The union with a set that may be absent; the same set if nothing is added. */
  with(other: ByteSet | undefined): ByteSet {
    return other === undefined || other === this || other.isWithin(this) ? this : this.union(other)
  }

  isWithin({ members }: ByteSet): boolean {
    for (let byte = this.members.indexOf(1); byte >= 0; byte = this.members.indexOf(1, byte + 1))
      if (members[byte] === 0) return false
    return true
  }

  intersection(other: ByteSet): ByteSet {
    const set = new ByteSet()
    for (let byte = 0; byte < 256; byte++) set.members[byte] = this.members[byte]! & other.members[byte]!
    return set
  }

  complement(): ByteSet {
    const set = new ByteSet()
    for (let byte = 0; byte < 256; byte++) set.members[byte] = 1 - this.members[byte]!
    return set
  }

  /** With the other case of each ASCII letter. */
  folded(): ByteSet {
    const set = new ByteSet()
    set.members.set(this.members)
    for (let upper = 0x41; upper <= 0x5a; upper++) {
      const either = this.members[upper]! | this.members[upper | 0x20]!
      set.members[upper] = either
      set.members[upper | 0x20] = either
    }
    return set
  }
}

const codes = (text: string) => ByteSet.of([...text].map(char => char.charCodeAt(0)))

export const anyByte = ByteSet.range(0, 255)
export const lineFeed = ByteSet.of([0x0a])
export const digits = ByteSet.range(0x30, 0x39)
export const wordBytes = digits
  .union(ByteSet.range(0x41, 0x5a))
  .union(ByteSet.range(0x61, 0x7a))
  .union(codes('_'))
/** Blank, \t \n \v \f \r. */
export const spaces = codes(' \t\n\v\f\r')
export const horizontalSpaces = ByteSet.of([0x09, 0x20, 0xa0])
export const verticalSpaces = ByteSet.of([0x0a, 0x0b, 0x0c, 0x0d, 0x85])

const upper = ByteSet.range(0x41, 0x5a)
const lower = ByteSet.range(0x61, 0x7a)
const graph = ByteSet.range(0x21, 0x7e)

/** Inside a class: `[:alpha:]`. ASCII. */
export const posixClasses: ReadonlyMap<string, ByteSet> = new Map([
  ['alnum', upper.union(lower).union(digits)],
  ['alpha', upper.union(lower)],
  ['ascii', ByteSet.range(0, 127)],
  ['blank', codes(' \t')],
  ['cntrl', ByteSet.range(0, 31).union(ByteSet.of([127]))],
  ['digit', digits],
  ['graph', graph],
  ['lower', lower],
  ['print', ByteSet.range(0x20, 0x7e)],
  ['punct', graph.intersection(upper.union(lower).union(digits).complement())],
  ['space', spaces],
  ['upper', upper],
  ['word', wordBytes],
  ['xdigit', digits.union(ByteSet.range(0x41, 0x46)).union(ByteSet.range(0x61, 0x66))],
])
