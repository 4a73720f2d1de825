import { dirname, join, parse } from 'node:path'
import { pathToFileURL } from 'node:url'
import { type Plugin, rolldown } from 'rolldown'

/** A module finds its neighbours as if it ran where its source is. */
const pathsOfSources: Plugin = {
  name: 'paths-of-sources',
  transform(code, id) {
    if (!code.includes('import.meta.')) return
    return code
      .replaceAll('import.meta.url', JSON.stringify(pathToFileURL(id).href))
      .replaceAll('import.meta.dirname', JSON.stringify(dirname(id)))
  },
}

/**
 * Makes JavaScript of scripts that a test starts many times: a bundle loads in a third of the CPU time, and costs less
 * than two starts.
 * @param into a directory; the bundles need nothing outside of it
 * @returns their paths, in the order of the scripts
 */
export async function bundle(scripts: readonly string[], into: string): Promise<string[]> {
  const bundled = await rolldown({
    input: [...scripts],
    platform: 'node',
    // Optional, and not installed.
    external: ['pg-native', 'pg-cloudflare'],
    checks: { ineffectiveDynamicImport: false },
    plugins: [pathsOfSources],
  })
  await bundled.write({ dir: into, entryFileNames: '[name].mjs', chunkFileNames: '[name]-[hash].mjs' })
  await bundled.close()
  return scripts.map(script => join(into, `${parse(script).name}.mjs`))
}
