import { type Cidr, CidrSet, parseCidr, parseIp, withTail } from '../../kit/cidr.ts'
import { type Operator, type OperatorFactory, type OperatorOutcome, ready, refused } from './operator.ts'
import { linesOf } from './pm.ts'

/** The value is an address in one of the blocks: v4 and v6 addresses and CIDR blocks, separated by commas. */
export const ipMatch: OperatorFactory = parameter => blocksMatch(parameter.split(','), parameter)

/** The same with blocks from a file, one per line; empty lines and lines that begin with `#` are skipped. */
export const ipMatchFromFile: OperatorFactory = (parameter, context) => {
  const name = parameter.trim()
  const text = context.packed === undefined ? context.readData(name) : context.packed.text()
  if (text === undefined) return refused(`there is no file ${name}`, parameter.indexOf(name), name.length)
  return blocksMatch(linesOf(text), parameter, pack => pack.text(text))
}

function blocksMatch(texts: readonly string[], parameter: string, pack?: Operator['pack']): OperatorOutcome {
  const blocks: Cidr[] = []
  for (const text of texts) {
    const block = parseCidr(text.trim()) ?? blockAroundMapped(text.trim())
    if (block === undefined) {
      const offset = parameter.indexOf(text)
      return refused(`${text.trim()} is no address and no CIDR block`, Math.max(0, offset), text.length)
    }
    blocks.push(block)
  }
  const set = new CidrSet(blocks)
  return ready(value => set.has(value), { pack })
}

/**
 * `::ffff:0:0/90`: an IPv6 block that is wider than the mapped IPv4 addresses. It holds only IPv6 addresses, as `::/0`
 * does: a mapped address is always an IPv4 address.
 */
function blockAroundMapped(text: string): Cidr | undefined {
  const [address = '', bits = ''] = text.split('/')
  const parsed = address.includes(':') ? parseIp(address) : undefined
  if (parsed?.version !== 4 || !/^[0-9]{1,2}$/.test(bits) || Number(bits) >= 96) return undefined
  const prefix = Number(bits)
  return { version: 6, prefix, bytes: withTail(`${'\0'.repeat(10)}\xff\xff${parsed.bytes}`, prefix, 0) }
}
