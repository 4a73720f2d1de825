/**
 * How many of a differential test's random cases run: a quarter in `npm test`, all of them with
 * `SLUICE_TEST_CASES=all npm test -- src/waf`. The seeds are the same, so a failure repeats.
 */
export function shareOf(cases: number): number {
  return process.env['SLUICE_TEST_CASES'] === 'all' ? cases : Math.ceil(cases / 4)
}
