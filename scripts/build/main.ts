import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { bundleProduct } from './bundle.ts'

/**
 * `node scripts/build/main.ts DIRECTORY` builds the product as the package ships it: JavaScript, with its page. With
 * `--checkout` it builds the code that runs in this checkout; that builds the page itself.
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { checkout: { type: 'boolean', default: false } },
})
const [into] = positionals
if (into === undefined) {
  console.error('Name the directory to build into: node scripts/build/main.ts dist')
  process.exit(2)
}
await bundleProduct(into, values.checkout ? 'checkout' : 'package')
if (!values.checkout)
  execFileSync(
    process.execPath,
    [join(import.meta.dirname, '../../dashboard/build.ts'), join(into, 'dashboard')],
    {
      stdio: 'inherit',
    },
  )
