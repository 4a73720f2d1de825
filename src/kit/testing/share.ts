/**
 * How many of a test's random cases, or tries of a race, run: a sixteenth in `npm test`, all of them with
 * `SLUICE_TEST_CASES=all npm test -- src/waf src/regex src/api/http`. A failure names its seed or try.
 */
export function shareOf(cases: number): number {
  return process.env['SLUICE_TEST_CASES'] === 'all' ? cases : Math.ceil(cases / 16)
}
