import { filesHash } from '../../src/kit/folders.ts'

const inputs = ['package.json', 'package-lock.json', 'scripts/build', 'src']

/** SHA-256 in hex of what the built code depends on: sources, the build, and the versions of the packages. */
export function productHash(root: string): string {
  return filesHash(
    root,
    inputs,
    path => path.endsWith('.ts') && !path.endsWith('.test.ts') && !/[/\\]testing[/\\]/.test(path),
  )
}
