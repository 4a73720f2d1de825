import { type Cidr, CidrSet, parseCidr } from '../../kit/cidr.ts'
import { type Operator, type OperatorFactory, type OperatorOutcome, ready, refused } from './operator.ts'
import { linesOf } from './pm.ts'

/** The value is an address in one of the blocks: v4 and v6 addresses and CIDR blocks, apart by commas. */
export const ipMatch: OperatorFactory = parameter => blocksMatch(parameter.split(','), parameter)

/** The same with blocks from a file, one a line; empty lines and lines that begin with `#` are skipped. */
export const ipMatchFromFile: OperatorFactory = (parameter, context) => {
  const name = parameter.trim()
  const text = context.packed === undefined ? context.readData(name) : context.packed.text()
  if (text === undefined) return refused(`there is no file ${name}`, parameter.indexOf(name), name.length)
  return blocksMatch(linesOf(text), parameter, pack => pack.text(text))
}

function blocksMatch(texts: readonly string[], parameter: string, pack?: Operator['pack']): OperatorOutcome {
  const blocks: Cidr[] = []
  for (const text of texts) {
    const block = parseCidr(text.trim())
    if (block === undefined) {
      const offset = parameter.indexOf(text)
      return refused(`${text.trim()} is no address and no CIDR block`, Math.max(0, offset), text.length)
    }
    blocks.push(block)
  }
  const set = new CidrSet(blocks)
  return ready(value => set.has(value), { pack })
}
