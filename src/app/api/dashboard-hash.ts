import { filesHash } from '../../kit/folders.ts'

const inputs = [
  '../package-lock.json',
  'build.ts',
  'index.html',
  'vite.config.ts',
  'public',
  'src',
  ...['expressions', 'regex', 'kit', 'logfilter', 'model', 'rulesets/fields'].map(name => `../src/${name}`),
]

/**
 * SHA-256 in hex of all inputs of the page's build: its sources, the modules of `src` that it imports, and the versions
 * of the packages.
 */
export function sourceHash(dashboard: string): string {
  return filesHash(dashboard, inputs, path => !path.endsWith('.test.ts'))
}
