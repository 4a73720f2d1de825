/**
 * How many of a differential test's random cases run: an eighth in `npm test`, all of them with
 * `SLUICE_TEST_CASES=all npm test -- src/waf src/regex`. A failure names its seed.
 */
export function shareOf(cases: number): number {
  return process.env['SLUICE_TEST_CASES'] === 'all' ? cases : Math.ceil(cases / 8)
}
