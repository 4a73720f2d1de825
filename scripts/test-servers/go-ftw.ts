import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { copyFile } from 'node:fs/promises'
import { join } from 'node:path'
import { run, type TestServer } from './test-server.ts'

const version = '2.5.0'
/** A vendored copy beside the checkout, for machines that cannot fetch all of its modules. */
const built = join(import.meta.dirname, '../../../shared/ftw/bin/go-ftw.xz')

/** `go-ftw`, the CRS project's test runner. */
export const goFtw: TestServer = {
  name: 'go-ftw',
  version,
  needs: existsSync(built) ? ['xz'] : ['go'],
  variable: 'SLUICE_TEST_GO_FTW',
  async build(directory) {
    if (existsSync(built)) {
      await copyFile(built, join(directory, 'go-ftw.xz'))
      run('xz', ['-d', 'go-ftw.xz'], directory)
      run('chmod', ['+x', 'go-ftw'], directory)
      return
    }
    const { status, error } = spawnSync('go', ['install', `github.com/coreruleset/go-ftw/v2@v${version}`], {
      stdio: 'inherit',
      env: { ...process.env, GOBIN: directory },
    })
    if (status !== 0) throw new Error('go install failed', { cause: error })
  },
}
