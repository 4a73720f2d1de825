import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { cpSync, existsSync, globSync, mkdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { sourceHash } from '../../src/app/api/dashboard-hash.ts'
import { crsForTests } from '../../test/support/crs-for-tests.ts'
import { productHash } from '../build/product-hash.ts'

const staleMs = 24 * 3600 * 1000

/**
 * Builds the product as the package ships it, because a built product starts in a quarter of the CPU time. Beside it is
 * a data directory, `data`, with the CRS for tests: an import takes half of a first start. One build serves all runs of
 * the same sources and release.
 * @returns the path of its command
 */
export function builtProduct(root: string): string {
  const kept = join(root, 'node_modules/.cache/sluice-tests/products')
  const product = join(kept, hashOf(root))
  if (!existsSync(product)) {
    for (const name of globSync('*', { cwd: kept }))
      if (Date.now() - statSync(join(kept, name)).mtimeMs > staleMs)
        rmSync(join(kept, name), { recursive: true })
    const aside = `${product}.${process.pid}`
    mkdirSync(aside, { recursive: true })
    // Read from the built command, as from the package.
    cpSync(join(root, 'package.json'), join(aside, 'package.json'))
    execFileSync(process.execPath, [join(root, 'scripts/build/main.ts'), join(aside, 'dist')], {
      stdio: 'inherit',
    })
    importCrs(root, aside)
    try {
      renameSync(aside, product)
    } catch (error) {
      // Another run was faster.
      if (!existsSync(product)) throw error
      rmSync(aside, { recursive: true })
    }
  }
  return join(product, 'dist/cli/main.js')
}

function importCrs(root: string, product: string): void {
  const crs = crsForTests(root)
  if (!existsSync(crs)) return
  const own = Object.entries(process.env).filter(([name]) => !name.startsWith('SLUICE_'))
  for (const words of [
    ['db', 'migrate'],
    ['crs', 'import', crs],
  ])
    execFileSync(process.execPath, [join(product, 'dist/cli/main.js'), ...words], {
      stdio: ['ignore', 'ignore', 'inherit'],
      env: { ...Object.fromEntries(own), SLUICE_DATA: join(product, 'data') },
    })
}

function hashOf(root: string): string {
  const hash = createHash('sha256')
    .update(sourceHash(join(root, 'dashboard')))
    .update(productHash(root))
  const crs = crsForTests(root)
  for (const path of globSync(['*', 'rules/*'], { cwd: crs }).toSorted())
    if (statSync(join(crs, path)).isFile()) hash.update(path).update(readFileSync(join(crs, path)))
  return hash.digest('hex').slice(0, 16)
}
