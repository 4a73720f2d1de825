/** Writes small databases in MaxMind format. */

type MmdbValue = string | number | readonly MmdbValue[] | { readonly [key: string]: MmdbValue }

/**
 * @param records IPv4 address and prefix → record of the block; blocks do not overlap
 * @source MaxMind DB file format specification 2.0
 */
export function mmdbOf(records: Readonly<Record<string, MmdbValue>>): Buffer {
  const tree: [Branch, Branch][] = [[undefined, undefined]]
  const data: Buffer[] = []
  let dataBytes = 0
  for (const [block, value] of Object.entries(records)) {
    insert(tree, block, { at: dataBytes })
    const bytes = encoded(value)
    data.push(bytes)
    dataBytes += bytes.length
  }
  const nodes = tree.map(branches => {
    const bytes = Buffer.alloc(6)
    branches.forEach((branch, side) => {
      bytes.writeUIntBE(recordOf(branch, tree.length), side * 3, 3)
    })
    return bytes
  })
  const metadata = {
    binary_format_major_version: 2,
    binary_format_minor_version: 0,
    build_epoch: 1_800_000_000,
    database_type: 'Test',
    description: {},
    ip_version: 4,
    languages: [],
    node_count: tree.length,
    record_size: 24,
  }
  return Buffer.concat([
    ...nodes,
    Buffer.alloc(16),
    ...data,
    Buffer.from('\xab\xcd\xefMaxMind.com', 'latin1'),
    encoded(metadata),
  ])
}

/** Another node, an offset in the data, or nothing. */
type Branch = number | { readonly at: number } | undefined

function insert(tree: [Branch, Branch][], block: string, leaf: Branch): void {
  const [address, prefix] = block.split('/')
  const bits = address!.split('.').flatMap(part => [...Number(part).toString(2).padStart(8, '0')].map(Number))
  let node = 0
  for (const [depth, bit] of bits.slice(0, Number(prefix)).entries()) {
    const branches = tree[node]!
    if (depth === Number(prefix) - 1) {
      branches[bit] = leaf
      return
    }
    if (typeof branches[bit] !== 'number') branches[bit] = tree.push([undefined, undefined]) - 1
    node = branches[bit]
  }
}

function recordOf(branch: Branch, nodeCount: number): number {
  if (typeof branch === 'number') return branch
  return branch === undefined ? nodeCount : nodeCount + 16 + branch.at
}

function encoded(value: MmdbValue): Buffer {
  if (typeof value === 'string') {
    const bytes = Buffer.from(value)
    return Buffer.concat([control(2, bytes.length), bytes])
  }
  if (typeof value === 'number') return encodedNumber(value)
  if (Array.isArray(value)) return Buffer.concat([control(11, value.length), ...value.map(encoded)])
  const entries = Object.entries(value)
  return Buffer.concat([control(7, entries.length), ...entries.flat().map(encoded)])
}

/** Whole numbers as uint32, others as double. */
function encodedNumber(value: number): Buffer {
  const bytes = Buffer.alloc(Number.isInteger(value) && value >= 0 ? 4 : 8)
  if (bytes.length === 4) bytes.writeUInt32BE(value)
  else bytes.writeDoubleBE(value)
  return Buffer.concat([control(bytes.length === 4 ? 6 : 3, bytes.length), bytes])
}

/** Sizes up to 284. */
function control(type: number, size: number): Buffer {
  const sizeBits = Math.min(size, 29)
  const bytes = type > 7 ? [sizeBits, type - 7] : [(type << 5) | sizeBits]
  return Buffer.from(size < 29 ? bytes : [...bytes, size - 29])
}
