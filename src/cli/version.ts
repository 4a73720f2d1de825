import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { packageRoot } from '../kit/package-root.ts'

/** The output of `sluice --version`. */
export function versionText(): string {
  const { version } = JSON.parse(readFileSync(join(packageRoot, 'package.json'), 'utf8')) as {
    readonly version: string
  }
  return `sluice ${version} (Node ${process.versions.node})`
}
