import { existsSync } from 'node:fs'
import { join } from 'node:path'

/** @returns a directory; it need not be there */
export function crsForTests(root: string): string {
  const beside = join(root, '..', 'shared', 'crs', '4.28.0')
  return process.env['SLUICE_TEST_CRS'] ?? (existsSync(beside) ? beside : obtainedCrs(root))
}

/** Where a release is kept that was obtained for the tests of this checkout. */
export function obtainedCrs(root: string): string {
  return join(root, 'node_modules', '.cache', 'sluice-test-crs')
}

/** Why a test that needs a release of CRS 4 is skipped with this one; false when it runs. */
export function skipBeforeCrs4(directory: string): string | false {
  if (!existsSync(directory)) return 'needs an OWASP CRS release, and none was found'
  const isOld = !existsSync(join(directory, 'rules', 'REQUEST-999-COMMON-EXCEPTIONS-AFTER.conf'))
  return isOld && 'needs CRS 4, and the release here is an older one'
}
