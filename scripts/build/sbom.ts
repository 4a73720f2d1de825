import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * `node scripts/build/sbom.ts FILE` writes the packages that an installation runs, by package-lock.json, as CycloneDX.
 * `npm sbom --omit dev` also leaves out packages that a development package needs too, such as pg.
 */

interface Component {
  readonly 'bom-ref': string
  readonly properties?: readonly { readonly name: string; readonly value: string }[]
}

interface Bom {
  readonly metadata: { readonly component: Record<string, unknown> }
  readonly components: readonly Component[]
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn: readonly string[] }[]
}

const [file] = process.argv.slice(2)
if (file === undefined) {
  console.error('Name the file: node scripts/build/sbom.ts dist/sbom.cdx.json')
  process.exit(2)
}
const bom = JSON.parse(
  execFileSync('npm', ['sbom', '--package-lock-only', '--sbom-format', 'cyclonedx'], {
    cwd: join(import.meta.dirname, '../..'),
    encoding: 'utf8',
    maxBuffer: 2 ** 26,
  }),
) as Bom
const isDevelopment = ({ properties = [] }: Component) =>
  properties.some(({ name, value }) => name === 'cdx:npm:package:development' && value === 'true')
const components = bom.components.filter(component => !isDevelopment(component))
const root = bom.metadata.component
const kept = new Set([root['bom-ref'], ...components.map(component => component['bom-ref'])])
const shipped = {
  ...bom,
  // npm takes the name of the folder.
  metadata: { ...bom.metadata, component: { ...root, type: 'application', name: 'sluice' } },
  components,
  dependencies: bom.dependencies
    .filter(({ ref }) => kept.has(ref))
    .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter(on => kept.has(on)) })),
}
writeFileSync(file, `${JSON.stringify(shipped, undefined, 2)}\n`)
