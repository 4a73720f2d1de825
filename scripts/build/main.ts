import { execFileSync } from 'node:child_process'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { type Plugin, rolldown } from 'rolldown'
import { engineDigest } from '../../src/crs/snapshots/engine-digest.ts'
import { licencesOf } from './licences.ts'

/**
 * `node scripts/build/main.ts DIRECTORY` builds the product as JavaScript, with its page. Each entry of the package, the command and each
 * thread is a small file at the path of its source. The code lies in `bundle/`, together with the libraries that it uses,
 * so that a process loads some ten files instead of two thousand.
 */

const root = join(import.meta.dirname, '../..')
const sources = join(root, 'src')

/** Paths below `src`, without extension. */
const entries = [
  'cli/main',
  'app/index',
  'waf/index',
  'seclang/index',
  'expressions/index',
  'logfilter/index',
  'model/index',
  'app/edge/worker',
  'app/analytics/worker',
  'analytics/answer-worker',
  'crs/snapshots/snapshot-worker',
]

/** Loaded from `node_modules` when they are needed: large and used by few, or found by their path. */
const external = [
  /^node:/,
  /^@aws-sdk\//,
  /^@ip-location-db\//,
  /^@platformatic\/kafka$/,
  /^pg-native$/,
  /^pino(-pretty)?$/,
]

/** A module finds its neighbours and the package's files from the path that it would have outside the bundle. */
const ownPaths: Plugin = {
  name: 'own-paths',
  transform(code, id) {
    if (!id.startsWith(sources) || !code.includes('import.meta')) return
    const built = `../${relative(sources, id).replace(/\.ts$/, '.js')}`
    const url = `new URL(${JSON.stringify(built)}, import.meta.url)`
    return code.replaceAll(/import\.meta\.(url|dirname)/g, (_, property) =>
      property === 'url'
        ? `${url}.href`
        : `process.getBuiltinModule('node:url').fileURLToPath(new URL('.', ${url}))`,
    )
  },
}

/** Snapshots of rulesets stay valid across builds of one engine. */
const engineAsBuilt: Plugin = {
  name: 'engine-as-built',
  async load(id) {
    if (!id.endsWith('/crs/snapshots/engine-digest.ts')) return
    return `export const engineDigest = async () => ${JSON.stringify(await engineDigest())}`
  },
}

const [into] = process.argv.slice(2)
if (into === undefined) {
  console.error('Name the directory to build into: node scripts/build/main.ts dist')
  process.exit(2)
}
await build(into)
execFileSync(process.execPath, [join(root, 'dashboard/build.ts'), join(into, 'dashboard')], {
  stdio: 'inherit',
})

async function build(into: string): Promise<void> {
  const folder = join(into, 'bundle')
  const bundle = await rolldown({
    input: Object.fromEntries(entries.map(entry => [flat(entry), join(sources, `${entry}.ts`)])),
    platform: 'node',
    external,
    logLevel: 'warn',
    plugins: [engineAsBuilt, ownPaths],
  })
  await rm(folder, { recursive: true, force: true })
  const { output } = await bundle.write({
    dir: folder,
    format: 'esm',
    entryFileNames: '[name].js',
    chunkFileNames: '[name]-[hash].js',
  })
  for (const entry of entries) {
    const file = join(into, `${entry}.js`)
    await mkdir(dirname(file), { recursive: true })
    const target = relative(dirname(file), join(folder, `${flat(entry)}.js`))
    await writeFile(file, `export * from '${target}'\n`)
  }
  const modules = output.flatMap(chunk => (chunk.type === 'chunk' ? chunk.moduleIds : []))
  await writeFile(join(into, 'LICENSES.txt'), licencesOf(modules))
}

function flat(entry: string): string {
  return entry.replaceAll('/', '-')
}
