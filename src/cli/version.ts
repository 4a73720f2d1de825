import { readFileSync } from 'node:fs'

/** The output of `sluice --version`. */
export function versionText(): string {
  const file = new URL('../../package.json', import.meta.url)
  const { version } = JSON.parse(readFileSync(file, 'utf8')) as { readonly version: string }
  return `sluice ${version} (Node ${process.versions.node})`
}
